#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/blocks.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {

namespace {
constexpr std::int64_t largest_total = std::int64_t{1} << 60;
}

UnknownCount::UnknownCount(int block)
    : std::logic_error(fmt::format("the count of block {} is used where it is not known", block)) {}

Blocks::Blocks(std::vector<std::int64_t> counts) : size_(static_cast<int>(counts.size())) {
  auto table = std::make_shared<Table>();
  table->offsets.reserve(counts.size() + 1);
  std::int64_t sum = 0;
  table->offsets.push_back(sum);
  for (const std::int64_t n : counts) {
    if (n < 0 && n != unknown) {
      throw Error(fmt::format("a count of {} elements", n), "counts must not be negative");
    }
    if (n > largest_total - std::max<std::int64_t>(sum, 0)) {
      throw Error("the counts add up to more than 2^60 elements", "split the operation");
    }
    sum = (n == unknown || sum == unknown) ? unknown : sum + n;
    table->offsets.push_back(sum);
  }
  table->counts = std::move(counts);
  table_ = std::move(table);
}

Blocks Blocks::equal(int blocks, std::int64_t each) {
  if (each < 0) throw Error(fmt::format("a count of {} elements", each), "counts must not be negative");
  if (blocks > 0 && each > largest_total / blocks) {
    throw Error("the counts add up to more than 2^60 elements", "split the operation");
  }
  Blocks result;
  result.size_ = blocks;
  result.each_ = each;
  return result;
}

bool Blocks::known(int block) const {
  return !table_ || table_->counts.at(static_cast<std::size_t>(block)) != unknown;
}

std::int64_t Blocks::count(int block) const {
  if (!table_) return each_;
  const std::int64_t n = table_->counts.at(static_cast<std::size_t>(block));
  if (n == unknown) throw UnknownCount(block);
  return n;
}

std::int64_t Blocks::offset(int block) const {
  if (!table_) return each_ * block;
  const std::int64_t before = table_->offsets.at(static_cast<std::size_t>(block));
  if (before == unknown) throw UnknownCount(block - 1);
  return before;
}

bool Blocks::operator==(const Blocks& other) const {
  if (size_ != other.size_) return false;
  if (!table_ && !other.table_) return each_ == other.each_;
  if (table_ && other.table_) return table_ == other.table_ || table_->counts == other.table_->counts;
  const Table& table = table_ ? *table_ : *other.table_;
  const std::int64_t each = table_ ? other.each_ : each_;
  return std::all_of(table.counts.begin(), table.counts.end(), [each](std::int64_t n) { return n == each; });
}

Exchange Exchange::equal(int ranks, std::int64_t each) {
  Exchange result;
  result.equal_ = true;
  const Blocks row = Blocks::equal(ranks, each);
  result.table_ = std::make_shared<Table>(Table{{row}, {row}});
  return result;
}

Exchange Exchange::matrix(const std::vector<std::vector<std::int64_t>>& rows) {
  auto table = std::make_shared<Table>();
  std::vector<std::int64_t> column(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != rows.size()) {
      throw Error(fmt::format("row {} of the exchange has {} counts for {} ranks", i, rows[i].size(), rows.size()),
                  "give one count per pair of ranks");
    }
    std::transform(rows.begin(), rows.end(), column.begin(), [i](const auto& row) { return row.at(i); });
    table->sends.emplace_back(rows[i]);
    table->receives.emplace_back(column);
  }
  Exchange result;
  result.table_ = std::move(table);
  return result;
}

Exchange Exchange::of_rank(Rank rank, Blocks sends, Blocks receives) {
  Exchange result;
  result.only_ = rank;
  result.table_ = std::make_shared<Table>(Table{{std::move(sends)}, {std::move(receives)}});
  return result;
}

const Blocks& Exchange::pick(const std::vector<Blocks>& from, Rank rank) const {
  if (equal_) return from.front();
  if (only_ == all) return from.at(static_cast<std::size_t>(rank));
  if (rank != only_) throw UnknownCount(rank);
  return from.front();
}

const Blocks& Exchange::sends(Rank rank) const {
  return pick(table_->sends, rank);
}
const Blocks& Exchange::receives(Rank rank) const {
  return pick(table_->receives, rank);
}

bool Exchange::operator==(const Exchange& other) const {
  if (!table_ || !other.table_) return table_ == other.table_;
  return only_ == other.only_ && equal_ == other.equal_ &&
         (table_ == other.table_ ||
          (table_->sends == other.table_->sends && table_->receives == other.table_->receives));
}

}  // namespace tombolo
