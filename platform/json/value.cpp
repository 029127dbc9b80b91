#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/platform/error.hpp>
#include <tombolo/platform/json/value.hpp>
#include <tombolo/platform/posix_file.hpp>

namespace tombolo {

namespace {

using Json = nlohmann::json;

bool by_name(const JsonMember& a, const JsonMember& b) {
  return a.name < b.name;
}

/// What nlohmann's parser tells piece by piece, made into values. Not its own tree: it lets the second of two members
/// of one name win, and can neither stop at a depth nor say how much of a number it has rounded.
class Builder {
 public:
  Builder(std::string_view text, JsonDocument& into) : text_(text), into_(into) {}

  bool null() { return put(std::monostate()); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(std::int64_t value) { return put(value); }
  bool number_unsigned(std::uint64_t value) {
    if (value > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return put(static_cast<double>(value));
    return put(static_cast<std::int64_t>(value));
  }
  bool number_float(double value, const std::string&) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }  // never in text

  bool start_object(std::size_t) { return open(JsonValue::Object()); }
  bool key(std::string& name) {
    members().push_back({std::move(name), {}});
    return true;
  }
  bool end_object() {
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
    open_.pop_back();
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception& error) {
    constexpr int overflow = 406;  // nlohmann's number for it
    if (text_.empty()) refuse("it is empty");
    if (position > text_.size()) {
      refuse(fmt::format("it is cut short: it ends at byte {}, in line {}, within its JSON", text_.size(),
                         line_of(text_.size())));
    }
    refuse_at(position, error.id == overflow ? "a number too large" : "no JSON");
  }

  /// nlohmann's parser takes a zero byte for the end and ignores what comes after it.
  void check_no_zero_byte() const {
    const std::size_t zero = text_.find('\0');
    if (zero != std::string_view::npos) refuse_at(zero + 1, "no JSON");
  }

 private:
  template <class Value>
  bool put(Value value) {
    place().value = std::move(value);
    return true;
  }

  template <class Container>
  bool open(Container empty) {
    if (open_.size() == json_depth) refuse(fmt::format("it is nested more than {} deep", json_depth));
    JsonValue& here = place();
    here.value = std::move(empty);
    open_.push_back(&here);  // stays where it is: nothing is added around it until it is closed
    return true;
  }

  JsonValue& place() {
    if (open_.empty()) return into_.root;
    if (auto* const list = std::get_if<JsonValue::List>(&open_.back()->value)) return list->emplace_back();
    return members().back().value;
  }

  JsonValue::Object& members() { return std::get<JsonValue::Object>(open_.back()->value); }

  std::ptrdiff_t line_of(std::size_t position) const {
    const std::string_view before = text_.substr(0, position - 1);
    return std::count(before.begin(), before.end(), '\n') + 1;
  }

  /// At the byte of this number, from 1 on; shows the line up to there, or its end.
  [[noreturn]] void refuse_at(std::size_t position, std::string_view what) const {
    constexpr std::size_t shown = 40;
    const std::string_view until = text_.substr(0, position);
    const std::size_t line_begin = until.substr(0, position - 1).rfind('\n') + 1;  // 0 where there is none
    const std::string_view line = until.substr(line_begin);
    refuse(fmt::format("{} at byte {}, in line {}, after {}", what, position, line_of(position),
                       tombolo::quoted(line.substr(line.size() - std::min(line.size(), shown)))));
  }

  [[noreturn]] void refuse(const std::string& cause) const { throw Error(into_.name + ": " + cause, into_.remedy); }

  std::string_view text_;
  JsonDocument& into_;
  std::vector<JsonValue*> open_;
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

JsonDocument parse_json(std::string_view text, std::string name, std::string remedy) {
  JsonDocument document{{}, std::move(name), std::move(remedy)};
  Builder builder(text, document);
  builder.check_no_zero_byte();
  Json::sax_parse(text.begin(), text.end(), &builder);
  return document;
}

}  // namespace tombolo
