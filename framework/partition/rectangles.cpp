#include <algorithm>
#include <cstddef>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/partition/rectangles.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

constexpr int bits_of_speeds = 40;  // of the sum: a rank of less than 2^-40 of all gets nothing
constexpr int bits_of_sizes = 40;   // of a dimension in the sum of rows and columns that is minimised

std::size_t index(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// A rank, or a group of ranks, and its speed.
struct Worker {
  std::size_t number = 0;
  std::uint64_t speed = 0;
};

/// Returns workers of positive speed, slow ones first, with speeds scaled to a sum below 2^bits_of_speeds.
std::vector<Worker> sorted(std::span<const UnsignedWide> speeds) {
  UnsignedWide sum = std::accumulate(speeds.begin(), speeds.end(), UnsignedWide{0});
  int shift = 0;
  while ((sum >> shift) >= (UnsignedWide{1} << bits_of_speeds)) ++shift;
  std::vector<Worker> workers;
  for (std::size_t number = 0; number < speeds.size(); ++number) {
    const auto speed = static_cast<std::uint64_t>(speeds[number] >> shift);
    if (speed > 0) workers.push_back({number, speed});
  }
  std::stable_sort(workers.begin(), workers.end(), [](const Worker& a, const Worker& b) { return a.speed < b.speed; });
  return workers;
}

/// Returns the numbers of workers of each column, from left to right: the least sum of rows and columns. A column of q
/// workers adds the rows of the matrix, and its width once for each worker.
std::vector<std::size_t> columns_of(const MatrixShape& shape, std::span<const Worker> workers) {
  int shift = 0;
  while (std::max(shape.rows, shape.columns) >> shift >= (std::int64_t{1} << bits_of_sizes)) ++shift;
  const auto rows = static_cast<UnsignedWide>(shape.rows >> shift);
  const auto columns = static_cast<UnsignedWide>(shape.columns >> shift);
  std::vector<UnsignedWide> speed(workers.size() + 1, 0);  // of the first q workers
  for (std::size_t q = 0; q < workers.size(); ++q) speed[q + 1] = speed[q] + workers[q].speed;
  std::vector<UnsignedWide> least(workers.size() + 1, 0);
  std::vector<std::size_t> before(workers.size() + 1, 0);  // workers in the columns before the last
  for (std::size_t q = 1; q <= workers.size(); ++q) {
    for (std::size_t r = q; r-- > 0;) {
      const UnsignedWide sum = least[r] + rows * speed.back() + columns * (speed[q] - speed[r]) * (q - r);
      if (r + 1 == q || sum < least[q]) {
        least[q] = sum;
        before[q] = r;
      }
    }
  }
  std::vector<std::size_t> counts;
  for (std::size_t q = workers.size(); q > 0; q = before[q]) counts.push_back(q - before[q]);
  std::reverse(counts.begin(), counts.end());
  return counts;
}

/// Returns the shares of n items whose longest time, items / speed, is the least: each item left over goes to the one
/// whose time is then the shortest.
std::vector<std::int64_t> shares_by_time(std::int64_t n, std::span<const std::uint64_t> speeds) {
  const UnsignedWide total = std::accumulate(speeds.begin(), speeds.end(), UnsignedWide{0});
  std::vector<std::int64_t> shares(speeds.size());
  std::int64_t left = n;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    shares[i] = static_cast<std::int64_t>(static_cast<UnsignedWide>(n) * speeds[i] / total);
    left -= shares[i];
  }
  const auto later = [&](std::size_t a, std::size_t b) {
    const UnsignedWide time_a = static_cast<UnsignedWide>(shares[a] + 1) * speeds[b];
    const UnsignedWide time_b = static_cast<UnsignedWide>(shares[b] + 1) * speeds[a];
    return time_a != time_b ? time_a > time_b : a > b;
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> next(later);
  for (std::size_t i = 0; left > 0 && i < speeds.size(); ++i) next.push(i);
  for (; left > 0; --left) {
    const std::size_t i = next.top();
    next.pop();
    ++shares[i];
    next.push(i);
  }
  return shares;
}

/// A column: its workers, their rows, and how many columns of the matrix it does in a unit of time.
struct Column {
  std::span<const Worker> workers;
  std::vector<std::int64_t> rows;
  UnsignedWide speed = 0;
};

Column column_of(std::span<const Worker> workers, std::int64_t rows) {
  std::vector<std::uint64_t> speeds;
  for (const Worker& worker : workers) speeds.push_back(worker.speed);
  Column column{workers, shares_by_time(rows, speeds), 0};
  for (std::size_t i = 0; i < workers.size(); ++i) {
    if (column.rows[i] == 0) continue;
    const UnsignedWide speed =
        (static_cast<UnsignedWide>(workers[i].speed) << 60) / static_cast<UnsignedWide>(column.rows[i]);
    if (column.speed == 0 || speed < column.speed) column.speed = speed;
  }
  return column;
}

/// Returns the widths of columns whose longest time is the least.
std::vector<std::int64_t> widths_of(std::span<const Column> columns, std::int64_t width) {
  UnsignedWide fastest = 0;
  for (const Column& column : columns) fastest = std::max(fastest, column.speed);
  int shift = 0;
  while (fastest >> shift >= (UnsignedWide{1} << 60)) ++shift;
  std::vector<std::uint64_t> speeds;
  for (const Column& column : columns) speeds.push_back(static_cast<std::uint64_t>(column.speed >> shift));
  return shares_by_time(width, speeds);
}

/// Returns the parts of `within`, by number.
std::vector<Part> cut(const Part& within, std::span<const UnsignedWide> speeds) {
  std::vector<Part> parts(speeds.size());
  if (within.elements() == 0) return parts;
  const std::vector<Worker> workers = sorted(speeds);
  std::vector<Column> columns;
  std::size_t first = 0;
  for (const std::size_t count : columns_of({within.rows, within.columns}, workers)) {
    columns.push_back(column_of(std::span(workers).subspan(first, count), within.rows));
    first += count;
  }
  const std::vector<std::int64_t> widths = widths_of(columns, within.columns);
  std::int64_t left = within.first_column;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    std::int64_t top = within.first_row;
    for (std::size_t i = 0; i < columns[j].workers.size(); ++i) {
      const std::int64_t rows = columns[j].rows[i];
      if (rows > 0 && widths[j] > 0) parts[columns[j].workers[i].number] = {top, rows, left, widths[j]};
      top += rows;
    }
    left += widths[j];
  }
  return parts;
}

void check(const MatrixShape& shape, std::span<const FlopsPerSecond> speeds) {
  if (shape.rows < 0 || shape.columns < 0) {
    throw Error(fmt::format("a matrix of {} x {}", shape.rows, shape.columns), "give dimensions of 0 or more");
  }
  for (std::size_t rank = 0; rank < speeds.size(); ++rank) {
    if (speeds[rank] < 0) {
      throw Error(fmt::format("rank {} has speed {}", rank, speeds[rank]), "give speeds of 0 or more flop/s");
    }
  }
  if (std::all_of(speeds.begin(), speeds.end(), [](FlopsPerSecond speed) { return speed == 0; })) {
    throw Error(fmt::format("none of {} ranks has a speed above 0", speeds.size()),
                "measure the platform again, or state at least one positive speed");
  }
}

UnsignedWide speed_of(const Level& level, std::span<const FlopsPerSecond> speeds) {
  UnsignedWide sum = 0;
  for (const Rank rank : level.ranks) sum += static_cast<UnsignedWide>(speeds[index(rank)]);
  return sum;
}

void fill(const Level& level, const Part& within, std::span<const FlopsPerSecond> speeds, std::vector<Part>& parts) {
  const bool divides = level.kind == Level::Kind::group && !level.children.empty();
  std::vector<UnsignedWide> each;
  if (divides) {
    for (const Level& child : level.children) each.push_back(speed_of(child, speeds));
  } else {
    for (const Rank rank : level.ranks) each.push_back(static_cast<UnsignedWide>(speeds[index(rank)]));
  }
  const std::vector<Part> inside = cut(within, each);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i].elements() == 0) continue;
    if (divides) {
      fill(level.children[i], inside[i], speeds, parts);
    } else {
      parts[index(level.ranks[i])] = inside[i];
    }
  }
}

}  // namespace

std::vector<Part> column_partition(const MatrixShape& shape, std::span<const FlopsPerSecond> speeds) {
  check(shape, speeds);
  return cut({0, shape.rows, 0, shape.columns}, std::vector<UnsignedWide>(speeds.begin(), speeds.end()));
}

std::vector<Part> nested_partition(const MatrixShape& shape, std::span<const FlopsPerSecond> speeds, const Level& top) {
  check(shape, speeds);
  for (const Rank rank : top.ranks) {
    if (rank < 0 || index(rank) >= speeds.size()) {
      throw std::out_of_range(fmt::format("rank {} of {}", rank, speeds.size()));
    }
  }
  if (speed_of(top, speeds) == 0) {
    throw Error(fmt::format("none of the {} ranks of {} has a speed above 0", top.ranks.size(), described(top)),
                "measure the platform again, or state at least one positive speed");
  }
  std::vector<Part> parts(speeds.size());
  fill(top, {0, shape.rows, 0, shape.columns}, speeds, parts);
  return parts;
}

std::int64_t half_perimeters(std::span<const Part> parts) {
  std::int64_t sum = 0;
  for (const Part& part : parts) {
    if (part.elements() > 0) sum += part.rows + part.columns;
  }
  return sum;
}

}  // namespace tombolo
