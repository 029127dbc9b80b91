// Checkpoints of a program: saving its state at a point of a run, and going on from one.
#include <algorithm>
#include <complex>
#include <cstring>
#include <ctime>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/framework/matrix/matrix_hash.hpp>
#include <tombolo/framework/mpi/program/checkpoints.hpp>
#include <tombolo/framework/mpi/program/program_state.hpp>
#include <tombolo/framework/mpi/session/same_call.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/readable.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/attempt.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/platform/system/standard_streams.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace fs = std::filesystem;

namespace {

constexpr Bytes largest_text = Bytes{1} << 28;

/// Elements of an array as its file holds them.
struct FileElements {
  ElementType type = ElementType::float64;
  bool npy = false;      ///< else raw: .npy files hold floating-point and complex numbers
  bool widened = false;  ///< elements of one and two bytes take four
};

FileElements in_file(const DeclaredArray& array) {
  for (const ElementType type :
       {ElementType::float32, ElementType::float64, ElementType::complex64, ElementType::complex128}) {
    if (array.type == element_info(type).name) return {type, true, false};
  }
  if (array.element < 4) return {ElementType::float32, false, true};
  return {array.element == 4   ? ElementType::float32
          : array.element == 8 ? ElementType::float64
                               : ElementType::complex128,
          false, false};
}

/// Elements of one and two bytes, each in the lowest bytes of four, and back.
Storage<std::byte> widened(const std::byte* from, std::int64_t elements, Bytes element) {
  Storage<std::byte> wide(elements * Bytes{sizeof(float)});
  for (std::int64_t i = 0; i < elements; ++i) {
    std::memcpy(wide.data() + i * Bytes{sizeof(float)}, from + i * element, static_cast<std::size_t>(element));
  }
  return wide;
}

void narrow(const std::byte* from, std::int64_t elements, Bytes element, std::byte* to) {
  for (std::int64_t i = 0; i < elements; ++i) {
    std::memcpy(to + i * element, from + i * Bytes{sizeof(float)}, static_cast<std::size_t>(element));
  }
}

/// Returns a member's part of the hash of an array; the copies of a replicated one count once.
template <Element T>
std::uint64_t hash_of(const Distribution& held, Rank member, const T* elements) {
  if (held.replicated() && member > 0) return 0;
  std::uint64_t sum = 0;
  for (const Part& part : held.parts(member)) {
    sum += hash_part(elements, part, held.by_columns(), false);
    elements += part.elements();
  }
  return sum;
}

template <Element T>
void to_disk(MPI_Comm members, const fs::path& file, const Distribution& held, const std::byte* from, bool npy) {
  const T* const elements = reinterpret_cast<const T*>(from);
  npy ? write_distributed(members, file, held, elements, held.by_columns())
      : write_raw(members, file, held, elements, held.by_columns());
}

template <Element T>
void from_disk(MPI_Comm members, const fs::path& file, const Distribution& held, std::byte* to, const SavedArray& saved,
               bool npy) {
  T* const elements = reinterpret_cast<T*>(to);
  npy ? read_distributed(members, file, held, elements) : read_raw(members, file, held, elements, saved.fortran_order);
}

void sum_up(std::vector<std::uint64_t>& hashes, MPI_Comm members) {
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, hashes.data(), static_cast<int>(hashes.size()), MPI_UINT64_T, MPI_SUM, members),
            "MPI_Allreduce");
}

std::string text_at(const fs::path& folder) {
  const fs::path path = folder / saved_text;
  std::error_code error;
  if (!fs::exists(path, error) && !error) return {};
  return read_text(path, largest_text, "checkpoint");
}

/// Removes a generation; first its text, without which nothing takes it for a checkpoint.
void remove_generation(const fs::path& folder) {
  std::error_code ignored;
  fs::remove(folder / saved_text, ignored);
  fs::remove_all(folder, ignored);
}

}  // namespace

void Program::State::checkpoint(CheckpointOptions options) {
  if (runs_ > 0) throw std::logic_error(fmt::format("program {}: checkpoint() after a run; call it before", name()));
  own_checkpoints_ = std::move(options);
}

// Finds out, before the first run, whether and where the program is saved, and what there is to go on from.
void Program::State::begin_saving() {
  const CheckpointOptions options = own_checkpoints_ ? *own_checkpoints_ : session_.checkpoints();
  if (options.folder.empty()) {
    if (options.resume) throw AgreedError("a run to resume without a folder of checkpoints; name it by --checkpoint");
    return;
  }
  const auto note = [&](const std::string& words) {
    if (session_.rank() == 0) say(fmt::format("tombolo: {}: {}\n", name(), words));
  };
  if (session_.phantom()) return note("not saved, as phantom memory holds no values");
  if (check_) return note("not saved, as TOMBOLO_CHECK runs it twice");
  if (body_.declared.loops.empty()) {
    return note("not saved, as it has no loop between whose passes it could be; a restart does it again");
  }
  agree(session_.communicator(), [&] { check_can_be_saved(body_.declared, *newest_); });
  checkpoints_ = std::make_unique<Checkpoints>();
  checkpoints_->options = options;
  checkpoints_->folder = options.folder / session_.checkpoint_name(name());
  check_same_call(session_.communicator(),
                  fmt::format("saves program {} in {}", name(), tombolo::quoted(checkpoints_->folder.string())));
  find_checkpoints();
  if (checkpoints_->found.empty() && options.resume) {
    note(fmt::format("no checkpoint in {}, so it begins anew", printable(checkpoints_->folder)));
  }
}

void Program::State::find_checkpoints() {
  Checkpoints& all = *checkpoints_;
  std::vector<std::string> damaged;
  for (int g = 0; g < Checkpoints::generations; ++g) {
    std::string text;
    std::string words;
    if (session_.rank() == 0) words = attempt([&] { text = text_at(all.generation(g)); });
    text = text_from(session_.communicator(), 0, std::move(text));
    words = text_from(session_.communicator(), 0, std::move(words));
    if (words.empty() && text.empty()) continue;
    Checkpoints::Found found{.generation = g};
    if (words.empty()) {
      words = attempt([&] { found.state = saved_state_from(text, printable(all.generation(g) / saved_text)); });
    }
    if (words.empty()) {
      all.found.push_back(std::move(found));
    } else {
      damaged.push_back(words);
    }
  }
  std::sort(all.found.begin(), all.found.end(),
            [](const auto& one, const auto& other) { return one.state.number > other.state.number; });
  agree(session_.communicator(), [&] {
    if (all.found.empty() && damaged.empty()) {
      if (session_.rank() != 0) return;
      std::error_code error;
      fs::create_directories(all.folder, error);
      if (error) throw_file_error("write", all.folder, error.value());
      return;
    }
    if (!all.options.resume) {
      throw Error(fmt::format("{} holds a checkpoint of program {}", printable(all.folder), name()),
                  "go on from it by --resume, or remove it to begin anew");
    }
    if (all.found.empty()) throw std::runtime_error(damaged.front());
    for (const Checkpoints::Found& found : all.found) {
      check_suits(found.state, body_.declared, printable(all.generation(found.generation)));
    }
  });
  if (all.found.empty()) return;
  all.number = all.found.front().state.number;
  if (damaged.empty() || session_.rank() != 0) return;
  say(fmt::format("tombolo: {}: {}\n", name(), printable(damaged.front())));
}

// Goes on from the newest usable checkpoint of this call of run(). Collective over the session.
void Program::State::resume() {
  Checkpoints& all = *checkpoints_;
  all.constants.assign(body_.arrays.size(), std::nullopt);
  if (all.found.empty() || all.found.front().state.run != runs_) return;
  std::string failed;
  for (const Checkpoints::Found& found : all.found) {
    if (found.state.run != runs_) continue;
    check_constants(found.state);
    failed = attempt([&] { restore(found.state, all.generation(found.generation)); });
    if (!failed.empty()) {
      if (session_.rank() == 0) say(fmt::format("tombolo: {}: {}\n", name(), printable(failed)));
      continue;
    }
    all.next = 1 - found.generation;
    all.newest = describe(body_.declared, found.state.point);
    all.resumed = true;
    all.resumed_from = fmt::format("{}, made on {} ranks at {}", all.newest, found.state.ranks, found.state.made);
    all.found.clear();
    return;
  }
  throw AgreedError(fmt::format("program {} has no checkpoint that can be used in {}; remove it to begin anew", name(),
                                printable(all.folder)));
}

// Throws AgreedError if arrays that no task changes have other values than when the program was saved.
void Program::State::check_constants(const SavedState& state) {
  std::vector<std::uint64_t> mine(body_.arrays.size(), 0);
  const std::string failed = takes_part() ? attempt([&] {
    for (std::size_t a = 0; a < mine.size(); ++a) {
      if (state.arrays[a].as == SavedAs::constant) mine[a] = constant_hash(static_cast<int>(a));
    }
  })
                                          : std::string();
  agree(session_.communicator(), [&] {
    if (!failed.empty()) throw std::runtime_error(failed);
    for (std::size_t a = 0; a < mine.size() && takes_part(); ++a) {
      if (state.arrays[a].as != SavedAs::constant || mine[a] == state.arrays[a].hash) continue;
      throw Error(
          fmt::format("program {}: {} has other values than in the run to resume", name(), state.arrays[a].name),
          "give the input that the run began with");
    }
  });
}

// Returns the hash of an array that no task changes. Collective over the members.
std::uint64_t Program::State::constant_hash(int array) {
  std::optional<std::uint64_t>& known = checkpoints_->constants[static_cast<std::size_t>(array)];
  if (known) return *known;
  const DeclaredArray& declared = body_.array(array).declared();
  const Copies& copies = newest_->of(array);
  const Distribution held = distribution_in(AnyArray{array, serial_}, copies);
  Storage<std::byte> packed;
  Storage<std::byte> wide;
  agree(members_, [&] {
    packed = packed_items(AnyArray{array, serial_}, copies);
    const std::byte* const from = packed.size() > 0 ? packed.data() : body_.array(array).data();
    if (in_file(declared).widened) wide = widened(from, held.elements(member_), declared.element);
  });
  const std::byte* const from = wide.size() > 0     ? wide.data()
                                : packed.size() > 0 ? packed.data()
                                                    : body_.array(array).data();
  std::vector<std::uint64_t> hash(1);
  with_type(in_file(declared).type, [&]<Element T>(std::type_identity<T> /*type*/) {
    hash[0] = hash_of(held, member_, reinterpret_cast<const T*>(from));
  });
  sum_up(hash, members_);
  known = hash[0];
  return *known;
}

// Sets all values and the progress to those of a checkpoint. Collective over the session.
void Program::State::restore(const SavedState& state, const fs::path& folder) {
  newest_.emplace(body_.declared);
  for (std::size_t a = 0; a < state.begins.size(); ++a) newest_->set(static_cast<int>(a), state.begins[a]);
  const NewestValues values = values_at(body_.declared, *newest_, state.point);
  const std::string failed = takes_part() ? attempt([&] {
    std::vector<std::uint64_t> hashes(body_.arrays.size(), 0);
    for (std::size_t a = 0; a < hashes.size(); ++a) {
      if (state.arrays[a].as != SavedAs::file) continue;
      hashes[a] = restore_array(static_cast<int>(a), values.of(static_cast<int>(a)), state.arrays[a], folder);
    }
    sum_up(hashes, members_);
    for (std::size_t a = 0; a < hashes.size(); ++a) {
      if (state.arrays[a].as != SavedAs::file || hashes[a] == state.arrays[a].hash) continue;
      throw Error(fmt::format("{} is damaged: its values are not those that were saved",
                              printable(folder / state.arrays[a].file)),
                  "an older checkpoint or a new start goes on");
    }
  })
                                          : std::string();
  agree(session_.communicator(), [&] {
    if (!failed.empty()) throw std::runtime_error(failed);
    for (std::size_t a = 0; a < body_.arrays.size(); ++a) {
      ArrayMemory& array = *body_.arrays[a];
      array.set_combining(false);
      if (state.arrays[a].as != SavedAs::bits) continue;
      bytes_from_hex(state.arrays[a].bits, array.data(), static_cast<std::size_t>(array.declared().element));
    }
  });
  progress_.section = state.point.section;
  progress_.passes = state.point.passes;
  passes_before_ = state.point.passes;
}

// Reads the copies of an array that were up to date, and returns this member's part of the hash. Collective over the
// members.
std::uint64_t Program::State::restore_array(int number, const Copies& copies, const SavedArray& saved,
                                            const fs::path& folder) {
  const AnyArray array{number, serial_};
  ArrayMemory& memory = body_.array(number);
  const FileElements elements = in_file(memory.declared());
  const auto read = [&](const Copies& some) {
    const Distribution held = distribution_in(array, some);
    const bool packed = in_panels(array, some);
    const std::int64_t mine = held.elements(member_);
    Storage<std::byte> ordered;
    Storage<std::byte> wide;
    agree(members_, [&] {
      memory.have_own(session_);
      if (packed) ordered = Storage<std::byte>(mine * memory.declared().element);
      if (elements.widened) wide = Storage<std::byte>(mine * Bytes{sizeof(float)});
    });
    std::byte* const to = packed ? ordered.data() : memory.data();
    std::byte* const from_file = elements.widened ? wide.data() : to;
    std::uint64_t hash = 0;
    with_type(elements.type, [&]<Element T>(std::type_identity<T> /*type*/) {
      from_disk<T>(members_, folder / saved.file, held, from_file, saved, elements.npy);
      hash = hash_of(held, member_, reinterpret_cast<const T*>(from_file));
    });
    if (elements.widened) narrow(wide.data(), mine, memory.declared().element, to);
    if (packed) unpack_items(array, ordered.data());
    return hash;
  };
  if (copies.everywhere) return read({.everywhere = true});
  if (copies.root && copies.items) (void)read({.items = true});
  return copies.root ? read({.root = true}) : read({.items = true});
}

// Saves the program if that is due; returns true if the run ends here. Collective over the members.
bool Program::State::reached(CheckpointSchedule& schedule, const SavedPoint& point) {
  const CheckpointSchedule::Due due = schedule.at_point();
  if (due == CheckpointSchedule::Due::nothing) return false;
  if (checkpoints_->found.empty()) {  // else a later run goes on from them
    const bool now = attempt([&] {
                       const auto all = static_cast<int>(body_.arrays.size());
                       for (int a = 0; a < all; ++a) saved_as(body_.declared, *newest_, point, a);
                     }).empty();
    if (!now) {
      schedule.put_off();
      return false;
    }
    const double begin = MPI_Wtime();
    const std::string failed = attempt([&] { save(point); });
    checkpoints_->seconds += MPI_Wtime() - begin;
    if (!failed.empty() && member_ == 0) {
      attempt([&] { remove_generation(checkpoints_->generation(checkpoints_->next)); });
      say(fmt::format("tombolo: {}: not saved {}: {}; {}\n", name(), describe(body_.declared, point), printable(failed),
                      checkpoints_->newest.empty() ? "there is no older checkpoint"
                                                   : "the checkpoint " + checkpoints_->newest + " stays"));
    }
  }
  schedule.saved();
  if (due != CheckpointSchedule::Due::save_and_end) return false;
  EndingSignals::keep_catching();
  progress_.signal = schedule.signal();
  return true;
}

// Writes a checkpoint over the older generation. Throws AgreedError on all members. Collective over the members.
void Program::State::save(const SavedPoint& point) {
  Checkpoints& all = *checkpoints_;
  const fs::path folder = all.generation(all.next);
  SavedState state{.program = name(),
                   .number = all.number + 1,
                   .run = runs_,
                   .ranks = session_.ranks(),
                   .made = fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(std::time(nullptr))),
                   .point = point,
                   .begins = newest_->all(),
                   .parts = saved_parts(body_.declared)};
  agree(members_, [&] {
    if (member_ != 0) return;
    remove_generation(folder);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw_file_error("write", folder, error.value());
  });
  const NewestValues values = values_at(body_.declared, *newest_, point);
  std::vector<std::uint64_t> hashes(body_.arrays.size(), 0);
  all.bytes = 0;
  for (std::size_t a = 0; a < body_.arrays.size(); ++a) {
    const auto number = static_cast<int>(a);
    const DeclaredArray& declared = body_.array(number).declared();
    SavedArray saved{.name = declared.name, .type = declared.type, .shape = declared.shape};
    saved.as = saved_as(body_.declared, *newest_, point, number);
    if (saved.as == SavedAs::file) {
      const FileElements elements = in_file(declared);
      saved.file = fmt::format("{}-{}.{}", a, file_name_of(declared.name), elements.npy ? "npy" : "raw");
      saved.fortran_order = distribution_in(AnyArray{number, serial_}, values.of(number)).by_columns();
      hashes[a] = save_array(number, values.of(number), folder / saved.file);
      all.bytes += declared.shape.rows * declared.shape.columns * element_info(elements.type).bytes;
    } else if (saved.as == SavedAs::constant) {
      saved.hash = constant_hash(number);
    } else if (saved.as == SavedAs::bits) {
      saved.bits = hex_of(body_.array(number).data(), static_cast<std::size_t>(declared.element));
    }
    state.arrays.push_back(std::move(saved));
  }
  sum_up(hashes, members_);
  for (std::size_t a = 0; a < hashes.size(); ++a) {
    if (state.arrays[a].as == SavedAs::file) state.arrays[a].hash = hashes[a];
  }
  agree(members_, [&] {
    if (member_ == 0) write_text(folder / saved_text, to_text(state));
  });
  all.number = state.number;
  all.next = 1 - all.next;
  all.newest = describe(body_.declared, point);
  ++all.saves;
}

// Writes an array and returns this member's part of the hash. Collective over the members.
std::uint64_t Program::State::save_array(int number, const Copies& copies, const fs::path& file) const {
  const AnyArray array{number, serial_};
  const ArrayMemory& memory = body_.array(number);
  const FileElements elements = in_file(memory.declared());
  const Distribution held = distribution_in(array, copies);
  Storage<std::byte> packed;
  Storage<std::byte> wide;
  const std::byte* from = memory.data();
  agree(members_, [&] {
    packed = packed_items(array, copies);
    if (packed.size() > 0) from = packed.data();
    if (!elements.widened) return;
    wide = widened(from, held.elements(member_), memory.declared().element);
    from = wide.data();
  });
  std::uint64_t hash = 0;
  with_type(elements.type, [&]<Element T>(std::type_identity<T> /*type*/) {
    hash = hash_of(held, member_, reinterpret_cast<const T*>(from));
    to_disk<T>(members_, file, held, from, elements.npy);
  });
  return hash;
}

std::string Program::State::how_ended() const {
  const Checkpoints& all = *checkpoints_;
  return fmt::format("program {} was ended by signal {}; {}", name(), progress_.signal,
                     all.newest.empty() ? "there is no checkpoint, so start it again"
                                        : fmt::format("--resume goes on from its checkpoint {} in {}", all.newest,
                                                      printable(all.folder)));
}

std::string Program::State::how_saved() const {
  const Checkpoints& all = *checkpoints_;
  return fmt::format("saved {} in {}, {:.3f} GB each, {:.3f} s in all{}", counted(all.saves, "time"),
                     printable(all.folder), static_cast<double>(all.bytes) * 1e-9, all.seconds,
                     all.resumed ? "; went on " + all.resumed_from : "");
}

// Removes the checkpoints of a program that has come to its end. Local.
void Program::State::forget_checkpoints() {
  if (checkpoints_ == nullptr || !ran_ || session_.rank() != 0 || std::uncaught_exceptions() > exceptions_) return;
  for (int g = 0; g < Checkpoints::generations; ++g) remove_generation(checkpoints_->generation(g));
  std::error_code ignored;
  fs::remove(checkpoints_->folder, ignored);  // unless something else lies in it
}

}  // namespace tombolo
