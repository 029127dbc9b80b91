#include <algorithm>
#include <complex>
#include <cstddef>
#include <numeric>

#include <fmt/format.h>

#include <tombolo/framework/transpose.hpp>
#include <tombolo/framework/transpose_blocks.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {
namespace {

using Shares = std::span<const std::int64_t>;

void check(const TransposeShares& shares, int rank) {
  if (shares.a_rows.size() != shares.b_rows.size()) {
    throw Error(fmt::format("{} shares of A and {} of its transpose", shares.a_rows.size(), shares.b_rows.size()),
                "give one of each per rank");
  }
  if (rank < 0 || rank >= std::ssize(shares.a_rows)) {
    throw Error(fmt::format("rank {} of {}", rank, shares.a_rows.size()), "give a rank that has a share");
  }
  for (const Shares each : {shares.a_rows, shares.b_rows}) {
    const auto negative = std::find_if(each.begin(), each.end(), [](std::int64_t rows) { return rows < 0; });
    if (negative != each.end()) throw Error(fmt::format("a share of {} rows", *negative), "give shares of 0 or more");
  }
}

std::int64_t of(Shares shares, int rank) {
  return shares[static_cast<std::size_t>(rank)];
}

std::int64_t sum(Shares shares) {
  return std::accumulate(shares.begin(), shares.end(), std::int64_t{0});
}

std::vector<std::int64_t> multiplied(Shares shares, std::int64_t factor) {
  std::vector<std::int64_t> products(shares.size());
  std::transform(shares.begin(), shares.end(), products.begin(), [&](std::int64_t share) { return share * factor; });
  return products;
}

}  // namespace

std::vector<std::int64_t> transpose_send_counts(const TransposeShares& shares, int rank) {
  check(shares, rank);
  return multiplied(shares.b_rows, of(shares.a_rows, rank));
}

std::vector<std::int64_t> transpose_receive_counts(const TransposeShares& shares, int rank) {
  check(shares, rank);
  return multiplied(shares.a_rows, of(shares.b_rows, rank));
}

template <Element T>
void pack_transposed(const TransposeShares& shares, int rank, const T* a_slice, T* send) {
  check(shares, rank);
  // The blocks are rows of the transposed slice, in order: all of them together are that slice.
  const std::int64_t rows = of(shares.a_rows, rank);
  const std::int64_t columns = sum(shares.b_rows);
  transpose(rows, columns, a_slice, columns, send, rows);
}

template <Element T>
void unpack_transposed(const TransposeShares& shares, int rank, const T* receive, T* b_slice) {
  check(shares, rank);
  const std::int64_t rows = of(shares.b_rows, rank);
  // Row by row, so that the lines of B where two blocks meet are written once.
  for (std::int64_t row = 0; row < rows; ++row) {
    const T* block = receive;
    for (const std::int64_t wide : shares.a_rows) {
      b_slice = std::copy_n(block + row * wide, wide, b_slice);
      block += rows * wide;
    }
  }
}

template void pack_transposed(const TransposeShares&, int, const float*, float*);
template void pack_transposed(const TransposeShares&, int, const double*, double*);
template void pack_transposed(const TransposeShares&, int, const std::complex<float>*, std::complex<float>*);
template void pack_transposed(const TransposeShares&, int, const std::complex<double>*, std::complex<double>*);
template void unpack_transposed(const TransposeShares&, int, const float*, float*);
template void unpack_transposed(const TransposeShares&, int, const double*, double*);
template void unpack_transposed(const TransposeShares&, int, const std::complex<float>*, std::complex<float>*);
template void unpack_transposed(const TransposeShares&, int, const std::complex<double>*, std::complex<double>*);

}  // namespace tombolo
