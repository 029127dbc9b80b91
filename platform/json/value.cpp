#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/platform/error.hpp>
#include <tombolo/platform/json/value.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

namespace {

using Json = nlohmann::json;

bool by_name(const JsonMember& a, const JsonMember& b) {
  return a.name < b.name;
}

/// Builds values from the events of nlohmann's SAX parser. Its own tree is not used: with a repeated member the last
/// one wins there, the depth is unlimited, and rounding of numbers is not reported.
class Builder {
 public:
  Builder(std::string_view text, JsonDocument& into, std::optional<std::span<const std::string_view>> wanted)
      : text_(text), into_(into), wanted_(wanted) {}

  bool null() { return put(std::monostate()); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(std::int64_t value) { return put(value); }
  bool number_unsigned(std::uint64_t value) {
    if (value > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return put(static_cast<double>(value));
    return put(static_cast<std::int64_t>(value));
  }
  bool number_float(double value, const std::string&) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }  // does not occur in text

  bool start_object(std::size_t) { return open(JsonValue::Object()); }
  bool key(std::string& name) {
    if (passing_) return true;
    passing_ = wanted_ && open_.size() == 1 && std::find(wanted_->begin(), wanted_->end(), name) == wanted_->end();
    count();
    members().push_back({std::move(name), {}});
    return true;
  }
  bool end_object() {
    if (passing_) return end_array();
    std::sort(members().begin(), members().end(), by_name);
    const auto twice = std::adjacent_find(members().begin(), members().end(),
                                          [](const auto& a, const auto& b) { return a.name == b.name; });
    if (twice != members().end()) {
      refuse(fmt::format("an object has the member {} more than once", tombolo::quoted(twice->name)));
    }
    return end_array();
  }
  bool start_array(std::size_t) { return open(JsonValue::List()); }
  bool end_array() {
    if (passing_) {
      passing_ = --passed_depth_ > 0;
    } else {
      open_.pop_back();
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception& error) {
    constexpr int overflow = 406;  // nlohmann's error number
    if (text_.empty()) refuse("it is empty");
    if (position > text_.size()) {
      refuse(fmt::format("it is cut short: it ends at byte {}, in line {}, within its JSON", text_.size(),
                         line_of(text_.size())));
    }
    refuse_at(position, error.id == overflow ? "a number too large" : "no JSON");
  }

  /// Nlohmann's parser ends at a zero byte and ignores the rest.
  void check_no_zero_byte() const {
    const std::size_t zero = text_.find('\0');
    if (zero != std::string_view::npos) refuse_at(zero + 1, "no JSON");
  }

 private:
  template <class Value>
  bool put(Value value) {
    if (passing_) {
      passing_ = passed_depth_ > 0;
      return true;
    }
    place().value = std::move(value);
    return true;
  }

  template <class Container>
  bool open(Container empty) {
    if (open_.size() + passed_depth_ == json_depth) {
      refuse(fmt::format("it is nested more than {} deep", json_depth));
    }
    if (passing_) {
      ++passed_depth_;
      return true;
    }
    JsonValue& here = place();
    here.value = std::move(empty);
    open_.push_back(&here);  // the address is stable: its list does not grow before it is closed
    return true;
  }

  JsonValue& place() {
    if (open_.empty()) return into_.root;
    auto* const list = std::get_if<JsonValue::List>(&open_.back()->value);
    if (list == nullptr) return members().back().value;
    count();
    return list->emplace_back();
  }

  void count() {
    if (++values_ > most_json_values) refuse(fmt::format("it has more than {} values", most_json_values));
  }

  JsonValue::Object& members() { return std::get<JsonValue::Object>(open_.back()->value); }

  std::ptrdiff_t line_of(std::size_t position) const {
    const std::string_view before = text_.substr(0, position - 1);
    return std::count(before.begin(), before.end(), '\n') + 1;
  }

  /// Throws Error for the byte at this position, counted from 1, and shows the line up to there, or its end.
  [[noreturn]] void refuse_at(std::size_t position, std::string_view what) const {
    constexpr std::size_t shown = 40;
    const std::string_view until = text_.substr(0, position);
    const std::size_t line_begin = until.substr(0, position - 1).rfind('\n') + 1;  // 0 for the first line
    const std::string_view line = until.substr(line_begin);
    refuse(fmt::format("{} at byte {}, in line {}, after {}", what, position, line_of(position),
                       tombolo::quoted(line.substr(line.size() - std::min(line.size(), shown)))));
  }

  [[noreturn]] void refuse(const std::string& cause) const { throw Error(into_.name + ": " + cause, into_.remedy); }

  std::string_view text_;
  JsonDocument& into_;
  std::optional<std::span<const std::string_view>> wanted_;  // of the outermost object
  std::vector<JsonValue*> open_;
  std::size_t values_ = 0;
  bool passing_ = false;  // true inside an unwanted member
  std::size_t passed_depth_ = 0;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view name) const {
  const auto* const object = std::get_if<Object>(&value);
  if (object == nullptr) return nullptr;
  const auto found =
      std::lower_bound(object->begin(), object->end(), name,
                       [](const JsonMember& member, std::string_view other) { return member.name < other; });
  return found != object->end() && found->name == name ? &found->value : nullptr;
}

JsonDocument parse_json(std::string_view text, std::string name, std::string remedy,
                        std::optional<std::span<const std::string_view>> wanted) {
  JsonDocument document{{}, std::move(name), std::move(remedy)};
  Builder builder(text, document, wanted);
  builder.check_no_zero_byte();
  Json::sax_parse(text.begin(), text.end(), &builder);
  return document;
}

}  // namespace tombolo
