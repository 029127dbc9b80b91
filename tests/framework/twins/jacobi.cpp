// Jacobi's method on a plate: the twin of examples/jacobi.cpp.
//
//   jacobi IN.npy OUT.npy [--iterations N] [--tolerance X]
//
// Every element but those at the edge becomes the mean of its four neighbours, N times or until the largest change is
// less than X. The result is the same, bit for bit, on any number of ranks.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "npy.hpp"
#include "twin.hpp"

namespace {

/// Computes rows [from, to) of `next` from `now`; the largest change.
double relax(const double* now, double* next, std::int64_t columns, std::int64_t from, std::int64_t to) {
  double largest = 0;
  for (std::int64_t i = from; i < to; ++i) {
    const double* row = now + i * columns;
    double* into = next + i * columns;
    for (std::int64_t j = 1; j + 1 < columns; ++j) {
      into[j] = 0.25 * (((row[j - columns] + row[j + columns]) + row[j - 1]) + row[j + 1]);
      largest = std::max(largest, std::abs(into[j] - row[j]));
    }
  }
  return largest;
}

void jacobi(int argc, char** argv, int rank, int ranks) {
  const std::string in = argument(argc, argv, 1, "the plate, IN.npy,");
  const std::string out = argument(argc, argv, 2, "the result, OUT.npy,");
  const std::int64_t iterations = whole_option(argc, argv, "--iterations", 1000);
  const double tolerance = option(argc, argv, "--tolerance", 1e-6);
  const NpyMatrix plate = read_npy(in);
  const std::int64_t columns = plate.columns;
  const std::int64_t row_bytes = columns * 8;
  MPI_Datatype row = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(columns), MPI_DOUBLE, &row);
  MPI_Type_commit(&row);

  // Inner rows are shared out, the first ranks have one more; a rank holds the rows above and below its own, too.
  const std::int64_t inner = std::max<std::int64_t>(plate.rows - 2, 0);
  const std::int64_t mine = inner / ranks + (rank < inner % ranks ? 1 : 0);
  const std::int64_t first = inner / ranks * rank + std::min<std::int64_t>(rank, inner % ranks);
  const auto last = static_cast<int>(std::clamp<std::int64_t>(inner, 1, ranks)) - 1;  // the last rank that has any
  const std::int64_t held = rank > last ? 0 : std::min(mine + 2, plate.rows);
  std::vector<double> now(static_cast<std::size_t>(std::max<std::int64_t>(held, 2) * columns));
  MPI_File file = MPI_FILE_NULL;
  MPI_File_open(MPI_COMM_WORLD, in.c_str(), MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_read_at_all(file, plate.offset + first * row_bytes, now.data(), static_cast<int>(held), row,
                       MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  std::vector<double> next = now;

  const int above = rank > 0 && rank <= last ? rank - 1 : MPI_PROC_NULL;
  const int below = rank < last ? rank + 1 : MPI_PROC_NULL;
  double largest = std::numeric_limits<double>::infinity();
  std::int64_t done = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (; done < iterations && !(largest < tolerance); ++done) {
    MPI_Request halo[4];
    MPI_Irecv(now.data(), 1, row, above, 0, MPI_COMM_WORLD, &halo[0]);
    MPI_Irecv(now.data() + (mine + 1) * columns, 1, row, below, 0, MPI_COMM_WORLD, &halo[1]);
    MPI_Isend(now.data() + columns, 1, row, above, 0, MPI_COMM_WORLD, &halo[2]);
    MPI_Isend(now.data() + mine * columns, 1, row, below, 0, MPI_COMM_WORLD, &halo[3]);
    largest = relax(now.data(), next.data(), columns, 2, mine);
    MPI_Waitall(4, halo, MPI_STATUSES_IGNORE);
    largest = std::max(largest, relax(now.data(), next.data(), columns, 1, std::min<std::int64_t>(mine, 1) + 1));
    largest = std::max(largest, relax(now.data(), next.data(), columns, std::max<std::int64_t>(mine, 2), mine + 1));
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    std::swap(now, next);
  }
  const double seconds = MPI_Wtime() - start;

  const std::string header = npy_header(plate.rows, columns);
  const auto offset = static_cast<MPI_Offset>(header.size());
  const std::int64_t from = rank == 0 ? 0 : 1;
  const std::int64_t to = rank == last ? held : std::max(held - 1, from);
  MPI_File_open(MPI_COMM_WORLD, out.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  MPI_File_set_size(file, offset + plate.rows * row_bytes);
  if (rank == 0) {
    MPI_File_write_at(file, 0, header.data(), static_cast<int>(header.size()), MPI_BYTE, MPI_STATUS_IGNORE);
  }
  MPI_File_write_at_all(file, offset + (first + from) * row_bytes, now.data() + from * columns,
                        static_cast<int>(to - from), row, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Type_free(&row);
  if (rank == 0) {
    std::printf("iterations %ld change %.17g seconds %.6f\n", done, largest, seconds);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_twin(argc, argv, jacobi);
}
