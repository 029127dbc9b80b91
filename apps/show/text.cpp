#include "show/text.hpp"

#include <fmt/format.h>

#include <tombolo/platform/system/posix_file.hpp>

#include "show/figures.hpp"

namespace tombolo::showing {

namespace {

std::string origin_text(const Platform& platform) {
  const Origin& origin = platform.origin;
  std::string text = origin.source.empty() ? "of unknown origin" : printable(origin.source);
  if (!origin.mpi.empty()) text += fmt::format(", {}", printable(origin.mpi));
  if (origin.simulated) text += ", simulated";
  if (origin.messages > 0) {
    text +=
        fmt::format(", {} in {:.3g} s", counted(static_cast<std::size_t>(origin.messages), "message"), origin.seconds);
  }
  return text + "\n";
}

std::string not_measured_text(const Platform& platform) {
  std::string text;
  for (const std::string& what : platform.origin.not_measured) text += fmt::format("  {}\n", printable(what));
  return text.empty() ? text : fmt::format("\nnot known\n{}", text);
}

}  // namespace

std::string to_text(const Platform& platform) {
  const std::size_t clusters_found = clusters(platform.levels).size();
  std::string text = origin_text(platform);
  text += fmt::format("{} on {} in {}\n\n", counted(platform.processors.size(), "rank"),
                      counted(platform.hosts.size(), "host"), counted(clusters_found, "cluster"));
  text += levels_text(platform);
  const std::string links = links_text(platform);
  if (!links.empty()) text += fmt::format("\n{}", links);
  text += fmt::format("\n{}", processors_text(platform));
  const std::string kernels = kernels_text(platform);
  if (!kernels.empty()) text += fmt::format("\n{}", kernels);
  return text + not_measured_text(platform);
}

}  // namespace tombolo::showing
