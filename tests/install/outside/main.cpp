// A program of another project: ranks square their shares of a vector and add up what they got; rank 0 checks it all.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

#include <tombolo/tombolo.hpp>

int main(int argc, char** argv) {
  tombolo::Session session(argc, argv);
  session.use_threads(1);
  const auto speeds = session.measure_gemm<double>({.m = 100, .n = 100, .k = 100});
  const auto collectives = session.make_collectives(tombolo::Session::Kind::tombolo);

  std::int64_t n = session.rank() == 0 ? 1000 : 0;
  collectives->bcast(&n, 1, MPI_INT64_T, 0);
  const tombolo::Blocks shares(tombolo::proportional_shares(n, speeds));

  std::vector<std::int64_t> all(static_cast<std::size_t>(n));
  if (session.rank() == 0) std::iota(all.begin(), all.end(), 0);
  std::vector<std::int64_t> mine(static_cast<std::size_t>(shares.count(session.rank())));
  collectives->scatterv(all.data(), shares, mine.data(), MPI_INT64_T, 0);
  for (std::int64_t& x : mine) x *= x;
  collectives->gatherv(mine.data(), shares, all.data(), MPI_INT64_T, 0);

  const std::int64_t part = std::accumulate(mine.begin(), mine.end(), std::int64_t{0});
  std::int64_t sum = 0;
  collectives->reduce(&part, &sum, 1, MPI_INT64_T, MPI_SUM, 0);

  if (session.rank() != 0) return 0;
  for (std::int64_t i = 0; i < n; ++i) {
    if (all[static_cast<std::size_t>(i)] != i * i) return 1;
  }
  if (sum != (n - 1) * n * (2 * n - 1) / 6) return 1;
  std::printf("%d ranks: all squares are right\n", session.ranks());
  return 0;
}
