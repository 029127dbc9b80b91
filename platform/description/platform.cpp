#include <algorithm>

#include <fmt/format.h>

#include <tombolo/platform.hpp>
#include <tombolo/platform/readable.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

namespace {

void collect(const Level& level, std::vector<const Level*>& found) {
  if (level.kind == Level::Kind::cluster) {
    found.push_back(&level);
    return;
  }
  for (const Level& child : level.children) collect(child, found);
}

}  // namespace

std::string described(const Level& level) {
  return fmt::format("{} {}", name_of(level.kind), tombolo::quoted(level.name));
}

std::vector<std::string> hosts_by_rank(const Platform& platform) {
  std::vector<std::string> hosts;
  for (const Processor& processor : platform.processors) hosts.push_back(processor.host);
  return hosts;
}

std::vector<const Level*> clusters(const Level& levels) {
  std::vector<const Level*> found;
  collect(levels, found);
  return found;
}

std::string described(const SharedLine& line, const std::vector<const Level*>& clusters) {
  const auto name = [&](int cluster) { return printable(clusters[static_cast<std::size_t>(cluster)]->name); };
  const auto& [from, to] = line.pairs.front();
  std::string text = fmt::format("the line of {} - {}", name(from), name(to));
  if (line.pairs.size() > 1) text += fmt::format(" and {}", counted(line.pairs.size() - 1, "more pair"));
  return text;
}

std::size_t link_index(int a, int b, int clusters) {
  const auto [low, high] =
      std::minmax({static_cast<std::size_t>(a), static_cast<std::size_t>(b)});  // copied, not referenced
  const auto n = static_cast<std::size_t>(clusters);
  return low * (2 * n - low - 1) / 2 + (high - low - 1);
}

}  // namespace tombolo
