#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tombolo {

struct JsonMember;

/// A JSON value as it was read. A number without fraction and exponent that fits is an integer, any other a double.
struct JsonValue {
  using List = std::vector<JsonValue>;
  using Object = std::vector<JsonMember>;  // names ascending, each once

  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Object> value;

  /// The member of this name; null where there is none or this is no object.
  const JsonValue* find(std::string_view name) const;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

/// What was read, and how messages about it begin and end: "NAME: CAUSE; REMEDY".
struct JsonDocument {
  JsonValue root;
  std::string name;    ///< of the file
  std::string remedy;  ///< what to do where a message knows nothing better
};

/// Lists and objects inside each other, at most; nobody writes that by hand, and whoever walks them may recurse.
constexpr int json_depth = 256;

/// Reads JSON. Errors: no JSON, cut short, a member twice, nested too deeply. Takes memory in proportion to the text.
JsonDocument parse_json(std::string_view text, std::string name, std::string remedy);

}  // namespace tombolo
