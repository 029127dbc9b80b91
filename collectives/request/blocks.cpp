#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include <tombolo/counts.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr std::int64_t largest_total = std::int64_t{1} << 60;

[[noreturn]] void throw_too_many() {
  throw Error("the counts add up to more than 2^60 elements", "split the operation");
}

}  // namespace

UnknownCount::UnknownCount(int block)
    : std::logic_error(fmt::format("the count of block {} is used where it is not known", block)) {}

Blocks::Blocks(std::vector<std::int64_t> counts) : size_(static_cast<int>(counts.size())), each_(1) {
  auto table = std::make_shared<Table>();
  table->offsets.reserve(counts.size() + 1);
  std::int64_t sum = 0;
  table->offsets.push_back(sum);
  for (const std::int64_t n : counts) {
    if (n < 0 && n != unknown) {
      throw Error(fmt::format("a count of {} elements", n), "counts must not be negative");
    }
    if (n > largest_total - std::max<std::int64_t>(sum, 0)) throw_too_many();
    sum = (n == unknown || sum == unknown) ? unknown : sum + n;
    table->offsets.push_back(sum);
  }
  table->counts = std::move(counts);
  table_ = std::move(table);
}

Blocks Blocks::equal(int blocks, std::int64_t each) {
  if (each < 0) throw Error(fmt::format("a count of {} elements", each), "counts must not be negative");
  if (blocks > 0 && each > largest_total / blocks) throw_too_many();
  Blocks result;
  result.size_ = blocks;
  result.each_ = each;
  return result;
}

Blocks Blocks::shared_out(int blocks, std::int64_t total) {
  const std::int64_t each = total / blocks;
  const std::int64_t rest = total - each * blocks;
  if (rest == 0) return equal(blocks, each);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(blocks), each);
  std::for_each(counts.begin(), counts.begin() + rest, [](std::int64_t& count) { ++count; });
  return Blocks(std::move(counts));
}

bool Blocks::all_equal() const {
  if (!table_) return true;
  return all_known() && std::ranges::adjacent_find(table_->counts, std::not_equal_to()) == table_->counts.end();
}

Blocks Blocks::times(std::int64_t factor) const {
  if (factor < 0) throw Error(fmt::format("blocks {} times as long", factor), "counts must not be negative");
  if (total() == 0) return *this;
  if (factor > largest_total / total()) throw_too_many();
  Blocks result = *this;
  result.each_ *= factor;
  return result;
}

std::int64_t Blocks::entry(int block) const {
  if (!table_) return each_;
  const std::int64_t n = table_->counts.at(static_cast<std::size_t>(block));
  return n == unknown ? unknown : n * each_;
}

std::int64_t Blocks::count(int block) const {
  const std::int64_t n = entry(block);
  if (n == unknown) throw UnknownCount(block);
  return n;
}

std::int64_t Blocks::offset(int block) const {
  if (!table_) return each_ * block;
  const std::int64_t before = table_->offsets.at(static_cast<std::size_t>(block));
  if (before == unknown) throw UnknownCount(block - 1);
  return before * each_;
}

bool Blocks::operator==(const Blocks& other) const {
  if (size_ != other.size_) return false;
  if (table_ == other.table_ && each_ == other.each_) return true;
  if (table_ && other.table_ && each_ == other.each_) return table_->counts == other.table_->counts;
  for (int block = 0; block < size_; ++block) {
    if (entry(block) != other.entry(block)) return false;
  }
  return true;
}

}  // namespace tombolo
