#include <algorithm>

#include <fmt/format.h>

#include <tombolo/counts.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

AlltoallCounts::AlltoallCounts(Form form, std::vector<Blocks> sends, std::vector<Blocks> receives)
    : form_(form), table_(std::make_shared<Table>(Table{std::move(sends), std::move(receives)})) {}

AlltoallCounts AlltoallCounts::equal(int ranks, std::int64_t each) {
  const Blocks row = Blocks::equal(ranks, each);
  return {Form::equal, {row}, {row}};
}

AlltoallCounts AlltoallCounts::product(Blocks rows, Blocks columns) {
  if (rows.size() != columns.size()) {
    throw Error(fmt::format("an exchange of {} rows and {} columns of counts", rows.size(), columns.size()),
                "give one of each per rank");
  }
  AlltoallCounts result(Form::product, {std::move(columns)}, {std::move(rows)});
  // Products are checked here for every rank, so counts above 2^60 are refused at construction.
  for (Rank rank = 0; rank < result.table_->sends.front().size(); ++rank) {
    result.sends(rank);
    result.receives(rank);
  }
  return result;
}

AlltoallCounts AlltoallCounts::matrix(const std::vector<std::vector<std::int64_t>>& rows) {
  std::vector<Blocks> sends;
  std::vector<Blocks> receives;
  std::vector<std::int64_t> column(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != rows.size()) {
      throw Error(fmt::format("row {} of the exchange has {} counts for {} ranks", i, rows[i].size(), rows.size()),
                  "give one count per pair of ranks");
    }
    std::ranges::transform(rows, column.begin(), [i](const auto& row) { return row.at(i); });
    sends.emplace_back(rows[i]);
    receives.emplace_back(column);
  }
  return {Form::matrix, std::move(sends), std::move(receives)};
}

AlltoallCounts AlltoallCounts::of_rank(Rank rank, Blocks sends, Blocks receives) {
  AlltoallCounts result(Form::of_rank, {std::move(sends)}, {std::move(receives)});
  result.only_ = rank;
  return result;
}

std::size_t AlltoallCounts::place(Rank rank) const {
  if (!knows(rank)) throw UnknownCount(rank);
  const std::size_t rows = table_ ? table_->sends.size() : 0;
  if (!table_ || (form_ == Form::matrix && static_cast<std::size_t>(rank) >= rows)) {
    throw Error(fmt::format("rank {} in an exchange of {} rows of counts", rank, rows), "give one row per rank");
  }
  return form_ == Form::matrix ? static_cast<std::size_t>(rank) : 0;
}

Blocks AlltoallCounts::sends(Rank rank) const {
  const Blocks& row = table_->sends.at(place(rank));
  return form_ == Form::product ? row.times(table_->receives.front().count(rank)) : row;
}

Blocks AlltoallCounts::receives(Rank rank) const {
  const Blocks& column = table_->receives.at(place(rank));
  return form_ == Form::product ? column.times(table_->sends.front().count(rank)) : column;
}

std::optional<std::pair<Blocks, Blocks>> AlltoallCounts::factors() const {
  if (form_ == Form::product) return std::pair(table_->receives.front(), table_->sends.front());
  if (form_ == Form::equal && table_) {
    return std::pair(Blocks::equal(table_->sends.front().size(), 1), table_->sends.front());
  }
  return std::nullopt;
}

std::int64_t AlltoallCounts::largest() const {
  if (!table_ || form_ == Form::of_rank) return 0;
  const auto among = [](const std::vector<Blocks>& some) {
    std::int64_t most = 0;
    for (const Blocks& blocks : some) {
      for (int block = 0; block < blocks.size(); ++block) most = std::max(most, blocks.count(block));
    }
    return most;
  };
  const std::int64_t most = among(table_->sends);
  return form_ == Form::product ? most * among(table_->receives) : most;
}

bool AlltoallCounts::operator==(const AlltoallCounts& other) const {
  if (!table_ || !other.table_) return table_ == other.table_;
  return form_ == other.form_ && only_ == other.only_ &&
         (table_ == other.table_ ||
          (table_->sends == other.table_->sends && table_->receives == other.table_->receives));
}

}  // namespace tombolo
