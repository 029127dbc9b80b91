// Shares in proportion to speed, moved by planned collectives: every rank doubles its share of a vector on rank 0.

#include <cstdint>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include <tombolo/tombolo.hpp>

int main(int argc, char** argv) {
  tombolo::Session session(argc, argv);
  session.use_threads();

  const std::int64_t n = 100'000;
  const auto speeds = session.measure_gemm<double>({.m = 200, .n = 200, .k = 200});
  const tombolo::Blocks shares(tombolo::proportional_shares(n, speeds));
  const auto collectives = session.make_collectives(tombolo::Session::Kind::tombolo);

  std::vector<double> all(session.rank() == 0 ? n : 0);
  std::iota(all.begin(), all.end(), 0.0);
  std::vector<double> mine(static_cast<std::size_t>(shares.count(session.rank())));
  collectives->scatterv(all.data(), shares, mine.data(), MPI_DOUBLE, 0);
  for (double& x : mine) x *= 2;
  collectives->gatherv(mine.data(), shares, all.data(), MPI_DOUBLE, 0);

  if (session.rank() != 0) return 0;
  for (std::int64_t i = 0; i < n; ++i) {
    if (all[static_cast<std::size_t>(i)] == 2.0 * static_cast<double>(i)) continue;
    fmt::print(stderr, "element {} is wrong\n", i);
    return 1;
  }
  for (int rank = 0; rank < session.ranks(); ++rank) fmt::print("rank {} doubled {}\n", rank, shares.count(rank));
  return 0;
}
