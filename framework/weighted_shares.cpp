#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <tombolo/framework/time_limit.hpp>
#include <tombolo/framework/weighted_shares.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {
namespace {

__extension__ using Wide = unsigned __int128;  // a weight times a sum of speeds

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

void check_not_negative(std::span<const std::int64_t> values, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < 0) throw Error(fmt::format("{} {} is {}", what, i, values[i]), "give 0 or more");
  }
}

/// The weight of the items before each, and at the end of all.
std::vector<std::int64_t> weights_before(std::span<const std::int64_t> weights) {
  check_not_negative(weights, "the weight of item");
  std::vector<std::int64_t> before(weights.size() + 1, 0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > unlimited - before[i]) {
      throw Error(fmt::format("the weights of the first {} items sum beyond 2^63 - 1", i + 1), "state smaller weights");
    }
    before[i + 1] = before[i] + weights[i];
  }
  if (before.back() == 0) std::iota(before.begin(), before.end(), std::int64_t{0});
  return before;
}

/// Slices of consecutive items within a time. Items and places between them are numbered from 0 on.
class Slices {
 public:
  Slices(std::span<const std::int64_t> weights, std::span<const std::int64_t> speeds,
         std::span<const std::int64_t> most)
      : before_(weights_before(weights)), speeds_(speeds), most_(most) {}

  std::int64_t items() const { return static_cast<std::int64_t>(before_.size()) - 1; }
  std::int64_t weight_before(std::int64_t place) const { return before_[static_cast<std::size_t>(place)]; }

  /// The furthest end of a slice of this rank that begins there.
  std::int64_t end(std::size_t rank, std::int64_t begin, TimeLimit limit) const {
    if (speeds_[rank] == 0) return begin;
    const std::int64_t amount = limit.amount(speeds_[rank]);
    const std::int64_t weight = weight_before(begin);
    const std::int64_t highest = amount > unlimited - weight ? unlimited : weight + amount;
    const auto after = std::upper_bound(before_.begin() + begin, before_.end(), highest);
    return begin + std::min<std::int64_t>(after - before_.begin() - 1 - begin, limit_of(rank));
  }

  /// The earliest begin of a slice that ends there.
  std::int64_t begin(std::size_t rank, std::int64_t end, TimeLimit limit) const {
    if (speeds_[rank] == 0) return end;
    const std::int64_t least = weight_before(end) - std::min(limit.amount(speeds_[rank]), weight_before(end));
    const auto first = std::lower_bound(before_.begin(), before_.begin() + end, least);
    return end - std::min<std::int64_t>(end - (first - before_.begin()), limit_of(rank));
  }

  bool hold_all(TimeLimit limit) const {
    std::int64_t place = 0;
    for (std::size_t rank = 0; rank < speeds_.size(); ++rank) place = end(rank, place, limit);
    return place == items();
  }

  /// The place up to which the weight is nearest to a part of all of it, the lower of two.
  std::int64_t nearest(Wide part, Wide whole) const {
    const Wide total = static_cast<Wide>(before_.back());
    // The part of a 63-bit weight that a sum of speeds has of their total: speeds are cut until the product fits.
    while (whole >> 64 != 0) {
      part >>= 1;
      whole >>= 1;
    }
    const Wide product = total * part;
    const auto wanted = static_cast<std::int64_t>(product / whole + (product % whole > whole / 2 ? 1 : 0));
    const auto above = std::lower_bound(before_.begin(), before_.end(), wanted);
    if (above == before_.begin()) return 0;
    const bool lower = wanted - *(above - 1) <= *above - wanted;
    return above - before_.begin() - (lower ? 1 : 0);
  }

 private:
  std::int64_t limit_of(std::size_t rank) const { return most_.empty() ? items() : most_[rank]; }

  std::vector<std::int64_t> before_;
  std::span<const std::int64_t> speeds_;
  std::span<const std::int64_t> most_;
};

Wide total_of(std::span<const std::int64_t> speeds) {
  check_not_negative(speeds, "the speed of rank");
  Wide total = 0;
  for (const std::int64_t speed : speeds) total += static_cast<Wide>(speed);
  if (total == 0) {
    throw Error(fmt::format("none of {} ranks has a speed above 0", speeds.size()),
                "measure the kernel again, or state at least one positive speed");
  }
  return total;
}

}  // namespace

std::vector<std::int64_t> weighted_shares(std::span<const std::int64_t> weights, std::span<const std::int64_t> speeds,
                                          std::span<const std::int64_t> most) {
  const Wide total = total_of(speeds);
  check_not_negative(most, "the limit of rank");
  if (!most.empty() && most.size() != speeds.size()) {
    throw Error(fmt::format("limits of {} ranks beside speeds of {}", most.size(), speeds.size()),
                "give a limit for each rank, or none");
  }
  const Slices slices(weights, speeds, most);
  const auto limit = least_time([&](TimeLimit time) { return slices.hold_all(time); });
  if (!limit) {
    throw Error(fmt::format("{} items, more than {} ranks hold within their limits", slices.items(), speeds.size()),
                "share out fewer, or add ranks or memory");
  }
  std::vector<std::int64_t> earliest(speeds.size() + 1, slices.items());  // begin of each slice, so that the rest fits
  for (std::size_t rank = speeds.size(); rank-- > 0;) earliest[rank] = slices.begin(rank, earliest[rank + 1], *limit);
  std::vector<std::int64_t> shares(speeds.size());
  Wide so_far = 0;
  std::int64_t place = 0;
  for (std::size_t rank = 0; rank < speeds.size(); ++rank) {
    so_far += static_cast<Wide>(speeds[rank]);
    const std::int64_t end =
        std::clamp(slices.nearest(so_far, total), std::max(earliest[rank + 1], place), slices.end(rank, place, *limit));
    shares[rank] = end - place;
    place = end;
  }
  return shares;
}

}  // namespace tombolo
