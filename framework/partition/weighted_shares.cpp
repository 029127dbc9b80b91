#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <tombolo/framework/partition/time_limit.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

void check_not_negative(std::span<const std::int64_t> values, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < 0) throw Error(fmt::format("{} {} is {}", what, i, values[i]), "give 0 or more");
  }
}

/// Slices of consecutive items within a time. Items, and the boundaries between items, are numbered from 0 on.
class Slices {
 public:
  Slices(std::span<const std::int64_t> sums, std::span<const std::int64_t> speeds, std::span<const std::int64_t> most)
      : before_(sums), speeds_(speeds), most_(most) {
    if (sums.front() != sums.back()) return;
    alike_.resize(sums.size());
    std::iota(alike_.begin(), alike_.end(), std::int64_t{0});
    before_ = alike_;
  }
  Slices(const Slices&) = delete;
  Slices& operator=(const Slices&) = delete;

  std::int64_t items() const { return static_cast<std::int64_t>(before_.size()) - 1; }
  std::int64_t weight_before(std::int64_t place) const {
    return before_[static_cast<std::size_t>(place)] - before_.front();
  }

  /// Returns the furthest end of this rank's slice with this start.
  std::int64_t end(std::size_t rank, std::int64_t begin, TimeLimit limit) const {
    if (speeds_[rank] == 0) return begin;
    const std::int64_t amount = limit.amount(speeds_[rank]);
    const std::int64_t weight = weight_before(begin);
    const std::int64_t most = unlimited - before_.front();
    const std::int64_t highest = (amount > most - weight ? most : weight + amount) + before_.front();
    const auto after = std::upper_bound(before_.begin() + begin, before_.end(), highest);
    return begin + std::min<std::int64_t>(after - before_.begin() - 1 - begin, limit_of(rank));
  }

  /// Returns the earliest start of this rank's slice with this end.
  std::int64_t begin(std::size_t rank, std::int64_t end, TimeLimit limit) const {
    if (speeds_[rank] == 0) return end;
    const std::int64_t least = weight_before(end) - std::min(limit.amount(speeds_[rank]), weight_before(end));
    const auto first = std::lower_bound(before_.begin(), before_.begin() + end, least + before_.front());
    return end - std::min<std::int64_t>(end - (first - before_.begin()), limit_of(rank));
  }

  bool hold_all(TimeLimit limit) const {
    std::int64_t place = 0;
    for (std::size_t rank = 0; rank < speeds_.size(); ++rank) place = end(rank, place, limit);
    return place == items();
  }

  /// Returns the boundary with the weight before it nearest to total * part / whole, the lower of two.
  std::int64_t nearest(UnsignedWide part, UnsignedWide whole) const {
    const auto total = static_cast<UnsignedWide>(before_.back() - before_.front());
    // Speeds are scaled down until the product with a 63-bit weight fits.
    while (whole >> 64 != 0) {
      part >>= 1;
      whole >>= 1;
    }
    const UnsignedWide product = total * part;
    const auto wanted =
        before_.front() + static_cast<std::int64_t>(product / whole + (product % whole > whole / 2 ? 1 : 0));
    const auto above = std::lower_bound(before_.begin(), before_.end(), wanted);
    if (above == before_.begin()) return 0;
    const bool lower = wanted - *(above - 1) <= *above - wanted;
    return above - before_.begin() - (lower ? 1 : 0);
  }

 private:
  std::int64_t limit_of(std::size_t rank) const { return most_.empty() ? items() : most_[rank]; }

  std::span<const std::int64_t> before_;  // sums of weights before each item; the first sum is arbitrary
  std::vector<std::int64_t> alike_;       // replaces before_ if all weights are 0
  std::span<const std::int64_t> speeds_;
  std::span<const std::int64_t> most_;
};

UnsignedWide total_of(std::span<const std::int64_t> speeds) {
  check_not_negative(speeds, "the speed of rank");
  UnsignedWide total = 0;
  for (const std::int64_t speed : speeds) total += static_cast<UnsignedWide>(speed);
  if (total == 0) {
    throw Error(fmt::format("none of {} ranks has a speed above 0", speeds.size()),
                "measure the kernel again, or state at least one positive speed");
  }
  return total;
}

}  // namespace

std::vector<std::int64_t> weights_before(std::span<const std::int64_t> weights) {
  check_not_negative(weights, "the weight of item");
  std::vector<std::int64_t> before(weights.size() + 1, 0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > unlimited - before[i]) {
      throw Error(fmt::format("the weights of the first {} items sum beyond 2^63 - 1", i + 1), "state smaller weights");
    }
    before[i + 1] = before[i] + weights[i];
  }
  return before;
}

std::vector<std::int64_t> weighted_shares(std::span<const std::int64_t> weights, std::span<const std::int64_t> speeds,
                                          std::span<const std::int64_t> most) {
  return shares_of_sums(weights_before(weights), speeds, most);
}

std::vector<std::int64_t> shares_of_sums(std::span<const std::int64_t> sums, std::span<const std::int64_t> speeds,
                                         std::span<const std::int64_t> most) {
  const UnsignedWide total = total_of(speeds);
  check_not_negative(most, "the limit of rank");
  if (!most.empty() && most.size() != speeds.size()) {
    throw Error(fmt::format("limits of {} ranks beside speeds of {}", most.size(), speeds.size()),
                "give a limit for each rank, or none");
  }
  const Slices slices(sums, speeds, most);
  const auto limit = least_time([&](TimeLimit time) { return slices.hold_all(time); });
  if (!limit) {
    throw Error(fmt::format("{} items, more than {} ranks hold within their limits", slices.items(), speeds.size()),
                "share out fewer, or add ranks or memory");
  }
  std::vector<std::int64_t> earliest(speeds.size() + 1, slices.items());  // starts for which the rest fits
  for (std::size_t rank = speeds.size(); rank-- > 0;) earliest[rank] = slices.begin(rank, earliest[rank + 1], *limit);
  std::vector<std::int64_t> shares(speeds.size());
  UnsignedWide so_far = 0;
  std::int64_t place = 0;
  for (std::size_t rank = 0; rank < speeds.size(); ++rank) {
    so_far += static_cast<UnsignedWide>(speeds[rank]);
    const std::int64_t end =
        std::clamp(slices.nearest(so_far, total), std::max(earliest[rank + 1], place), slices.end(rank, place, *limit));
    shares[rank] = end - place;
    place = end;
  }
  return shares;
}

}  // namespace tombolo
