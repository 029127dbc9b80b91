#include <vector>

#include <nlohmann/json.hpp>

#include <tombolo/platform/json/text.hpp>

namespace tombolo {

namespace {

/// Returns the position after the end of a string; `begin` is its opening quotation mark.
std::size_t end_of_string(std::string_view json, std::size_t begin) {
  std::size_t at = begin + 1;
  while (json[at] != '"') at += json[at] == '\\' ? 2 : 1;
  return at + 1;
}

/// Calls visit(part) for every string and every other character, except white space between them.
template <class Visit>
void for_each_part(std::string_view json, Visit visit) {
  std::size_t at = json.starts_with("\xef\xbb\xbf") ? 3 : 0;  // an optional byte order mark
  while (at < json.size()) {
    const std::size_t end = json[at] == '"' ? end_of_string(json, at) : at + 1;
    const std::string_view part = json.substr(at, end - at);
    if (part.find_first_of(" \t\r\n") != 0) visit(part);
    at = end;
  }
}

bool opens(char c) {
  return c == '{' || c == '[';
}

bool closes(char c) {
  return c == '}' || c == ']';
}

/// For each list and object, in the order of their beginnings: true if it contains an object at any depth.
std::vector<bool> those_that_hold_objects(std::string_view json) {
  std::vector<bool> holds;
  std::vector<std::size_t> open;
  for_each_part(json, [&](std::string_view part) {
    const char c = part.front();
    if (opens(c)) {
      open.push_back(holds.size());
      holds.push_back(false);
    } else if (closes(c)) {
      const bool inner = c == '}' || holds[open.back()];
      open.pop_back();
      if (!open.empty() && inner) holds[open.back()] = true;
    }
  });
  return holds;
}

}  // namespace

bool is_utf8(std::string_view text) {
  try {
    (void)nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {  // the only exception of dump
    return false;
  }
}

std::string laid_out_json(std::string_view json) {
  const std::vector<bool> holds_objects = those_that_hold_objects(json);
  std::size_t begun = 0;
  std::vector<bool> on_lines;  // of each open list or object: true if its items stand on separate lines
  std::string text;
  const auto new_line = [&] { text.append("\n").append(on_lines.size(), ' '); };
  for_each_part(json, [&](std::string_view part) {
    const char c = part.front();
    if (opens(c)) {
      text += c;
      on_lines.push_back(holds_objects[begun++]);
      if (on_lines.back()) new_line();
    } else if (closes(c)) {
      const bool was_on_lines = on_lines.back();
      on_lines.pop_back();
      if (was_on_lines) new_line();
      text += c;
    } else if (c == ',') {
      text += c;
      if (on_lines.back()) {
        new_line();
      } else {
        text += ' ';
      }
    } else {
      text += part;
      if (c == ':') text += ' ';
    }
  });
  return text + "\n";
}

std::map<std::string, std::string> members_of_json(std::string_view json) {
  std::map<std::string, std::string> members;
  std::string name;
  std::string value;
  int depth = 0;
  bool after_colon = false;
  for_each_part(json, [&](std::string_view part) {
    const char c = part.front();
    if (closes(c)) --depth;
    if (after_colon && (depth == 0 || (depth == 1 && c == ','))) {
      members.emplace(nlohmann::json::parse(name).get<std::string>(), value);
      after_colon = false;
      value.clear();
    } else if (after_colon) {
      value += part;
    } else if (depth == 1 && c == ':') {
      after_colon = true;
    } else if (depth == 1) {
      name = part;
    }
    if (opens(c)) ++depth;
  });
  return members;
}

}  // namespace tombolo
