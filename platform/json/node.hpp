#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/platform/json/value.hpp>

namespace tombolo {

/// A value of a document, for reading it with messages that say where: "a.json: processors[3].rank is -1, ...".
/// The document must outlive it.
class JsonNode {
 public:
  explicit JsonNode(const JsonDocument& document) : JsonNode(document, document.root) {}

  /// Errors: this is no object, it has no such member.
  JsonNode member(std::string_view name) const;
  /// Error: this is no object.
  std::optional<JsonNode> find(std::string_view name) const;
  /// Errors: this is no object, it has a member of another name than these.
  void check_members(std::span<const std::string_view> known) const;
  /// Error: this is no list.
  std::vector<JsonNode> list() const;

  /// Errors of these: it is something else. A whole number may be written as 1e9, up to 2^53.
  std::int64_t integer() const;
  std::int64_t natural() const;  ///< also: it is less than 0
  int small_integer() const;     ///< also: it does not fit an int
  double number() const;
  bool flag() const;
  std::string text() const;

  /// Those of a member that may be missing.
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  int small_integer(std::string_view name, int otherwise) const;
  std::string text(std::string_view name, std::string otherwise) const;

  /// Throws Error "FILE: WHERE CAUSE; REMEDY", the document's remedy where none is given.
  [[noreturn]] void refuse(const std::string& cause, std::string_view remedy = {}) const;

 private:
  JsonNode(const JsonDocument& document, const JsonValue& value) : document_(&document), value_(&value) {}
  [[noreturn]] void refuse_type(std::string_view expected) const;
  std::string where() const;

  const JsonDocument* document_;
  const JsonValue* value_;
};

}  // namespace tombolo
