// C = A B on ranks of any shares, in any panels, by either kind of collectives.
#include <tombolo/collectives/choose/tuning.hpp>
#include <tombolo/collectives/request/operation.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/platform/system/atomic_file.hpp>

#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;

namespace {

struct Case {
  GemmShape shape;
  Rank root = 0;
  DomainOptions domain = {};
};

// Whole numbers, so that the order of sums makes no difference.
template <class T>
void fill(std::span<T> data, int seed) {
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<T>(static_cast<int>(i * 7 + seed) % 11 - 5);
}

template <class T>
std::string product(Session& session, const Case& wanted, const ProgramOptions& options, int runs = 1) {
  const auto [m, n, k] = wanted.shape;
  Program program(session, "product", options);
  const Domain rows = program.domain("rows", m, wanted.domain);
  const auto a = program.array<T>("A", {m, k}, Distributed::over(rows).and_at(wanted.root));
  const auto b = program.array<T>("B", {k, n}, Distributed::everywhere().and_at(wanted.root));
  const auto c = program.array<T>("C", {m, n}, Distributed::over(rows).and_at(wanted.root));
  program.scatterv(a);
  program.bcast(b);
  program.compute("multiply", rows, any(std::max(2.0 * static_cast<double>(n * k), 1.0)), reads(a), whole(b), writes(c),
                  [n = n, k = k](const Range& range, auto of_a, auto all_b, auto of_c) {
                    gemm<T>({range.count(), n, k}, of_a.data(), all_b.data(), of_c.data());
                  });
  program.gatherv(c);
  program.prepare();
  bool right = true;
  for (int run = 0; run < runs; ++run) {
    fill(program.refill(a), 1 + run);
    fill(program.refill(b), 2 + run);
    program.fill(c, T{-99});
    const RunReport report = program.run();
    right = right && report.ran && report.tasks.size() == 4 && std::isfinite(report.seconds) && report.seconds > 0;
    if (session.rank() != wanted.root) continue;
    std::vector<T> expected(static_cast<std::size_t>(m * n));
    gemm<T>(wanted.shape, program.local(a).data(), program.local(b).data(), expected.data());
    right = right && std::ranges::equal(program.local(c), expected);
  }
  return agreed(right) ? "right" : program.explain();
}

}  // namespace

TEST_CASE("products by panels are those of gemm") {
  Session session = make_session();
  const Rank last = session.ranks() - 1;
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    for (const int panels : {0, 1, 2, 7}) {
      for (const Rank root : {0, last}) {
        // On many ranks either root in turns.
        if (session.ranks() > 3 && (root == last) == ((panels % 2 == 0) == (kind == Kind::native))) continue;
        const ProgramOptions how = options(session, kind, panels);
        INFO((kind == Kind::native ? "native " : "planned ") << panels << " panels, root " << root);
        CHECK(product<double>(session, {{40, 13, 9}, root}, how) == "right");
        CHECK(product<float>(session, {{3, 5, 4}, root}, how) == "right");
        CHECK(product<double>(session, {{23, 6, 5}, root, {.grain = 5}}, how, 2) == "right");
      }
    }
  }
}

TEST_CASE("ranks may have no rows, or all of them, and matrices may be of nothing") {
  Session session = make_session();
  const Rank root = session.ranks() / 2;
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    for (const int panels : {0, 3}) {
      const ProgramOptions how = options(session, kind, panels);
      CHECK(product<double>(session, {{30, 4, 5}, root, {.given = uneven_shares(30, session.ranks())}}, how) ==
            "right");
      std::vector<std::int64_t> all(static_cast<std::size_t>(session.ranks()), 0);
      all.back() = 30;
      CHECK(product<double>(session, {{30, 4, 5}, root, {.given = all}}, how) == "right");
      CHECK(product<double>(session, {{0, 4, 5}, root}, how) == "right");
      CHECK(product<double>(session, {{8, 0, 5}, root}, how) == "right");
      std::vector<std::int64_t> weights(20, 1);
      weights[3] = 40;
      CHECK(product<double>(session, {{20, 4, 5}, root, {.weights = weights}}, how) == "right");
    }
  }
}

TEST_CASE("products of several runs, without overlap and on ranks of different speeds") {
  Session session = make_session();
  ProgramOptions how = options(session, Kind::tombolo, 4);
  for (int rank = 0; rank < session.ranks(); ++rank) {
    how.speeds["any"][static_cast<std::size_t>(rank)] = (rank % 4 + 1) * std::int64_t{1'000'000'000};
  }
  CHECK(product<double>(session, {{64, 8, 8}}, how, 3) == "right");
  how.overlap = false;
  CHECK(product<double>(session, {{64, 8, 8}}, how, 2) == "right");
  how.shares = SharePolicy::equal;
  how.panels = 0;
  CHECK(product<double>(session, {{64, 8, 8}}, how) == "right");
}

TEST_CASE("panels are carried out by plans also where they wait for each other") {
  const SharedFolder folder;
  Session session = make_session();
  std::vector<std::string> hosts;
  for (const Processor& processor : session.processors()) hosts.push_back(processor.host);
  Tuning tuning(hosts);
  const Rank root = session.ranks() - 1;
  const std::int64_t rows = std::int64_t{12} * session.ranks();
  for (const Bytes bytes : {16, 64, 256, 1024}) {
    tuning.keep({.operation = Operation::scatterv, .root = root, .bytes = bytes, .algorithm = "flat"});
    tuning.keep({.operation = Operation::gatherv, .root = root, .bytes = bytes, .algorithm = "binomial"});
    tuning.keep({.operation = Operation::bcast, .root = root, .bytes = bytes, .algorithm = "chain"});
  }
  if (session.rank() == 0) write_text(folder / "plans.json", to_json(tuning));
  MPI_Barrier(MPI_COMM_WORLD);
  session.use_tuning(folder / "plans.json");
  for (const int panels : {1, 4}) {
    ProgramOptions how = options(session, Kind::tombolo, panels);
    how.overlap = false;
    CHECK(product<double>(session, {{rows, 5, 4}, root}, how) == "right");
    how.overlap = true;
    CHECK(product<double>(session, {{rows, 5, 4}, root}, how) == "right");
  }
}

TEST_CASE("whoever is left out, the product is right") {
  Session session = make_session();
  for (const Rank root : {0, session.ranks() - 1}) {
    ProgramOptions how = options(session);
    how.shares = SharePolicy::best;
    // The root and one more are worth something, and each other rank would be given a row that takes ten times as long.
    for (int rank = 0; rank < session.ranks(); ++rank) {
      const bool fast = rank == root || rank == session.ranks() / 2;
      how.speeds["any"][static_cast<std::size_t>(rank)] = fast ? 10'000'000 : 1'000'000;
    }
    CHECK(product<double>(session, {{16, 200, 200}, root}, how, 2) == "right");
    // Nobody but the root.
    how = options_of_one(session, root);
    CHECK(product<double>(session, {{16, 3, 3}, root}, how) == "right");
    how.collectives = Kind::native;
    CHECK(product<double>(session, {{16, 3, 3}, root}, how) == "right");
  }
}

TEST_CASE("who is left out holds nothing and gets the report") {
  Session session = make_session();
  const Rank last = session.ranks() - 1;
  Program program(session, "alone", options_of_one(session, last));
  const Domain rows = program.domain("rows", 10);
  const auto x = program.array<double>("x", {10}, Distributed::over(rows).and_at(last));
  const auto factor = program.array<double>("factor", {1000}, Distributed::everywhere().and_at(last));
  program.scatterv(x);
  program.bcast(factor);  // which those who would get no items would have to wait for
  program.compute("double", rows, any(), updates(x), whole(factor), [](const Range&, auto of_x, auto factors) {
    for (double& each : of_x) each *= factors(999);
  });
  program.gatherv(x);
  program.prepare();
  CHECK(agreed(program.takes_part() == (session.rank() == last)));
  CHECK(agreed(program.local(x).size() == (program.takes_part() ? 10 : 0)));
  CHECK(agreed(program.mine(rows) == (program.takes_part() ? Range(0, 10) : Range())));
  program.fill(x, 21.0);
  program.fill(factor, 2.0);
  const RunReport report = program.run();
  CHECK(agreed(report.members.size() == 1 && report.members[0].rank == last && report.seconds > 0));
  CHECK(agreed(std::ranges::count(program.local(x), 42.0) == (session.rank() == last ? 10 : 0)));
}
