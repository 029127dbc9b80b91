#include <cstddef>
#include <numeric>

#include <fmt/format.h>

#include <tombolo/platform/description/members.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {

std::vector<Rank> all_in_order(int ranks) {
  std::vector<Rank> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<Rank> numbers_among(const std::vector<Rank>& members, int ranks) {
  std::vector<Rank> numbers(static_cast<std::size_t>(ranks), -1);
  for (std::size_t member = 0; member < members.size(); ++member) {
    const Rank rank = members[member];
    if (rank < 0 || rank >= ranks || numbers[static_cast<std::size_t>(rank)] >= 0) {
      throw Error(fmt::format("rank {} as member {} of a platform of {} ranks", rank, member, ranks),
                  "name ranks of the platform, each once");
    }
    numbers[static_cast<std::size_t>(rank)] = static_cast<Rank>(member);
  }
  return numbers;
}

}  // namespace tombolo
