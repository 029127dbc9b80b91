// tombolo_pdgemm_ and its like for other types against PBLAS itself, on grids of all kinds: whole numbers, so both are
// exact.
#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/framework/mpi/arrays/pgemm.hpp>

#include "rivals/mpi/scalapack.hpp"
#include "support/agree.hpp"

using tombolo::test::agreed;
using tombolo::test::BlacsGrid;

namespace {

using Random = std::mt19937_64;

int any(Random& random, int from, int to) {
  return from + static_cast<int>(random() % static_cast<unsigned>(to - from + 1));
}

template <class T>
T any_number(Random& random, int from, int to) {
  const auto real = static_cast<float>(any(random, from, to));
  if constexpr (std::is_floating_point_v<T>) {
    return real;
  } else {
    return {real, static_cast<float>(any(random, from, to))};
  }
}

/// A matrix with some rows and columns around the part that is multiplied.
template <class T>
struct Operand {
  int row = 1;
  int column = 1;
  int descriptor[9] = {};
  std::vector<T> local;

  Operand(Random& random, const BlacsGrid& grid, int rows, int columns) {
    row = any(random, 1, 7);
    column = any(random, 1, 7);
    const int m = row - 1 + rows + any(random, 0, 4);
    const int n = column - 1 + columns + any(random, 0, 4);
    const int mb = any(random, 1, 9);
    const int nb = any(random, 1, 9);
    const int rsrc = any(random, 0, grid.rows - 1);
    const int csrc = any(random, 0, grid.columns - 1);
    const int more = any(random, 0, 2);
    const int high = std::max(numroc_(&m, &mb, &grid.row, &rsrc, &grid.rows), 1) + more;
    const int wide = numroc_(&n, &nb, &grid.column, &csrc, &grid.columns);
    const int all[] = {1, grid.context, m, n, mb, nb, rsrc, csrc, high};
    std::copy(std::begin(all), std::end(all), descriptor);
    Random mine(random() + static_cast<unsigned>(100 * grid.row + grid.column));
    local.resize(static_cast<std::size_t>(high) * static_cast<std::size_t>(std::max(wide, 1)));
    for (T& element : local) element = any_number<T>(mine, -4, 4);
  }
};

template <class T>
bool as_pblas(Random& random, const BlacsGrid& grid) {
  const int m = any(random, 0, 30);
  const int n = any(random, 0, 30);
  const int k = any(random, 0, 30);
  const char* const ops = "NTCntc";
  const char transa = ops[any(random, 0, 5)];
  const char transb = ops[any(random, 0, 5)];
  const bool a_plain = transa == 'N' || transa == 'n';
  const bool b_plain = transb == 'N' || transb == 'n';
  const T alpha = any_number<T>(random, -1, 2);
  const T beta = any_number<T>(random, -1, 2);
  const Operand<T> a(random, grid, a_plain ? m : k, a_plain ? k : m);
  const Operand<T> b(random, grid, b_plain ? k : n, b_plain ? n : k);
  const Operand<T> c(random, grid, m, n);
  const auto by = [&](auto* function) {
    std::vector<T> result = c.local;
    function(&transa, &transb, &m, &n, &k, &alpha, a.local.data(), &a.row, &a.column, a.descriptor, b.local.data(),
             &b.row, &b.column, b.descriptor, &beta, result.data(), &c.row, &c.column, c.descriptor);
    return result;
  };
  if constexpr (std::is_same_v<T, float>) {
    return by(tombolo_psgemm_) == by(psgemm_);
  } else if constexpr (std::is_same_v<T, double>) {
    return by(tombolo_pdgemm_) == by(pdgemm_);
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    return by(tombolo_pcgemm_) == by(pcgemm_);
  } else {
    return by(tombolo_pzgemm_) == by(pzgemm_);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("products as PBLAS computes them", "", float, double, std::complex<float>, std::complex<double>) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Random random(21);
  for (int rows = 1; rows <= std::min(ranks, 4); ++rows) {
    for (const int columns : {1, ranks / rows}) {
      for (const char* order : {"Row", "Column"}) {
        const BlacsGrid grid(rows, columns, order);
        bool right = true;
        Random same(random());
        for (int trial = 0; trial < 8 && grid.has_me(); ++trial) right = as_pblas<TestType>(same, grid) && right;
        CHECK(agreed(right));
      }
    }
  }
}

// Calls that end the program: each is a test of its own (CMakeLists.txt), which looks for the line.
namespace {

void call(int m, double alpha, char transa) {
  const int size = 8;
  const int one = 1;
  const double zero = 0;
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const BlacsGrid grid(1, ranks, "Row");
  const int descriptor[] = {1, grid.context, size, size, 2, 2, 0, 0, size};
  std::vector<double> local(64);
  tombolo_pdgemm_(&transa, "N", &m, &size, &size, &alpha, local.data(), &one, &one, descriptor, local.data(), &one,
                  &one, descriptor, &zero, local.data(), &one, &one, descriptor);
}

bool on_rank_1() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 1;
}

}  // namespace

TEST_CASE("another alpha on a rank", "[.]") {
  call(8, on_rank_1() ? 0 : 1, 'N');
}

TEST_CASE("more rows than there are", "[.]") {
  call(9, 1, 'N');
}

TEST_CASE("an unknown letter on a rank", "[.]") {
  call(8, 1, on_rank_1() ? 'X' : 'N');
}
