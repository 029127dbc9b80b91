#include <cstddef>
#include <vector>

#include <catch2/catch.hpp>
#include <malloc.h>
#include <mpi.h>

#include <tombolo/framework/mpi/clusters_attribute.hpp>
#include <tombolo/platform/description/members.hpp>
#include <tombolo/session.hpp>

#include "collectives/mpi/world.hpp"
#include "platform/random_platform.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;
using test::World;

namespace {

// As a program reads it that knows no more than the header.
bool reads(MPI_Comm communicator, const LevelColors& expected) {
  const ClustersAttribute* clusters = nullptr;
  int found = 0;
  MPI_Comm_get_attr(communicator, clusters_keyval(), &clusters, &found);
  if (found == 0 || clusters->ranks != static_cast<int>(expected.colors.size())) return false;
  for (std::size_t rank = 0; rank < expected.colors.size(); ++rank) {
    const std::vector<int>& colors = expected.colors[rank];
    if (clusters->depths[rank] != static_cast<int>(colors.size())) return false;
    for (std::size_t level = 0; level < colors.size(); ++level) {
      if (clusters->colors[rank][level] != colors[level]) return false;
      if (clusters->kinds[rank][level] != expected.kinds[rank][level]) return false;
    }
  }
  return true;
}

std::size_t memory_in_use() {
  const auto figures = mallinfo2();
  return figures.uordblks + figures.hblkhd;
}

}  // namespace

TEST_CASE("clusters are an attribute that duplicates carry and parts do not") {
  const World world;
  const Platform platform = RandomPlatform(3).make(world.ranks);
  const LevelColors levels = level_colors(platform, all_in_order(world.ranks));
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_SELF, &communicator);  // which has none
  CHECK(agreed(find_clusters(communicator) == nullptr));
  MPI_Comm_free(&communicator);
  MPI_Comm_split(MPI_COMM_WORLD, 0, world.rank, &communicator);
  const ClustersAttribute& clusters = set_clusters(communicator, levels);
  CHECK(agreed(reads(communicator, levels)));
  CHECK(agreed(&clusters == find_clusters(communicator)));
  CHECK(agreed(&clusters == &set_clusters(communicator, levels)));  // what was read stays good

  MPI_Comm twin = MPI_COMM_NULL;
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_dup(communicator, &twin);
  MPI_Comm_split(communicator, 0, world.rank, &part);
  CHECK(agreed(reads(twin, levels)));
  CHECK(agreed(find_clusters(part) == nullptr));
  const LevelColors others = level_colors(RandomPlatform(4).make(world.ranks + 3), all_in_order(world.ranks));
  set_clusters(communicator, others);
  CHECK(agreed(reads(communicator, others) && reads(twin, levels)));
  MPI_Comm_free(&communicator);
  CHECK(agreed(reads(twin, levels)));
  MPI_Comm_delete_attr(twin, clusters_keyval());
  CHECK(agreed(find_clusters(twin) == nullptr));
  MPI_Comm_free(&part);
  MPI_Comm_free(&twin);
}

TEST_CASE("what a communicator had of its clusters goes with it") {
  constexpr int many = 50;
  constexpr std::size_t numbers = 100'000;
  const LevelColors large{{std::vector<int>(numbers)}, {std::vector<Level::Kind>(numbers)}};
  const auto round = [&] {
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Comm twin = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_SELF, &communicator);
    set_clusters(communicator, large);
    MPI_Comm_dup(communicator, &twin);
    MPI_Comm_free(&communicator);
    MPI_Comm_free(&twin);
  };
  round();
  MPI_Barrier(MPI_COMM_WORLD);
  const std::size_t before = memory_in_use();
  for (int i = 0; i < many; ++i) round();
  MPI_Barrier(MPI_COMM_WORLD);
  const std::size_t after = memory_in_use();
  CHECK(agreed(after < before + many / 2 * numbers * sizeof(int)));
}

TEST_CASE("a session gives its clusters to its own communicator and to those it plans on") {
  static int argc = 0;
  static char** argv = nullptr;
  Session session(argc, argv);
  session.discover_or_load();
  const auto of = [&](const std::vector<Rank>& members) { return level_colors(session.platform(), members); };
  const std::vector<Rank> all = all_in_order(session.ranks());
  session.make_collectives(Session::Kind::tombolo);
  CHECK(agreed(reads(session.communicator(), of(all))));
  session.clusters(MPI_COMM_SELF);
  CHECK(agreed(reads(MPI_COMM_SELF, of({session.rank()}))));
  MPI_Comm reversed = MPI_COMM_NULL;
  MPI_Comm_split(session.communicator(), 0, -session.rank(), &reversed);
  CHECK(agreed(find_clusters(reversed) == nullptr));
  session.make_collectives(Session::Kind::tombolo, reversed);
  CHECK(agreed(reads(reversed, of({all.rbegin(), all.rend()}))));
  // Whoever shares my innermost level.
  const ClustersAttribute& clusters = session.clusters(MPI_COMM_WORLD);
  const int innermost = clusters.depths[session.rank()] - 1;
  MPI_Comm near = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, clusters.colors[session.rank()][innermost], session.rank(), &near);
  int neighbours = 0;
  MPI_Comm_size(near, &neighbours);
  CHECK(agreed(neighbours >= 1 && neighbours <= session.ranks()));
  CHECK(agreed(session.clusters(near).colors[0][0] == 0));
  MPI_Comm_free(&near);
  MPI_Comm_free(&reversed);
  MPI_Comm_delete_attr(MPI_COMM_SELF, clusters_keyval());
  MPI_Comm_delete_attr(MPI_COMM_WORLD, clusters_keyval());
}
