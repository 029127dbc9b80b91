#include <algorithm>
#include <numeric>

#include <tombolo/framework/program/division.hpp>
#include <tombolo/framework/shares.hpp>

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

std::int64_t weight(const DeclaredSlices& slices, std::int64_t first, std::int64_t count) {
  if (slices.weights.empty()) return count;
  const auto begin = slices.weights.begin() + first;
  return std::accumulate(begin, begin + count, std::int64_t{0});
}

namespace {

__extension__ using Wide = __int128;

// Rank after rank takes items until it and those before it have their part of the work; the item that it falls into
// goes to the nearer side.
std::vector<std::int64_t> shares_by_weight(std::span<const std::int64_t> weights,
                                           std::span<const std::int64_t> speeds) {
  const Wide work = std::accumulate(weights.begin(), weights.end(), Wide{0});
  const Wide speed = std::accumulate(speeds.begin(), speeds.end(), Wide{0});
  if (work == 0) return proportional_shares(static_cast<std::int64_t>(weights.size()), speeds);
  std::vector<std::int64_t> shares(speeds.size(), 0);
  Wide done = 0;
  Wide speed_so_far = 0;
  std::size_t item = 0;
  for (std::size_t rank = 0; rank < speeds.size(); ++rank) {
    speed_so_far += speeds[rank];
    while (speeds[rank] > 0 && item < weights.size() &&
           (speed_so_far == speed || (2 * done + weights[item]) * speed <= 2 * work * speed_so_far)) {
      done += weights[item++];
      ++shares[rank];
    }
  }
  return shares;
}

}  // namespace

Division divide(const DeclaredSlices& slices, std::span<const std::int64_t> speeds, int panels) {
  proportional_shares(0, speeds);  // refuses speeds that are not right
  const auto most = static_cast<int>(std::clamp<std::int64_t>(slices.items, 1, panels));
  std::vector<std::vector<std::int64_t>> shares;
  std::int64_t first = 0;
  for (const std::int64_t items : equal_shares(slices.items, most)) {
    shares.push_back(
        slices.weights.empty()
            ? proportional_shares(items, speeds)
            : shares_by_weight(
                  std::span(slices.weights).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(items)),
                  speeds));
    first += items;
  }
  return Division(std::move(shares));
}

}  // namespace tombolo
