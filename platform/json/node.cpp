#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/platform/json/node.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

/// Builds a tree from the events of nlohmann's SAX parser. Its own parse() keeps the last of two members of a name, has
/// no limit of depth or size, and with a callback takes quadratic time for a list of objects.
class Builder {
 public:
  Builder(std::string_view text, const JsonDocument& into, std::optional<std::span<const std::string_view>> wanted)
      : text_(text), into_(into), wanted_(wanted) {}

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(std::int64_t value) { return put(value); }
  bool number_unsigned(std::uint64_t value) {
    const bool fits = value <= std::uint64_t{std::numeric_limits<std::int64_t>::max()};
    return fits ? put(static_cast<std::int64_t>(value)) : put(static_cast<double>(value));
  }
  bool number_float(double value, const std::string&) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(nlohmann::json::binary_t&) { return false; }  // does not occur in text

  bool start_object(std::size_t) { return open(nlohmann::json::object()); }
  bool start_array(std::size_t) { return open(nlohmann::json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    if (passed_depth_ > 0) return true;
    passing_ = wanted_ && open_.size() == 1 && std::find(wanted_->begin(), wanted_->end(), name) == wanted_->end();
    count();
    const auto [at, is_new] = open_.back()->emplace(name, nullptr);
    if (!is_new) refuse(fmt::format("an object has the member {} more than once", tombolo::quoted(name)));
    member_ = &*at;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) {
    constexpr int overflow = 406;  // nlohmann's error number
    if (text_.empty()) refuse("it is empty");
    if (position > text_.size()) {
      refuse(fmt::format("it is cut short: it ends at byte {}, in line {}, within its JSON", text_.size(),
                         line_of(text_.size())));
    }
    refuse_at(position, error.id == overflow ? "a number too large" : "no JSON");
  }

  nlohmann::json parsed() && {
    // Nlohmann's parser ends at a zero byte and ignores the rest.
    const std::size_t zero = text_.find('\0');
    if (zero != std::string_view::npos) refuse_at(zero + 1, "no JSON");
    nlohmann::json::sax_parse(text_.begin(), text_.end(), this);
    return std::move(root_);
  }

 private:
  bool put(nlohmann::json value) {
    if (!std::exchange(passing_, passed_depth_ > 0)) place() = std::move(value);
    return true;
  }

  bool open(nlohmann::json empty) {
    if (open_.size() + passed_depth_ == json_depth) {
      refuse(fmt::format("it is nested more than {} deep", json_depth));
    }
    if (passing_) {
      ++passed_depth_;
      return true;
    }
    open_.push_back(&place());  // the address is stable: its list does not grow before it is closed
    *open_.back() = std::move(empty);
    return true;
  }

  bool close() {
    if (passing_) {
      passing_ = --passed_depth_ > 0;
    } else {
      open_.pop_back();
    }
    return true;
  }

  nlohmann::json& place() {
    if (open_.empty()) return root_;
    if (open_.back()->is_object()) return *member_;
    count();
    return open_.back()->emplace_back();
  }

  void count() {
    if (++values_ > most_json_values) refuse(fmt::format("it has more than {} values", most_json_values));
  }

  std::ptrdiff_t line_of(std::size_t position) const {
    const std::string_view before = text_.substr(0, position - 1);
    return std::count(before.begin(), before.end(), '\n') + 1;
  }

  /// Throws Error for the byte at this position, counted from 1, and shows the line up to there, or its end.
  [[noreturn]] void refuse_at(std::size_t position, std::string_view what) const {
    constexpr std::size_t shown = 40;
    const std::string_view until = text_.substr(0, position);
    const std::string_view line = until.substr(until.substr(0, position - 1).rfind('\n') + 1);
    refuse(fmt::format("{} at byte {}, in line {}, after {}", what, position, line_of(position),
                       tombolo::quoted(line.substr(line.size() - std::min(line.size(), shown)))));
  }

  [[noreturn]] void refuse(const std::string& cause) const { throw Error(into_.name + ": " + cause, into_.remedy); }

  std::string_view text_;
  const JsonDocument& into_;                                 // for messages
  std::optional<std::span<const std::string_view>> wanted_;  // of the outermost object
  nlohmann::json root_;
  std::vector<nlohmann::json*> open_;
  nlohmann::json* member_ = nullptr;  // of the innermost object
  std::size_t values_ = 0;
  bool passing_ = false;  // true inside an unwanted member
  std::size_t passed_depth_ = 0;
};

/// Appends the path from `from` to `wanted`; returns false if `wanted` is not inside. Searched only for error messages,
/// so that values need not store their paths.
bool find_way(const nlohmann::json& from, const nlohmann::json* wanted, std::string& way) {
  if (&from == wanted) return true;
  if (!from.is_structured()) return false;
  const std::size_t length = way.size();
  for (const auto& part : from.items()) {
    if (from.is_array()) {
      way += fmt::format("[{}]", part.key());
    } else {
      const std::string name = tombolo::quoted(part.key());
      way.append(way.empty() ? "" : ".").append(name, 1, name.size() - 2);
    }
    if (find_way(part.value(), wanted, way)) return true;
    way.resize(length);
  }
  return false;
}

std::string shown(const nlohmann::json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  if (value.is_string()) return tombolo::quoted(value.get_ref<const std::string&>());
  return value.is_number_float() ? fmt::to_string(value.get<double>()) : value.dump();
}

}  // namespace

JsonDocument parse_json(std::string_view text, std::string name, std::string remedy,
                        std::optional<std::span<const std::string_view>> wanted) {
  JsonDocument document{nullptr, std::move(name), std::move(remedy)};
  document.root = std::make_shared<const nlohmann::json>(Builder(text, document, wanted).parsed());
  return document;
}

void JsonNode::refuse(const std::string& cause, std::string_view remedy) const {
  std::string way;
  find_way(*document_->root, value_, way);
  throw Error(fmt::format("{}: {} {}", document_->name, way.empty() ? "what it holds" : way, cause),
              remedy.empty() ? document_->remedy : std::string(remedy));
}

void JsonNode::refuse_type(std::string_view expected) const {
  refuse(fmt::format("is {}, not {}", shown(*value_), expected));
}

std::optional<JsonNode> JsonNode::find(std::string_view name) const {
  if (!value_->is_object()) refuse_type("an object");
  const auto found = value_->find(name);
  if (found == value_->end()) return std::nullopt;
  return JsonNode(*document_, *found);
}

JsonNode JsonNode::member(std::string_view name) const {
  const std::optional<JsonNode> found = find(name);
  if (!found) refuse(fmt::format("has no member \"{}\"", name));
  return *found;
}

void JsonNode::check_members(std::span<const std::string_view> known) const {
  if (!value_->is_object()) refuse_type("an object");
  for (const auto& member : value_->items()) {
    if (std::find(known.begin(), known.end(), member.key()) == known.end()) {
      refuse(fmt::format("has a member {}, which means nothing there", tombolo::quoted(member.key())));
    }
  }
}

std::vector<JsonNode> JsonNode::list() const {
  if (!value_->is_array()) refuse_type("a list");
  std::vector<JsonNode> nodes;
  nodes.reserve(value_->size());
  for (const nlohmann::json& value : *value_) nodes.push_back(JsonNode(*document_, value));
  return nodes;
}

std::int64_t JsonNode::integer() const {
  if (value_->is_number_integer()) return value_->get<std::int64_t>();
  if (!value_->is_number()) refuse_type("a whole number");
  const auto number = value_->get<double>();
  constexpr double largest_exact = 9007199254740992.0;  // 2^53: a larger double may stand for another integer
  if (std::abs(number) > largest_exact) refuse(fmt::format("is {}, which is too large a number", number));
  if (std::trunc(number) != number) refuse_type("a whole number");
  return static_cast<std::int64_t>(number);
}

std::int64_t JsonNode::natural() const {
  const std::int64_t value = integer();
  if (value < 0) refuse(fmt::format("is {}, less than 0", value));
  return value;
}

int JsonNode::small_integer() const {
  const std::int64_t value = integer();
  if (!std::in_range<int>(value)) refuse(fmt::format("is {}, which is too large a number", value));
  return static_cast<int>(value);
}

double JsonNode::number() const {
  if (!value_->is_number()) refuse_type("a number");
  return value_->get<double>();
}

bool JsonNode::flag() const {
  if (!value_->is_boolean()) refuse_type("true or false");
  return value_->get<bool>();
}

std::string JsonNode::text() const {
  if (!value_->is_string()) refuse_type("text");
  return value_->get<std::string>();
}

std::int64_t JsonNode::integer(std::string_view name, std::int64_t otherwise) const {
  const std::optional<JsonNode> found = find(name);
  return found ? found->integer() : otherwise;
}

int JsonNode::small_integer(std::string_view name, int otherwise) const {
  const std::optional<JsonNode> found = find(name);
  return found ? found->small_integer() : otherwise;
}

std::string JsonNode::text(std::string_view name, std::string otherwise) const {
  const std::optional<JsonNode> found = find(name);
  return found ? found->text() : otherwise;
}

}  // namespace tombolo
