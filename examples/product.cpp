// C = A B + C of matrices in the block-cyclic distribution of ScaLAPACK, computed in rectangles as large as each rank's
// speed says.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include <tombolo/tombolo.hpp>

int main(int argc, char** argv) {
  using tombolo::Session;
  Session session(argc, argv);
  session.use_threads();
  const auto collectives = session.make_collectives(Session::Kind::tombolo);

  const std::int64_t n = 300;
  const tombolo::BlockCyclic blocks{.block = {64, 64}, .grid_rows = 1, .grid_columns = session.ranks()};
  const auto everyones = tombolo::block_cyclic({n, n}, blocks, session.ranks());
  const auto size = static_cast<std::size_t>(everyones.elements(session.rank()));
  std::vector<double> a(size, 2);
  std::vector<double> b(size, 3);
  std::vector<double> c(size, 1);

  multiply(session, *collectives, 1.0, {everyones, a.data()}, {everyones, b.data()}, 1.0, everyones, c.data());

  for (const double element : c) {
    if (element == 6.0 * static_cast<double>(n) + 1) continue;
    fmt::print(stderr, "an element is {}\n", element);
    return 1;
  }
  if (session.rank() == 0) fmt::print("all of C is right\n");
  return 0;
}
