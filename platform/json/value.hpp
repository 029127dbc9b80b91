#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tombolo {

struct JsonMember;

/// A parsed JSON value. A number without fraction and exponent that fits is an integer, any other a double.
struct JsonValue {
  using List = std::vector<JsonValue>;
  using Object = std::vector<JsonMember>;  // names ascending, without duplicates

  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Object> value;

  /// Returns the member of this name; null if there is none or this is not an object.
  const JsonValue* find(std::string_view name) const;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

/// A parsed document, with the name and the remedy of its error messages: "NAME: CAUSE; REMEDY".
struct JsonDocument {
  JsonValue root;
  std::string name;    ///< of the file
  std::string remedy;  ///< of messages that state no other
};

/// Maximum nesting of lists and objects: far beyond hand-written files, and low enough for recursive traversal.
constexpr int json_depth = 256;

/// Maximum number of values kept of one text: more than platform files have, in a gigabyte of memory.
constexpr std::size_t most_json_values = std::size_t{1} << 24;

/// Parses JSON. Throws Error for invalid or truncated JSON, a repeated member, too deep nesting and too many values.
/// With `wanted`, the outermost object keeps only the values of these members; the other members must be valid JSON and
/// become null, which takes no memory.
JsonDocument parse_json(std::string_view text, std::string name, std::string remedy,
                        std::optional<std::span<const std::string_view>> wanted = std::nullopt);

}  // namespace tombolo
