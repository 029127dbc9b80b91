#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include <tombolo/platform/description/link_ways.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo {

bool differ_by_way(const std::array<std::int64_t, 2>& figures) {
  const auto [less, more] = std::minmax(figures[0], figures[1]);
  return less > 0 && more - less >= less / 2 + less % 2;
}

void note_uneven_ways(Platform& platform, const std::vector<LinkWays>& ways) {
  const std::vector<const Level*> all = clusters(platform.levels);
  std::vector<std::string> notes;
  for (std::size_t l = 0; l < ways.size(); ++l) {
    const auto& [rates, latencies] = ways[l];
    const bool by_rate = differ_by_way(rates);
    if (!by_rate && !differ_by_way(latencies)) continue;
    const Link& link = platform.links[l];
    const std::string& from = all[static_cast<std::size_t>(link.a)]->name;
    const std::string& to = all[static_cast<std::size_t>(link.b)]->name;
    const auto megabytes = [](BytesPerSecond rate) { return static_cast<double>(rate) * 1e-6; };
    notes.push_back(
        by_rate
            ? fmt::format("the faster direction between {} and {} ({:.4g} MB/s there, {:.4g} back; the lower is taken)",
                          from, to, megabytes(rates[0]), megabytes(rates[1]))
            : fmt::format("latencies between {} and {} by direction ({} there, {} back; their mean is taken)", from, to,
                          readable(latencies[0]), readable(latencies[1])));
  }
  shorten(notes, "which direction is the faster one of {} more links");
  platform.origin.not_measured.insert(platform.origin.not_measured.end(), notes.begin(), notes.end());
}

void shorten(std::vector<std::string>& notes, const std::string& more) {
  constexpr std::size_t most = 8;
  if (notes.size() <= most) return;
  const std::size_t left_out = notes.size() - most;
  notes.resize(most);
  notes.push_back(fmt::format(fmt::runtime(more), left_out));
}

}  // namespace tombolo
