// Planned collectives on communicators of one's own: x A over a grid of ranks, which have a block of A each. A part of
// x is broadcast along every row, and what the blocks make of it is summed along every column.

#include <cmath>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include <tombolo/tombolo.hpp>

int main(int argc, char** argv) {
  using tombolo::Session;
  Session session(argc, argv);
  session.discover_or_load();  // gets to know the machines, which takes all ranks

  int rows = static_cast<int>(std::sqrt(session.ranks()));
  while (session.ranks() % rows != 0) --rows;
  const int columns = session.ranks() / rows;
  const int row = session.rank() / columns;
  const int column = session.rank() % columns;
  MPI_Comm along_row = MPI_COMM_NULL;
  MPI_Comm along_column = MPI_COMM_NULL;
  MPI_Comm_split(session.communicator(), row, column, &along_row);
  MPI_Comm_split(session.communicator(), column, row, &along_column);
  const auto in_row = session.make_collectives(Session::Kind::tombolo, along_row);
  const auto in_column = session.make_collectives(Session::Kind::tombolo, along_column);
  MPI_Comm_free(&along_row);  // they have duplicates
  MPI_Comm_free(&along_column);

  constexpr std::size_t n = 100;  // rows and columns of a block
  const auto top = static_cast<std::size_t>(row) * n;
  const auto left = static_cast<std::size_t>(column) * n;
  const auto height = static_cast<std::size_t>(rows) * n;  // of A
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n && column == 0; ++i) x[i] = static_cast<double>(top + i);
  in_row->bcast(x.data(), n, MPI_DOUBLE, 0);

  std::vector<double> part(n);
  std::vector<double> sum(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) part[j] += x[i] * static_cast<double>(top + i + left + j);
  }
  in_column->reduce(part.data(), sum.data(), n, MPI_DOUBLE, MPI_SUM, 0);

  if (row != 0) return 0;
  for (std::size_t j = 0; j < n; ++j) {
    double expected = 0;  // all numbers are whole and small, so sums are exact in any order
    for (std::size_t i = 0; i < height; ++i) expected += static_cast<double>(i * (i + left + j));
    if (sum[j] == expected) continue;
    fmt::print(stderr, "element {} is wrong\n", left + j);
    return 1;
  }
  if (column == 0) fmt::print("{} x {} ranks multiplied x and A, and all is right\n", rows, columns);
  return 0;
}
