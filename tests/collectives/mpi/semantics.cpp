// What MPI promises beyond the bare movement: datatypes with gaps, operations that do not commute, messages beyond an
// int, calls that follow one another closely; and that planned and native collectives give the same.

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/collectives/mpi/native.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/units.hpp>

#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

namespace {

const auto planner = std::make_shared<Planner>(Hockney({.latency = 1'000'000, .rate = 1'000'000'000}));

/// 2 x 2 matrices of integers modulo 2^64: multiplication is associative and does not commute.
struct Matrix {
  std::uint64_t e[4];
  bool operator==(const Matrix& other) const { return std::equal(e, e + 4, other.e); }
};

Matrix product(const Matrix& x, const Matrix& y) {
  return {{x.e[0] * y.e[0] + x.e[1] * y.e[2], x.e[0] * y.e[1] + x.e[1] * y.e[3], x.e[2] * y.e[0] + x.e[3] * y.e[2],
           x.e[2] * y.e[1] + x.e[3] * y.e[3]}};
}

void multiply(void* in, void* inout, int* count, MPI_Datatype*) {  // NOLINT(readability-non-const-parameter): MPI's
  const auto* left = static_cast<const Matrix*>(in);
  auto* right = static_cast<Matrix*>(inout);
  for (int i = 0; i < *count; ++i) right[i] = product(left[i], right[i]);
}

Matrix of_rank(Rank rank, std::size_t i) {
  const auto r = static_cast<std::uint64_t>(rank);
  return {{r + 1, 2 * r + i, 3, r * i + 1}};
}

std::vector<std::unique_ptr<Collectives>> both() {
  std::vector<std::unique_ptr<Collectives>> result;
  result.push_back(std::make_unique<NativeCollectives>(MPI_COMM_WORLD));
  result.push_back(std::make_unique<PlannedCollectives>(MPI_COMM_WORLD, planner));
  return result;
}

}  // namespace

TEST_CASE("operands of an operation that does not commute keep their order, for every root, in place and not") {
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(multiply, 0, &op);
  const Datatype type = Datatype::contiguous(4, MPI_UINT64_T);
  for (const auto& collectives : both()) {
    const Rank me = collectives->rank();
    const int ranks = collectives->ranks();
    const std::size_t count = 5;
    std::vector<Matrix> mine(count);
    std::vector<Matrix> expected(count);
    for (std::size_t i = 0; i < count; ++i) {
      mine[i] = of_rank(me, i);
      expected[i] = of_rank(0, i);
      for (Rank rank = 1; rank < ranks; ++rank) expected[i] = product(expected[i], of_rank(rank, i));
    }
    for (Rank root = 0; root < ranks; ++root) {
      std::vector<Matrix> result(count);
      collectives->reduce(mine.data(), result.data(), count, type, op, root);
      bool good = me != root || result == expected;
      std::vector<Matrix> in_place = mine;
      collectives->reduce(me == root ? MPI_IN_PLACE : static_cast<const void*>(mine.data()), in_place.data(), count,
                          type, op, root);
      good = good && (me != root || in_place == expected);
      INFO(collectives->name() << " root " << root);
      CHECK(agreed(good));
    }
  }
  MPI_Op_free(&op);
}

TEST_CASE("elements with gaps travel without what lies in the gaps") {
  MPI_Datatype gapped = MPI_DATATYPE_NULL;  // two ints of every four
  MPI_Type_vector(2, 1, 2, MPI_INT, &gapped);
  MPI_Datatype element = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(gapped, 0, 4 * sizeof(int), &element);
  MPI_Type_commit(&element);
  for (const auto& collectives : both()) {
    const Rank me = collectives->rank();
    const int ranks = collectives->ranks();
    std::vector<std::int64_t> counts;
    for (int rank = 0; rank < ranks; ++rank) counts.push_back(rank % 3 + 1);
    const Blocks blocks(counts);
    const Rank root = ranks / 2;
    const auto ints = [](std::int64_t elements) { return static_cast<std::size_t>(elements * 4); };
    std::vector<int> all(ints(blocks.total()), -1);
    if (me == root) std::iota(all.begin(), all.end(), 0);
    std::vector<int> block(ints(blocks.count(me)), -7);
    collectives->scatterv(all.data(), blocks, block.data(), element, root);
    bool good = true;
    for (std::size_t i = 0; i < block.size(); ++i) {
      const int sent = static_cast<int>(ints(blocks.offset(me)) + i);
      good = good && block[i] == (i % 2 == 0 ? sent : -7);
    }
    std::vector<int> back(ints(blocks.total()), -9);
    collectives->gatherv(block.data(), blocks, back.data(), element, root);
    for (std::size_t i = 0; me == root && i < back.size(); ++i) {
      good = good && back[i] == (i % 2 == 0 ? static_cast<int>(i) : -9);
    }
    INFO(collectives->name());
    CHECK(agreed(good));
  }
  MPI_Type_free(&element);
  MPI_Type_free(&gapped);
}

TEST_CASE("calls that follow one another closely do not mix, whatever the root and the size") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  const int ranks = planned.ranks();
  bool good = true;
  for (int call = 0; call < 60; ++call) {
    const Rank root = call * 7 % ranks;
    std::vector<int> vector(static_cast<std::size_t>(call * call % 300), planned.rank() == root ? call : -1);
    planned.bcast(vector.data(), static_cast<std::int64_t>(vector.size()), MPI_INT, root);
    good = good && std::all_of(vector.begin(), vector.end(), [call](int x) { return x == call; });
  }
  CHECK(agreed(good));
}

TEST_CASE("planned and native give the same, counts known everywhere and only as in MPI") {
  const auto all = both();
  Collectives& native = *all[0];
  Collectives& planned = *all[1];
  const Rank me = native.rank();
  const int ranks = native.ranks();
  for (const Rank root : {0, ranks - 1}) {
    for (const Knowledge knowledge : {Knowledge::everywhere, Knowledge::as_in_mpi}) {
      std::vector<std::int64_t> counts;
      for (int rank = 0; rank < ranks; ++rank) counts.push_back((rank * 5 + 3) % 11);
      const Blocks whole(counts);
      const auto total = static_cast<std::size_t>(whole.total());
      const auto own = static_cast<std::size_t>(whole.count(me));
      const Blocks seen = knowledge == Knowledge::everywhere || me == root
                              ? whole
                              : Request::gatherv(root, whole, 8).knowing(Knowledge::as_in_mpi).seen_by(me).blocks;
      std::vector<double> block(own);
      std::iota(block.begin(), block.end(), 100.0 * me);
      std::vector<double> by_native(total, -1);
      std::vector<double> by_plan(total, -1);
      native.gatherv(block.data(), seen, by_native.data(), MPI_DOUBLE, root, knowledge);
      planned.gatherv(block.data(), seen, by_plan.data(), MPI_DOUBLE, root, knowledge);
      std::vector<double> from_native(own, -1);
      std::vector<double> from_plan(own, -1);
      native.scatterv(by_native.data(), seen, from_native.data(), MPI_DOUBLE, root, knowledge);
      planned.scatterv(by_native.data(), seen, from_plan.data(), MPI_DOUBLE, root, knowledge);
      CHECK(agreed(by_native == by_plan && from_native == from_plan && from_plan == block));
    }
  }
  std::vector<std::int64_t> to;
  std::vector<std::int64_t> from;
  for (Rank rank = 0; rank < ranks; ++rank) {
    to.push_back((me * 3 + rank) % 5);
    from.push_back((rank * 3 + me) % 5);
  }
  const Blocks sends(to);
  const Blocks receives(from);
  std::vector<int> out(static_cast<std::size_t>(sends.total()));
  std::iota(out.begin(), out.end(), 1000 * me);
  std::vector<int> by_native(static_cast<std::size_t>(receives.total()), -1);
  std::vector<int> by_plan = by_native;
  native.alltoallv(out.data(), sends, by_native.data(), receives, MPI_INT);
  planned.alltoallv(out.data(), sends, by_plan.data(), receives, MPI_INT);
  CHECK(agreed(by_native == by_plan));
}

TEST_CASE("an exchange that is a product gives the same, native and planned, and as its rows and columns") {
  const auto all = both();
  const Rank me = all[0]->rank();
  const int ranks = all[0]->ranks();
  // Again and again, so that kept plans of like exchanges must not be mixed up.
  for (int call = 0; call < 6; ++call) {
    std::vector<std::int64_t> rows;
    std::vector<std::int64_t> columns;
    for (Rank rank = 0; rank < ranks; ++rank) {
      rows.push_back((rank * 5 + call % 3) % 4);
      columns.push_back((rank * 3 + 1) % 7);
    }
    const AlltoallCounts exchange = AlltoallCounts::product(Blocks(rows), Blocks(columns));
    std::vector<int> out(static_cast<std::size_t>(exchange.sends(me).total()));
    std::iota(out.begin(), out.end(), 1000 * me);
    std::vector<int> expected(static_cast<std::size_t>(exchange.receives(me).total()), -1);
    all[0]->alltoallv(out.data(), exchange.sends(me), expected.data(), exchange.receives(me), MPI_INT);
    for (const auto& collectives : all) {
      std::vector<int> in(expected.size(), -1);
      collectives->alltoallv(out.data(), exchange, in.data(), MPI_INT);
      INFO(collectives->name());
      CHECK(agreed(in == expected));
    }
  }
}

TEST_CASE("more than 2^31 elements in one message arrive") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  if (planned.ranks() != 2) return;  // 4.6 GB on two ranks is enough
  constexpr std::int64_t count = (std::int64_t{1} << 31) + 12'345;
  const auto expected = [](std::size_t i) { return static_cast<char>(i / 4099); };
  constexpr std::size_t stride = 4099;  // enough of them, and it does not take longer than sending
  std::vector<char> vector(static_cast<std::size_t>(count));
  for (std::size_t i = 0; planned.rank() == 0 && i < vector.size(); i += stride) vector[i] = expected(i);
  if (planned.rank() == 0) vector.back() = 5;
  const Plan whole(Request::bcast(2, 0, count, 1), bcast_flat);
  planned.run(whole, nullptr, vector.data(), MPI_CHAR);
  bool good = vector.back() == 5;
  for (std::size_t i = 0; i < vector.size(); i += stride) good = good && vector[i] == expected(i);
  CHECK(agreed(good));
}

TEST_CASE("blocks that are not as many as ranks are refused, before any message") {
  std::vector<std::int64_t> from(100);
  std::vector<std::int64_t> to(100);
  for (const auto& collectives : both()) {
    const int ranks = collectives->ranks();
    for (const int blocks : {0, ranks - 1, ranks + 1, 2 * ranks}) {
      const Blocks wrong = Blocks::equal(blocks, 1);
      const Blocks right = Blocks::equal(ranks, 1);
      const Blocks uneven(std::vector<std::int64_t>(static_cast<std::size_t>(blocks), 1));
      const void* const in = from.data();
      void* const out = to.data();
      const MPI_Datatype type = MPI_INT64_T;
      const std::vector<std::pair<std::string, std::function<void()>>> calls = {
          {"scatterv", [&] { collectives->scatterv(in, wrong, out, type, ranks - 1); }},
          {"scatterv", [&] { collectives->scatterv(in, wrong, out, type, 0, Knowledge::as_in_mpi); }},
          {"gatherv", [&] { collectives->gatherv(in, wrong, out, type, ranks - 1); }},
          {"allgatherv", [&] { collectives->allgatherv(in, wrong, out, type); }},
          {"reduce_scatter", [&] { collectives->reduce_scatter(in, out, wrong, type, MPI_SUM); }},
          {"alltoallv", [&] { collectives->alltoallv(in, wrong, out, right, type); }},
          {"alltoallv", [&] { collectives->alltoallv(in, right, out, wrong, type); }},
          {"alltoallv", [&] { collectives->alltoallv(in, AlltoallCounts::equal(blocks, 1), out, type); }},
          {"alltoallv", [&] { collectives->alltoallv(in, AlltoallCounts::product(wrong, wrong), out, type); }},
          {"alltoallv", [&] { collectives->alltoallv(in, AlltoallCounts::product(uneven, uneven), out, type); }}};
      for (const auto& [operation, call] : calls) {
        std::string words;
        try {
          // A rank alone: nobody else is there to send to.
          if (collectives->rank() == blocks % ranks) call();
        } catch (const Error& error) {
          words = error.what();
        }
        const bool mine = collectives->rank() == blocks % ranks;
        INFO(collectives->name() << " " << operation << ": " << words);
        CHECK(agreed(!mine || (words.starts_with(operation + " of " + std::to_string(blocks) + " block") &&
                               words.find("; give one block per rank") != std::string::npos)));
      }
    }
    const std::size_t fewer = static_cast<std::size_t>(ranks) - 1;
    const AlltoallCounts matrix = AlltoallCounts::matrix(std::vector(fewer, std::vector<std::int64_t>(fewer, 1)));
    for (const AlltoallCounts& exchange : {AlltoallCounts(), matrix}) {
      CHECK_THROWS_AS(collectives->alltoallv(from.data(), exchange, to.data(), MPI_INT64_T), Error);
    }
    collectives->barrier();
  }
}

TEST_CASE("a bcast has its buffer on every rank") {
  for (const auto& collectives : both()) {
    CHECK_THROWS_AS(collectives->bcast(MPI_IN_PLACE, 3, MPI_DOUBLE, 0), Error);
    collectives->barrier();
  }
}

TEST_CASE("a request for other numbers of ranks is refused") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  const Request other = Request::barrier(planned.ranks() + 1);
  CHECK_THROWS_AS(planned.run(other, nullptr, nullptr, MPI_BYTE), Error);
  CHECK_THROWS_AS(planned.start(other, nullptr, nullptr, MPI_BYTE), Error);
  CHECK_THROWS_AS(planned.persistent(other, nullptr, nullptr, MPI_BYTE), Error);
}
