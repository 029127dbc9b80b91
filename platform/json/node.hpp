#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/platform/json/value.hpp>

namespace tombolo {

/// A value of a JSON document; errors name the document and the path of the value: "a.json: processors[3].rank is -1,
/// ...". The document must outlive the node.
class JsonNode {
 public:
  explicit JsonNode(const JsonDocument& document) : JsonNode(document, document.root) {}

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
  JsonNode(const JsonDocument& document, const JsonValue& value) : document_(&document), value_(&value) {}
  [[noreturn]] void refuse_type(std::string_view expected) const;
  std::string where() const;

  const JsonDocument* document_;
  const JsonValue* value_;
};

}  // namespace tombolo
