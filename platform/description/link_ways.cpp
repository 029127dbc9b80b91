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
  constexpr std::size_t most = 8;
  const std::vector<const Level*> all = clusters(platform.levels);
  std::size_t noted = 0;
  for (std::size_t l = 0; l < ways.size(); ++l) {
    const auto& [rates, latencies] = ways[l];
    const bool by_rate = differ_by_way(rates);
    if (!by_rate && !differ_by_way(latencies)) continue;
    if (++noted > most) continue;
    const Link& link = platform.links[l];
    const std::string& from = all[static_cast<std::size_t>(link.a)]->name;
    const std::string& to = all[static_cast<std::size_t>(link.b)]->name;
    const auto megabytes = [](BytesPerSecond rate) { return static_cast<double>(rate) * 1e-6; };
    platform.origin.not_measured.push_back(
        by_rate
            ? fmt::format("the faster direction between {} and {} ({:.4g} MB/s there, {:.4g} back; the lower is taken)",
                          from, to, megabytes(rates[0]), megabytes(rates[1]))
            : fmt::format("latencies between {} and {} by direction ({} there, {} back; their mean is taken)", from, to,
                          readable(latencies[0]), readable(latencies[1])));
  }
  if (noted > most) {
    platform.origin.not_measured.push_back(
        fmt::format("which direction is the faster one of {} more links", noted - most));
  }
}

}  // namespace tombolo
