#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <tombolo/platform/error.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

namespace {

/// Appends the path from `from` to `wanted`; returns false if `wanted` is not inside. Searched only for error messages,
/// so that values need not store their paths.
bool find_way(const JsonValue& from, const JsonValue* wanted, std::string& way) {
  if (&from == wanted) return true;
  const std::size_t length = way.size();
  if (const auto* const list = std::get_if<JsonValue::List>(&from.value)) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      way += fmt::format("[{}]", i);
      if (find_way((*list)[i], wanted, way)) return true;
      way.resize(length);
    }
  }
  if (const auto* const object = std::get_if<JsonValue::Object>(&from.value)) {
    for (const JsonMember& member : *object) {
      const std::string name = tombolo::quoted(member.name);
      if (!way.empty()) way += '.';
      way.append(name, 1, name.size() - 2);
      if (find_way(member.value, wanted, way)) return true;
      way.resize(length);
    }
  }
  return false;
}

std::string shown(const JsonValue& value) {
  switch (value.value.index()) {
    case 0:
      return "null";
    case 1:
      return std::get<bool>(value.value) ? "true" : "false";
    case 2:
      return fmt::to_string(std::get<std::int64_t>(value.value));
    case 3:
      return fmt::to_string(std::get<double>(value.value));
    case 4:
      return tombolo::quoted(std::get<std::string>(value.value));
    case 5:
      return "a list";
    default:
      return "an object";
  }
}

}  // namespace

std::string JsonNode::where() const {
  std::string way;
  find_way(document_->root, value_, way);
  return way.empty() ? "what it holds" : way;
}

void JsonNode::refuse(const std::string& cause, std::string_view remedy) const {
  throw Error(fmt::format("{}: {} {}", document_->name, where(), cause),
              remedy.empty() ? document_->remedy : std::string(remedy));
}

void JsonNode::refuse_type(std::string_view expected) const {
  refuse(fmt::format("is {}, not {}", shown(*value_), expected));
}

std::optional<JsonNode> JsonNode::find(std::string_view name) const {
  if (!std::holds_alternative<JsonValue::Object>(value_->value)) refuse_type("an object");
  const JsonValue* const found = value_->find(name);
  if (found == nullptr) return std::nullopt;
  return JsonNode(*document_, *found);
}

JsonNode JsonNode::member(std::string_view name) const {
  const std::optional<JsonNode> found = find(name);
  if (!found) refuse(fmt::format("has no member \"{}\"", name));
  return *found;
}

void JsonNode::check_members(std::span<const std::string_view> known) const {
  const auto* const object = std::get_if<JsonValue::Object>(&value_->value);
  if (object == nullptr) refuse_type("an object");
  for (const JsonMember& member : *object) {
    if (std::find(known.begin(), known.end(), member.name) == known.end()) {
      refuse(fmt::format("has a member {}, which means nothing there", tombolo::quoted(member.name)));
    }
  }
}

std::vector<JsonNode> JsonNode::list() const {
  const auto* const list = std::get_if<JsonValue::List>(&value_->value);
  if (list == nullptr) refuse_type("a list");
  std::vector<JsonNode> nodes;
  nodes.reserve(list->size());
  for (const JsonValue& value : *list) nodes.push_back(JsonNode(*document_, value));
  return nodes;
}

std::int64_t JsonNode::integer() const {
  if (const auto* const integer = std::get_if<std::int64_t>(&value_->value)) return *integer;
  const auto* const number = std::get_if<double>(&value_->value);
  if (number == nullptr) refuse_type("a whole number");
  constexpr double largest_exact = 9007199254740992.0;  // 2^53: a larger double may stand for another integer
  if (std::abs(*number) > largest_exact) refuse(fmt::format("is {}, which is too large a number", *number));
  if (std::trunc(*number) != *number) refuse_type("a whole number");
  return static_cast<std::int64_t>(*number);
}

std::int64_t JsonNode::natural() const {
  const std::int64_t value = integer();
  if (value < 0) refuse(fmt::format("is {}, less than 0", value));
  return value;
}

int JsonNode::small_integer() const {
  const std::int64_t value = integer();
  if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
    refuse(fmt::format("is {}, which is too large a number", value));
  }
  return static_cast<int>(value);
}

double JsonNode::number() const {
  if (const auto* const number = std::get_if<double>(&value_->value)) return *number;
  if (const auto* const integer = std::get_if<std::int64_t>(&value_->value)) return static_cast<double>(*integer);
  refuse_type("a number");
}

bool JsonNode::flag() const {
  if (const auto* const flag = std::get_if<bool>(&value_->value)) return *flag;
  refuse_type("true or false");
}

std::string JsonNode::text() const {
  if (const auto* const text = std::get_if<std::string>(&value_->value)) return *text;
  refuse_type("text");
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
