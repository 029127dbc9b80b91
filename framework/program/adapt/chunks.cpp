#include <algorithm>

#include <tombolo/framework/program/adapt/chunks.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr int parts = 4;                              // chunks in a rank's share of the remaining items
constexpr std::int64_t most = std::int64_t{1} << 30;  // limit of the count of one message

}  // namespace

std::int64_t Chunks::chunk(Rank rank, std::int64_t of) const {
  const Wide share = shares_[static_cast<std::size_t>(rank)];
  const auto part = static_cast<std::int64_t>(share * of / (Wide{parts} * std::max<std::int64_t>(items_, 1)));
  return std::min({std::max({part, grain_, std::int64_t{1}}), of, most});
}

Slice Chunks::next(Rank rank) {
  const Slice slice{next_, left() == 0 ? 0 : chunk(rank, left()), 0};
  next_ += slice.count;
  return slice;
}

std::int64_t Chunks::largest(Rank rank) const {
  return items_ == 0 ? 0 : chunk(rank, items_);
}

}  // namespace tombolo
