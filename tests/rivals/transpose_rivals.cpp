// Times the transpose of a square matrix of doubles over equal slices of rows, as Tombolo does it and as others do.
//
//   tests/support/mpirun 4 build/release/bin/transpose_rivals [--size 8192] [--repetitions 9]
//
// All take turns, in one round in one order, in the next in the other. A time is that of the slowest rank, from a
// barrier on. Every result is checked.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <tombolo/shares.hpp>

#include "rivals/contestants.hpp"

using rivals::Contestant;
using rivals::Matrix;

namespace {

std::int64_t option(int argc, char** argv, std::string_view name, std::int64_t otherwise) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (argv[i] == name) return std::max(std::atoll(argv[i + 1]), 1LL);
  }
  return otherwise;
}

Matrix make_matrix(const tombolo::Session& session, std::int64_t size) {
  Matrix matrix;
  matrix.size = size;
  matrix.each = tombolo::equal_shares(size, session.ranks());
  const auto rank = static_cast<std::size_t>(session.rank());
  matrix.first = tombolo::first_of(matrix.each)[rank];
  matrix.rows = matrix.each[rank];
  matrix.a.resize(static_cast<std::size_t>(matrix.rows * size));
  matrix.b.resize(matrix.a.size());
  return matrix;
}

void fill(Matrix& matrix) {
  for (std::int64_t i = 0; i < matrix.rows * matrix.size; ++i) {
    matrix.a[static_cast<std::size_t>(i)] = static_cast<double>(matrix.first * matrix.size + i);
  }
}

bool is_right(const Matrix& matrix) {
  for (std::int64_t j = 0; j < matrix.rows; ++j) {
    for (std::int64_t i = 0; i < matrix.size; ++i) {
      const auto expected = static_cast<double>(i * matrix.size + matrix.first + j);
      if (matrix.b[static_cast<std::size_t>(j * matrix.size + i)] != expected) return false;
    }
  }
  return true;
}

/// Of all ranks, the longest.
double seconds(MPI_Comm communicator, const Contestant& contestant) {
  MPI_Barrier(communicator);
  const double start = MPI_Wtime();
  contestant.transpose();
  double taken = MPI_Wtime() - start;
  MPI_Allreduce(MPI_IN_PLACE, &taken, 1, MPI_DOUBLE, MPI_MAX, communicator);
  return taken;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

bool runs_right(MPI_Comm communicator, Matrix& matrix, const Contestant& contestant) {
  std::fill(matrix.b.begin(), matrix.b.end(), -1);
  seconds(communicator, contestant);
  int right = is_right(matrix) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_LAND, communicator);
  return right != 0;
}

}  // namespace

int main(int argc, char** argv) {
  tombolo::Session session(argc, argv);
  MPI_Comm communicator = session.communicator();
  Matrix matrix = make_matrix(session, option(argc, argv, "--size", 8192));
  std::vector<Contestant> all;
#ifdef TOMBOLO_HAS_FFTW
  if (matrix.size % session.ranks() == 0) all.push_back(rivals::fftw(communicator, matrix));  // first: it moves buffers
#endif
  fill(matrix);
  all.insert(all.begin(), {rivals::tombolo(session, matrix), rivals::derived_types(communicator, matrix),
                           rivals::loops(communicator, matrix)});

  for (const Contestant& contestant : all) {
    if (runs_right(communicator, matrix, contestant)) continue;
    if (session.rank() == 0) fmt::print(stderr, "{} is wrong\n", contestant.name);
    return 1;
  }
  std::vector<std::vector<double>> times(all.size());
  for (std::int64_t round = 0; round < option(argc, argv, "--repetitions", 9); ++round) {
    for (std::size_t turn = 0; turn < all.size(); ++turn) {
      const std::size_t c = round % 2 == 0 ? turn : all.size() - 1 - turn;
      times[c].push_back(seconds(communicator, all[c]));
    }
  }
  if (session.rank() != 0) return 0;
  fmt::print("{} x {} doubles, {} ranks, median of {}\n\n", matrix.size, matrix.size, session.ranks(), times[0].size());
  fmt::print("{:<34} {:>9} {:>8} {:>7}\n", "", "seconds", "GB/s", "times");
  const double bytes = 8e-9 * static_cast<double>(matrix.size) * static_cast<double>(matrix.size);
  for (std::size_t c = 0; c < all.size(); ++c) {
    const double taken = median(times[c]);
    fmt::print("{:<34} {:>9.6f} {:>8.2f} {:>7.2f}\n", all[c].name, taken, bytes / taken, taken / median(times[0]));
  }
  return 0;
}
