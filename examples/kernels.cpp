// A kernel of one's own: how fast each rank sorts, by how much it has to sort, and shares by that.

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <fmt/format.h>

#include <tombolo/tombolo.hpp>

namespace {

// Returns the operations, here elements.
double sort(std::int64_t elements) {
  std::minstd_rand random(1);
  std::vector<std::uint32_t> values(static_cast<std::size_t>(elements));
  std::generate(values.begin(), values.end(), [&] { return static_cast<std::uint32_t>(random()); });
  std::sort(values.begin(), values.end());
  return static_cast<double>(elements);
}

}  // namespace

int main(int argc, char** argv) {
  tombolo::Session session(argc, argv);
  session.use_threads();

  tombolo::register_kernel(tombolo::kernel_of("sort", "elements", {1000, 10'000, 100'000, 1'000'000}, sort));
  const auto speeds = tombolo::speeds_of(session, "sort");
  const auto shares = tombolo::functional_shares(5'000'000, speeds, 1);

  if (session.rank() != 0) return 0;
  for (std::size_t rank = 0; rank < shares.size(); ++rank) {
    fmt::print("rank {} sorts {} in {:.3f} s\n", rank, shares[rank],
               tombolo::seconds(speeds[rank].time(shares[rank], shares[rank])));
  }
  return 0;
}
