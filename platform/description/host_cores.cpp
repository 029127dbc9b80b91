#include <algorithm>
#include <cstdint>

#include <tombolo/platform/description/host_cores.hpp>

namespace tombolo {

int cores_of(const std::vector<Processor>& processors, const std::vector<Rank>& ranks) {
  constexpr std::int64_t whole = 1'000'000;
  std::int64_t parts = 0;
  for (const Rank rank : ranks) {
    const Processor& processor = processors[static_cast<std::size_t>(rank)];
    parts += whole * processor.cores / std::max(processor.ranks_sharing, 1);
  }
  return static_cast<int>(std::max<std::int64_t>((parts + whole / 2) / whole, 1));
}

}  // namespace tombolo
