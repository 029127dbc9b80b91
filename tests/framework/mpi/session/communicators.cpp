// Planned collectives on communicators of part of the ranks, of any shape.
#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/collectives/mpi/native.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/framework/mpi/session/members_of.hpp>
#include <tombolo/platform/description/members.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/shared_in_process.hpp>
#include <tombolo/session.hpp>

#include "collectives/mpi/world.hpp"
#include "collectives/requests.hpp"
#include "models/figured_platform.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;
using test::Spread;
using test::World;

namespace {

/// A communicator that this rank is in, or null; freed where it was made.
class Made {
 public:
  explicit Made(MPI_Comm communicator) : communicator_(communicator) {}
  ~Made() {
    if (*this && communicator_ != MPI_COMM_WORLD && communicator_ != MPI_COMM_SELF) MPI_Comm_free(&communicator_);
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  MPI_Comm get() const { return communicator_; }
  explicit operator bool() const { return communicator_ != MPI_COMM_NULL; }

 private:
  MPI_Comm communicator_;
};

MPI_Comm split(int color, int key) {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, color, key, &part);
  return part;
}

/// Every shape of part, and what it is.
std::vector<std::pair<std::string, std::function<MPI_Comm()>>> shapes() {
  const World world;
  return {{"all in order", [=] { return split(0, world.rank); }},
          {"all, reversed", [=] { return split(0, -world.rank); }},
          {"odd and even, reversed", [=] { return split(world.rank % 2, -world.rank); }},
          {"halves", [=] { return split(2 * world.rank / world.ranks, world.rank); }},
          {"singles", [=] { return split(world.rank, 0); }},
          {"itself", [] { return MPI_COMM_SELF; }},
          {"all but one", [=] { return split(world.rank == world.ranks / 2 ? MPI_UNDEFINED : 0, world.rank); }}};
}

/// Ranks of the world as if they were those of three sites.
Platform sites(int ranks) {
  std::vector<std::vector<int>> hosts(static_cast<std::size_t>(std::min(ranks, 3)));
  for (int rank = 0; rank < ranks; ++rank) hosts[static_cast<std::size_t>(rank) % hosts.size()].push_back(1);
  return with_figures(clusters_of_hosts(hosts), 1);
}

/// What an operation leaves where it promises something.
std::vector<std::int64_t> result(Collectives& collectives, const Request& whole) {
  const Rank me = collectives.rank();
  const Contract promised = contract(whole, me);
  const auto room = [](std::int64_t elements) {
    return std::vector<std::int64_t>(static_cast<std::size_t>(elements + 1));
  };
  std::vector<std::int64_t> input = room(promised.input_size);
  std::vector<std::int64_t> output = room(promised.output_size);
  for (const Content& content : promised.before) {
    auto& buffer = content.piece.buffer == Buffer::input ? input : output;
    for (std::int64_t i = content.piece.offset; i < content.piece.end(); ++i) {
      buffer[static_cast<std::size_t>(i)] = std::int64_t{1000} * (me + 1) + i;
    }
  }
  collectives.run(whole.seen_by(me), input.data(), output.data(), MPI_INT64_T, MPI_SUM);
  std::vector<std::int64_t> found;
  for (const Content& content : promised.after) {
    for (std::int64_t i = content.piece.offset; i < content.piece.end(); ++i) {
      found.push_back(output[static_cast<std::size_t>(i)]);
    }
  }
  return found;
}

/// Whether all operations do what MPI's own do.
bool right(MPI_Comm communicator, Collectives& planned) {
  NativeCollectives native(communicator);
  std::mt19937 random(7);
  bool good = true;
  for (const Operation operation : all_operations()) {
    const Rank root = is_rooted(operation) ? native.ranks() - 1 : 0;
    const Request request = test::request(operation, native.ranks(), root, Spread::uneven, random);
    good = result(planned, request) == result(native, request) && good;
  }
  return good;
}

PlannedCollectives& plans(const std::unique_ptr<Collectives>& collectives) {
  return dynamic_cast<PlannedCollectives&>(*collectives);
}

std::string complaint(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

Session make_session() {
  static int argc = 0;
  static char** argv = nullptr;
  return Session(argc, argv);
}

}  // namespace

TEST_CASE("the members of a communicator are ranks of the world, in its own order") {
  const World world;
  CHECK(agreed(members_of(MPI_COMM_WORLD, MPI_COMM_WORLD) == all_in_order(world.ranks)));
  CHECK(agreed(members_of(MPI_COMM_SELF, MPI_COMM_WORLD) == std::vector<Rank>{world.rank}));
  const Made reversed(split(world.rank % 2, -world.rank));
  std::vector<Rank> expected;
  for (Rank rank = world.ranks - 1; rank >= 0; --rank) {
    if (rank % 2 == world.rank % 2) expected.push_back(rank);
  }
  CHECK(agreed(members_of(reversed.get(), MPI_COMM_WORLD) == expected));
}

TEST_CASE("communicators on which nothing can be planned are refused in one line, the same on all their ranks") {
  const World world;
  const auto words = [](MPI_Comm part, MPI_Comm whole) { return complaint([=] { members_of(part, whole); }); };
  CHECK(agreed(words(MPI_COMM_NULL, MPI_COMM_WORLD).starts_with("no communicator: MPI_COMM_NULL; ")));
  if (world.ranks == 1) return;
  const Made half(split(world.rank % 2, world.rank));
  // The first rank of the world that is not in this half.
  const std::string stranger = world.rank % 2 == 0 ? "rank 1 of " : "rank 0 of ";
  CHECK(agreed(words(MPI_COMM_WORLD, half.get()).starts_with(stranger)));
  if (machine::simulated()) return;  // which has no intercommunicators
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Intercomm_create(half.get(), 0, MPI_COMM_WORLD, 1 - world.rank % 2, 0, &between);
  CHECK(agreed(words(between, MPI_COMM_WORLD).starts_with("an intercommunicator")));
  MPI_Comm_free(&between);
}

TEST_CASE("every operation is right on communicators of every shape, planned as for ranks of three sites") {
  const World world;
  const auto whole =
      shared_in_process<Planner>(MPI_COMM_WORLD, [&] { return std::make_shared<Planner>(sites(world.ranks)); });
  for (const auto& [name, make] : shapes()) {
    INFO(name);
    const Made part(make());
    bool good = true;
    if (part) {
      PlannedCollectives planned(part.get(), whole->on(members_of(part.get(), MPI_COMM_WORLD)));
      good = right(part.get(), planned);
    }
    CHECK(agreed(good));
  }
}

TEST_CASE("a session plans on any part of its ranks, once it knows its platform") {
  Session session = make_session();
  const Made part(split(session.rank() % 2, -session.rank()));
  const Made other(split(session.rank() / 2, session.rank()));
  if (session.ranks() > 1) {
    const std::string early =
        complaint([&] { session.make_collectives(Session::Kind::tombolo, MPI_COMM_SELF)->barrier(); });
    CHECK(agreed(early.starts_with("the session has no planner yet: discover_or_load() before")));
    CHECK(agreed(complaint([&] { session.clusters(MPI_COMM_SELF); }).starts_with("the session has no platform yet")));
    session.make_collectives(Session::Kind::native, part.get())->barrier();  // takes no platform
  }
  session.discover_or_load();
  for (const auto kind : {Session::Kind::native, Session::Kind::tombolo}) {
    const auto mine = session.make_collectives(kind, part.get());
    CHECK(agreed(right(part.get(), *mine)));
  }
  const auto first = session.make_collectives(Session::Kind::tombolo, part.get());
  const auto second = session.make_collectives(Session::Kind::tombolo, other.get());
  const auto again = session.make_collectives(Session::Kind::tombolo, part.get());
  CHECK(agreed(plans(first).planner() == plans(again).planner()));
  // Both are under way at a time.
  const std::int64_t mine = session.rank();
  std::int64_t sums[2] = {};
  const auto sum_up = [&](PlannedCollectives& on, std::int64_t& sum) {
    return on.start(Request::allreduce(on.ranks(), 1, 8), &mine, &sum, MPI_INT64_T, MPI_SUM);
  };
  Pending one = sum_up(plans(first), sums[0]);
  Pending two = sum_up(plans(second), sums[1]);
  std::int64_t number = first->rank() == 0 ? 100 + session.rank() % 2 : -1;
  again->bcast(&number, 1, MPI_INT64_T, 0);
  two.wait();
  one.wait();
  std::int64_t expected[2] = {};
  for (Rank rank = 0; rank < session.ranks(); ++rank) {
    if (rank % 2 == session.rank() % 2) expected[0] += rank;
    if (rank / 2 == session.rank() / 2) expected[1] += rank;
  }
  CHECK(agreed(number == 100 + session.rank() % 2));
  CHECK(agreed(sums[0] == expected[0]));
  CHECK(agreed(sums[1] == expected[1]));
}

TEST_CASE("ranks of one communicator share a planner where they share memory, and the whole one on all ranks") {
  Session session = make_session();
  session.discover_or_load();
  const Made part(split(session.rank() % 2, session.rank()));
  const auto mine = session.make_collectives(Session::Kind::tombolo, part.get());
  const void* shared = plans(mine).planner().get();
  MPI_Bcast(&shared, sizeof shared, MPI_BYTE, 0, part.get());
  CHECK(agreed(!machine::simulated() || shared == plans(mine).planner().get()));
  const auto all = session.make_collectives(Session::Kind::tombolo, MPI_COMM_WORLD);
  CHECK(agreed(plans(all).planner() == session.planner()));
  const Made reversed(split(0, -session.rank()));
  const auto turned = session.make_collectives(Session::Kind::tombolo, reversed.get());
  CHECK(agreed((plans(turned).planner() == session.planner()) == (session.ranks() == 1)));
}
