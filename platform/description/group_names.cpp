#include <algorithm>
#include <cstddef>
#include <string_view>

#include <tombolo/platform/description/group_names.hpp>

namespace tombolo {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 128;
}

void remove_trailing(std::string& text, bool (*what)(char)) {
  while (!text.empty() && what(text.back())) text.pop_back();
}

bool begins_with(std::string_view name, std::string_view part) {
  if (!name.starts_with(part)) return false;
  return name.size() == part.size() || !is_digit(part.back()) || !is_digit(name[part.size()]);
}

}  // namespace

std::string common_name(std::span<const std::string> hosts, const std::vector<int>& members) {
  if (members.empty()) return {};
  std::string common = hosts[static_cast<std::size_t>(members.front())];
  for (const int member : members) {
    const std::string& name = hosts[static_cast<std::size_t>(member)];
    const auto differ = std::ranges::mismatch(common, name).in1;
    common.erase(differ, common.end());
  }
  remove_trailing(common, is_digit);
  remove_trailing(common, [](char c) { return !is_digit(c) && !is_letter(c); });
  if (common.empty()) return {};

  std::vector<bool> inside(hosts.size());
  for (const int member : members) inside[static_cast<std::size_t>(member)] = true;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (!inside[i] && begins_with(hosts[i], common)) return {};
  }
  return common;
}

}  // namespace tombolo
