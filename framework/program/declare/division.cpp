#include <algorithm>
#include <limits>
#include <numeric>

#include <tombolo/framework/program/declare/division.hpp>
#include <tombolo/shares.hpp>

namespace tombolo {

Division::Division(std::vector<std::vector<std::int64_t>> shares) : first_{0} {
  for (std::vector<std::int64_t>& panel : shares) {
    panels_.emplace_back(std::move(panel));
    first_.push_back(first_.back() + panels_.back().total());
  }
}

Slice Division::slice(int panel, Rank rank) const {
  Slice slice{first_of_panel(panel) + this->panel(panel).offset(rank), this->panel(panel).count(rank), 0};
  for (int before = 0; before < panel; ++before) slice.local += this->panel(before).count(rank);
  return slice;
}

std::int64_t Division::items_of(Rank rank) const {
  std::int64_t sum = 0;
  for (const Blocks& panel : panels_) sum += panel.count(rank);
  return sum;
}

std::vector<std::int64_t> Division::shares() const {
  std::vector<std::int64_t> all;
  for (Rank rank = 0; rank < ranks(); ++rank) all.push_back(items_of(rank));
  return all;
}

std::int64_t weight(const DeclaredDomain& slices, std::int64_t first, std::int64_t count) {
  if (slices.weights.empty()) return count;
  if (!slices.sums.empty()) {
    return slices.sums[static_cast<std::size_t>(first + count)] - slices.sums[static_cast<std::size_t>(first)];
  }
  const auto begin = slices.weights.begin() + first;
  return std::accumulate(begin, begin + count, std::int64_t{0});
}

Division divide(const DeclaredDomain& slices, std::span<const std::int64_t> speeds, int panels) {
  std::vector<SpeedFunction> functions;
  for (const std::int64_t speed : speeds) functions.push_back(SpeedFunction::constant(speed));
  return divide(slices, functions, 1, panels, {});
}

Division divide(const DeclaredDomain& slices, std::span<const SpeedFunction> speeds, std::int64_t size, int panels,
                std::span<const std::int64_t> most) {
  const auto count = static_cast<int>(std::clamp<std::int64_t>(slices.items, 1, panels));
  std::vector<std::int64_t> limits(most.begin(), most.end());
  for (std::int64_t& limit : limits) limit = (limit - 1) / count + 1;  // of each panel
  std::vector<std::int64_t> plain;
  for (const SpeedFunction& speed : speeds) plain.push_back(speed.at(std::numeric_limits<std::int64_t>::max()));
  std::vector<std::int64_t> added;  // where the program has not added the weights up
  if (slices.sums.empty() && !slices.weights.empty()) added = weights_before(slices.weights);
  const std::span<const std::int64_t> sums = added.empty() ? slices.sums : added;
  std::vector<std::vector<std::int64_t>> shares;
  std::int64_t first = 0;
  for (const std::int64_t items : equal_shares(slices.items, count)) {
    const auto of_panel = [&] {
      return sums.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(items) + 1);
    };
    shares.push_back(slices.weights.empty() ? functional_shares(items, speeds, size, limits)
                                            : shares_of_sums(of_panel(), plain, limits));
    first += items;
  }
  return Division(std::move(shares));
}

}  // namespace tombolo
