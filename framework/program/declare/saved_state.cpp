#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/framework/program/declare/saved_state.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/platform/json/sealed.hpp>
#include <tombolo/platform/stable_hash.hpp>

namespace tombolo {

namespace {

constexpr const char* damaged_remedy = "it is damaged; an older checkpoint or a new start goes on";
constexpr std::array saved_names{"file", "bits", "constant", "nothing"};
constexpr std::array<std::pair<const char*, bool Copies::*>, 5> copies_names{{{"items", &Copies::items},
                                                                              {"halo", &Copies::halo},
                                                                              {"root", &Copies::root},
                                                                              {"everywhere", &Copies::everywhere},
                                                                              {"combined", &Copies::combined}}};

std::string counted_passes(std::int64_t passes) {
  return fmt::format("{} pass{}", passes, passes == 1 ? "" : "es");
}

std::size_t index(int number) {
  return static_cast<std::size_t>(number);
}

bool has(const std::vector<Touch>& touched, int array) {
  return std::any_of(touched.begin(), touched.end(), [array](const Touch& touch) { return touch.array == array; });
}

bool is_number(const DeclaredArray& array) {
  return array.everywhere && array.shape == MatrixShape{1, 1} && !array.sliced() && !array.root;
}

// True if no task changes the array.
bool constant(const Declaration& program, int array) {
  return std::none_of(program.tasks.begin(), program.tasks.end(), [&](const DeclaredTask& task) {
    return has(touches(program, task).writes, array) || task.array == array || task.to == array ||
           std::find(task.combines.begin(), task.combines.end(), array) != task.combines.end();
  });
}

// True if the next pass of a loop writes all items of the array before anything touches it.
bool written_next(const Declaration& program, const Section& section, int array) {
  for (int t = section.first; t < section.end; ++t) {
    const DeclaredTask& task = program.tasks[index(t)];
    const Touches touched = touches(program, task);
    if (task.kind == TaskKind::compute &&
        std::find(task.writes.begin(), task.writes.end(), array) != task.writes.end()) {
      return true;
    }
    const bool used = has(touched.reads, array) || has(touched.writes, array) || task.array == array ||
                      task.to == array ||
                      std::find(task.combines.begin(), task.combines.end(), array) != task.combines.end();
    if (used) return false;
  }
  return false;
}

Json to_json(const Copies& copies) {
  Json names = Json::array();
  for (const auto& [name, member] : copies_names) {
    if (copies.*member) names.push_back(name);
  }
  return names;
}

Copies copies_from(const JsonNode& names) {
  Copies copies;
  for (const JsonNode& node : names.list()) {
    const std::string name = node.text();
    const auto found =
        std::find_if(copies_names.begin(), copies_names.end(), [&](const auto& known) { return name == known.first; });
    if (found == copies_names.end()) node.refuse(fmt::format("'{}' is no kind of copy", name));
    copies.*(found->second) = true;
  }
  return copies;
}

std::uint64_t hash_from(const JsonNode& node) {
  std::array<std::byte, sizeof(std::uint64_t)> bytes{};
  bytes_from_hex(node.text(), bytes.data(), bytes.size());
  std::uint64_t value = 0;
  for (const std::byte byte : bytes) value = value << 8 | std::to_integer<std::uint64_t>(byte);
  return value;
}

std::string text_of(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

Json to_json(const SavedState& s) {
  Json json{{"program", s.program},     {"number", s.number},      {"run", s.run},
            {"ranks", s.ranks},         {"made", s.made},          {"section", s.point.section},
            {"passes", s.point.passes}, {"arrays", Json::array()}, {"parts", Json::array()}};
  for (std::size_t a = 0; a < s.arrays.size(); ++a) {
    const SavedArray& array = s.arrays[a];
    Json one{{"name", array.name},
             {"type", array.type},
             {"rows", array.shape.rows},
             {"columns", array.shape.columns},
             {"begins", to_json(s.begins[a])},
             {"as", saved_names.at(static_cast<std::size_t>(array.as))}};
    if (array.as == SavedAs::file) one.update({{"file", array.file}, {"fortran_order", array.fortran_order}});
    if (array.as == SavedAs::file || array.as == SavedAs::constant) one["hash"] = text_of(array.hash);
    if (array.as == SavedAs::bits) one["bits"] = array.bits;
    json["arrays"].push_back(std::move(one));
  }
  for (const Fingerprint& part : s.parts) json["parts"].push_back({{"what", part.what}, {"hash", text_of(part.hash)}});
  return json;
}

SavedArray array_from(const JsonNode& node) {
  SavedArray array{.name = node.member("name").text(),
                   .type = node.member("type").text(),
                   .shape = {node.member("rows").natural(), node.member("columns").natural()}};
  const std::string as = node.member("as").text();
  const auto* const found = std::find(saved_names.begin(), saved_names.end(), as);
  if (found == saved_names.end()) node.refuse(fmt::format("'{}' is no way to save an array", as));
  array.as = static_cast<SavedAs>(found - saved_names.begin());
  if (array.as == SavedAs::file) {
    array.file = node.member("file").text();
    array.fortran_order = node.member("fortran_order").flag();
    if (array.file.find('/') != std::string::npos) node.refuse("its file lies in another folder");
  }
  if (array.as == SavedAs::file || array.as == SavedAs::constant) array.hash = hash_from(node.member("hash"));
  if (array.as == SavedAs::bits) array.bits = node.member("bits").text();
  return array;
}

std::string shown(const std::string& type, const MatrixShape& shape) {
  return fmt::format("{} x {} {}", shape.rows, shape.columns, type);
}

StableHash hash_of(const DeclaredTask& t) {
  StableHash hash;
  hash.add_text(t.name);
  hash.add_text(name(t.kind));
  for (const int number : {t.array, t.to, t.transposed ? 1 : 0, t.spends ? 1 : 0, t.slices, t.loop}) {
    hash.add_number(number);
  }
  for (const auto* accesses : {&t.reads, &t.around, &t.wholes, &t.writes, &t.updates, &t.combines}) {
    for (const int number : *accesses) hash.add_number(number);
    hash.add_text("");
  }
  return hash;
}

StableHash hash_of(const DeclaredLoop& l) {
  StableHash hash;
  hash.add_text(l.name);
  for (const int number : {l.first, l.end}) hash.add_number(number);
  return hash;
}

}  // namespace

std::string describe(const Declaration& program, const SavedPoint& point) {
  const int loop = sections_of(program)[point.section].loop;
  return fmt::format("after {} of {}", counted_passes(point.passes[index(loop)]), program.loops[index(loop)].name);
}

NewestValues values_at(const Declaration& program, const NewestValues& begins, const SavedPoint& point) {
  return after_run(program, begins, point.passes, point.section + 1);
}

SavedAs saved_as(const Declaration& program, const NewestValues& begins, const SavedPoint& point, int array) {
  const DeclaredArray& declared = program.arrays[index(array)];
  const Copies copies = values_at(program, begins, point).of(array);
  if (copies.combined) {
    throw Error(fmt::format("program {} cannot be saved {}: {} holds parts that ranks have not reduced", program.name,
                            describe(program, point), declared.name),
                fmt::format("allreduce {} before the end of the pass", declared.name));
  }
  if (copies == Copies{}) return SavedAs::nothing;
  if (constant(program, array)) return SavedAs::constant;
  if (is_number(declared)) return SavedAs::bits;
  if (written_next(program, sections_of(program)[point.section], array)) return SavedAs::nothing;
  return SavedAs::file;
}

void check_can_be_saved(const Declaration& program, const NewestValues& begins) {
  const std::vector<Section> sections = sections_of(program);
  SavedPoint point{.passes = std::vector<std::int64_t>(program.loops.size(), 0)};
  const auto all = static_cast<int>(program.arrays.size());
  for (; point.section < sections.size(); ++point.section) {
    const int loop = sections[point.section].loop;
    if (loop == DeclaredTask::none) continue;
    // Values repeat after few passes: as many as arrays can be swapped in turn.
    const std::int64_t most = std::min<std::int64_t>(program.loops[index(loop)].most, all + 2);
    std::string words;
    for (std::int64_t& passes = point.passes[index(loop)]; passes < most;) {
      ++passes;
      words.clear();
      try {
        for (int array = 0; array < all; ++array) saved_as(program, begins, point, array);
        break;
      } catch (const Error& error) {
        words = error.what();
      }
    }
    if (!words.empty()) throw std::runtime_error(words);
  }
}

std::vector<Fingerprint> saved_parts(const Declaration& program) {
  std::vector<Fingerprint> parts;
  for (const DeclaredTask& t : program.tasks) parts.push_back({"task " + t.name, hash_of(t).value()});
  for (const DeclaredLoop& l : program.loops) parts.push_back({"loop " + l.name, hash_of(l).value()});
  return parts;
}

std::string to_text(const SavedState& state) {
  return sealed_json(to_json(state).dump());
}

SavedState saved_state_from(std::string_view text, const std::string& name) {
  const JsonDocument document = parse_sealed(text, name, damaged_remedy);
  const JsonNode node = JsonNode(document).member("content");
  SavedState state{.program = node.member("program").text(),
                   .number = node.member("number").natural(),
                   .run = node.member("run").natural(),
                   .ranks = node.member("ranks").small_integer(),
                   .made = node.member("made").text()};
  state.point.section = static_cast<std::size_t>(node.member("section").natural());
  for (const JsonNode& passes : node.member("passes").list()) state.point.passes.push_back(passes.natural());
  for (const JsonNode& array : node.member("arrays").list()) {
    state.arrays.push_back(array_from(array));
    state.begins.push_back(copies_from(array.member("begins")));
  }
  for (const JsonNode& part : node.member("parts").list()) {
    state.parts.push_back({part.member("what").text(), hash_from(part.member("hash"))});
  }
  return state;
}

void check_suits(const SavedState& state, const Declaration& program, const std::string& name) {
  constexpr const char* remedy = "resume it with the program and the sizes that it was made by, or name another folder";
  const auto refuse = [&](const std::string& cause) { throw Error(fmt::format("{}: {}", name, cause), remedy); };
  if (state.program != program.name) {
    refuse(fmt::format("a checkpoint of program {}, and this is {}", state.program, program.name));
  }
  for (std::size_t a = 0; a < std::min(state.arrays.size(), program.arrays.size()); ++a) {
    const SavedArray& saved = state.arrays[a];
    const DeclaredArray& declared = program.arrays[a];
    if (saved.name == declared.name && saved.type == declared.type && saved.shape == declared.shape) continue;
    refuse(fmt::format("it holds {}, {}, and program {} declares {}, {}", saved.name, shown(saved.type, saved.shape),
                       program.name, declared.name, shown(declared.type, declared.shape)));
  }
  if (state.arrays.size() != program.arrays.size()) {
    refuse(fmt::format("it holds {} arrays, and program {} declares {}", state.arrays.size(), program.name,
                       program.arrays.size()));
  }
  const std::vector<Fingerprint> parts = saved_parts(program);
  const auto same = [](const Fingerprint& one, const Fingerprint& other) {
    return one.what == other.what && one.hash == other.hash;
  };
  const auto [mine, saved] = std::mismatch(parts.begin(), parts.end(), state.parts.begin(), state.parts.end(), same);
  if (mine != parts.end() || saved != state.parts.end()) {
    refuse(fmt::format("program {} has changed since, beginning with {}", program.name,
                       mine != parts.end() ? mine->what : saved->what));
  }
  const bool fits = state.point.passes.size() == program.loops.size() &&
                    state.point.section < sections_of(program).size() &&
                    sections_of(program)[state.point.section].loop != DeclaredTask::none;
  if (!fits) refuse(fmt::format("program {} has no such loop", program.name));
}

std::string file_name_of(std::string_view name) {
  std::string file(name.substr(0, 100));
  const auto foreign = [](char c) {
    return (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' && c != '_';
  };
  std::replace_if(file.begin(), file.end(), foreign, '_');
  return file.empty() ? "_" : file;
}

std::string hex_of(const std::byte* bytes, std::size_t count) {
  std::string digits;
  for (std::size_t i = 0; i < count; ++i) digits += fmt::format("{:02x}", std::to_integer<unsigned>(bytes[i]));
  return digits;
}

void bytes_from_hex(std::string_view digits, std::byte* bytes, std::size_t count) {
  const auto digit = [&](char c) {
    constexpr std::string_view all = "0123456789abcdef";
    const std::size_t value = all.find(c);
    if (value == std::string_view::npos) {
      throw Error(fmt::format("'{}' is no hexadecimal digit of a checkpoint", c), damaged_remedy);
    }
    return static_cast<unsigned>(value);
  };
  if (digits.size() != 2 * count) {
    throw Error(fmt::format("{} hexadecimal digits for {} bytes of a checkpoint", digits.size(), count),
                damaged_remedy);
  }
  for (std::size_t i = 0; i < count; ++i) bytes[i] = std::byte(16 * digit(digits[2 * i]) + digit(digits[2 * i + 1]));
}

}  // namespace tombolo
