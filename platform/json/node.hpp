#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace tombolo {

/// A parsed document, with the name and the remedy of its error messages: "NAME: CAUSE; REMEDY".
struct JsonDocument {
  std::shared_ptr<const nlohmann::json> root;
  std::string name;    ///< of the file
  std::string remedy;  ///< of messages that state no other
};

/// Maximum nesting of lists and objects: far beyond hand-written files, and low enough for recursive traversal.
constexpr int json_depth = 256;

/// Maximum number of values kept of one text: more than platform files have, in about a gigabyte of memory.
constexpr std::size_t most_json_values = std::size_t{1} << 24;

/// Parses JSON. A number without fraction and exponent that fits is an integer, any other a double. Throws Error for
/// invalid or truncated JSON, a repeated member, too deep nesting and too many values. With `wanted`, the outermost
/// object keeps only the values of these members; the other members must be valid JSON and become null, which takes no
/// memory.
JsonDocument parse_json(std::string_view text, std::string name, std::string remedy,
                        std::optional<std::span<const std::string_view>> wanted = std::nullopt);

/// A value of a JSON document; errors name the document and the path of the value: "a.json: processors[3].rank is -1,
/// ...". The document must outlive the node.
class JsonNode {
 public:
  explicit JsonNode(const JsonDocument& document) : JsonNode(document, *document.root) {}

  /// Throws Error if this is not an object or has no such member.
  JsonNode member(std::string_view name) const;
  /// Throws Error if this is not an object.
  std::optional<JsonNode> find(std::string_view name) const;
  /// Throws Error if this is not an object or has a member with a name that is not in `known`.
  void check_members(std::span<const std::string_view> known) const;
  /// Throws Error if this is not a list.
  std::vector<JsonNode> list() const;

  /// The value as the given type. Each throws Error if the value has another type. An integer may be written as 1e9, up
  /// to 2^53.
  std::int64_t integer() const;
  std::int64_t natural() const;  ///< throws Error if less than 0, too
  int small_integer() const;     ///< throws Error if outside the range of int, too
  double number() const;
  bool flag() const;
  std::string text() const;

  /// The value of an optional member, `otherwise` if the member is missing.
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  int small_integer(std::string_view name, int otherwise) const;
  std::string text(std::string_view name, std::string otherwise) const;

  /// Throws Error "FILE: WHERE CAUSE; REMEDY", with the document's remedy if none is given.
  [[noreturn]] void refuse(const std::string& cause, std::string_view remedy = {}) const;

 private:
  JsonNode(const JsonDocument& document, const nlohmann::json& value) : document_(&document), value_(&value) {}
  [[noreturn]] void refuse_type(std::string_view expected) const;

  const JsonDocument* document_;
  const nlohmann::json* value_;
};

}  // namespace tombolo
