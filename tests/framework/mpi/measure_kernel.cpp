#include <algorithm>
#include <new>
#include <numeric>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <tombolo/framework/partition/stored_kernels.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>

#include "framework/mpi/session/session_files.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;
using test::make_session;
using test::SharedFolder;
using test::Variable;

namespace {

const std::vector<std::int64_t> some_sizes = {10, 20, 50};

// Counts how often it was measured; speed 1000 x size, or fails.
Kernel counting(const std::string& name, int& count, bool fails = false) {
  return {.name = name, .unit = "flop", .sizes = some_sizes, .measure = [&count, fails](std::int64_t size, double) {
            ++count;
            if (fails) throw std::bad_alloc();
            return 1000 * size;
          }};
}

// Made anew by every test, so that its count can be the test's.
Kernel& forwarding(const std::string& name) {
  static Kernel inner;
  if (find_kernel(name) == nullptr) {
    register_kernel({.name = name, .unit = "flop", .sizes = some_sizes, .measure = [](std::int64_t size, double time) {
                       return inner.measure(size, time);
                     }});
  }
  return inner;
}

bool same_everywhere(const Platform& mine) {
  return agreed(text_from(MPI_COMM_WORLD, 0, to_json(mine)) == to_json(mine));
}

std::string complaint(const std::function<void()>& work) {
  std::string mine;
  try {
    work();
  } catch (const AgreedError& error) {
    mine = error.what();
  }
  const std::string of_root = text_from(MPI_COMM_WORLD, 0, mine);
  return agreed(mine == of_root) ? mine : "";
}

}  // namespace

TEST_CASE("a kernel is measured on all ranks at each size, and all know the speeds of all") {
  Session session = make_session();
  int count = 0;
  const auto speeds = measure_kernel(session, counting("counted", count), some_sizes);
  REQUIRE(agreed(speeds.size() == static_cast<std::size_t>(session.ranks())));
  const auto points = machine::simulated() ? 1U : some_sizes.size();
  CHECK(agreed(std::all_of(speeds.begin(), speeds.end(), [&](const SpeedFunction& speed) {
    return speed.points().size() == points && speed.at(1) > 0;
  })));
  if (machine::simulated()) return;
  CHECK(agreed(count == 3 &&
               speeds == std::vector(speeds.size(), SpeedFunction({{10, 10'000}, {20, 20'000}, {50, 50'000}}))));
}

TEST_CASE("ranks for which a size takes long leave out the larger ones") {
  Session session = make_session();
  if (machine::simulated()) return;
  const auto measure = [&](std::int64_t size, double seconds) {
    if (session.rank() == 0 && size == 20) machine::sleep(static_cast<Picoseconds>(seconds * 3e12));
    return size;
  };
  const auto speeds = measure_kernel(session, {"slow", "flop", {}, measure}, some_sizes, 0.02);
  CHECK(agreed(speeds[0] == SpeedFunction({{10, 10}, {20, 20}})));
  CHECK(agreed(session.ranks() == 1 || speeds[1].points().size() == 3));
}

TEST_CASE("a kernel that fails on one rank fails on all, in the same words") {
  const SharedFolder folder;
  const Variable cache("TOMBOLO_CACHE", folder / "cache");
  Session session = make_session();
  int count = 0;
  CHECK_FALSE(complaint([&] { measure_kernel(session, counting("none", count), {}); }).empty());
  const std::vector<std::int64_t> falling = {2, 1};
  CHECK_FALSE(complaint([&] { measure_kernel(session, counting("none", count), falling); }).empty());
  CHECK(agreed(count == 0));
  const std::string words = complaint([&] { speeds_of(session, "nobody"); });
  CHECK(agreed(words.find("\"nobody\"") != std::string::npos && words.find("dgemm") != std::string::npos));
  if (machine::simulated()) return;
  const bool fails = session.rank() == session.ranks() - 1;
  CHECK_FALSE(complaint([&] { measure_kernel(session, counting("bad", count, fails), some_sizes); }).empty());
}

TEST_CASE("speeds by name are measured once and then come from the platform, also in later runs") {
  const SharedFolder folder;
  const Variable cache("TOMBOLO_CACHE", folder / "cache");
  int count = 0;
  Kernel& inner = forwarding("forwarded");
  inner = counting("inner", count);
  std::vector<SpeedFunction> first;
  {
    Session session = make_session();
    session.use_threads(1);
    first = speeds_of(session, "forwarded");
    CHECK(agreed(first.size() == static_cast<std::size_t>(session.ranks())));
    CHECK(agreed(count == (machine::simulated() ? 0 : 3)));
    CHECK(agreed(speeds_of(session, "forwarded") == first));
    CHECK(agreed(count == (machine::simulated() ? 0 : 3)));
    CHECK(same_everywhere(session.platform()));
    const KernelSpeeds stored = stored_kernels(session.platform()).at(known_kernel("forwarded").kept_as);
    CHECK(agreed(stored.unit == "flop" && stored.conditions.sizes == some_sizes && stored.by_rank == first));
    CHECK(agreed(stored.conditions.millicores.size() == first.size() &&
                 stored.conditions.threads.size() == first.size()));
    const std::string age = when_measured(session, "forwarded");
    CHECK(agreed(age ==
                 (machine::simulated() ? "forwarded: no date of measurement" : "forwarded: measured " + stored.date)));
    CHECK(agreed(stored.date.size() == (machine::simulated() ? 0U : 10U)));
    CHECK(agreed(when_measured(session, "stencil").empty()));
    const auto shares = functional_shares(100, first, 1);
    CHECK(agreed(std::accumulate(shares.begin(), shares.end(), std::int64_t{0}) == 100));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (machine::simulated()) return;
  Session session = make_session();
  session.use_threads(1);
  CHECK(agreed(speeds_of(session, "forwarded") == first && count == 3));
  session.use_threads(2);  // makes another machine of it
  CHECK(agreed(speeds_of(session, "forwarded") == first && count == 6));
}

TEST_CASE("speeds that were measured of or with something else are measured again") {
  if (machine::simulated()) return;
  const SharedFolder folder;
  const Variable cache("TOMBOLO_CACHE", folder / "cache");
  int count = 0;
  forwarding("forwarded") = counting("inner", count);
  const std::string kept_as = known_kernel("forwarded").kept_as;
  Session session = make_session();
  const auto measured = [&] {
    count = 0;
    speeds_of(session, "forwarded");
    return agreed(count == 3);
  };
  // Whether it is so after a change to what is stored.
  const auto after = [&](const char* member, const nlohmann::json& value) {
    auto section = nlohmann::json::parse(session.platform().sections.at(kernels_section));
    section.at(kept_as)[member] = value;
    if (value.is_null()) section.at(kept_as).erase(member);
    session.remember(kernels_section, section.dump());
    return measured();
  };
  const auto by_rank = [&](auto value) { return std::vector(static_cast<std::size_t>(session.ranks()), value); };
  CHECK(measured());
  CHECK_FALSE(measured());
  CHECK(after("version", "2"));
  CHECK(after("sizes", {10, 20}));
  CHECK(after("sizes", nullptr));
  CHECK(after("quota_millicores", by_rank(17)));
  CHECK(after("quota_millicores", nullptr));
  CHECK_FALSE(after("measured", "2020-01-01"));
  CHECK(agreed(when_measured(session, "forwarded") == "forwarded: measured 2020-01-01"));

  // Another program's kernel of that name, and one that nobody has registered here.
  auto section = nlohmann::json::parse(session.platform().sections.at(kernels_section));
  section["forwarded"] = section["unregistered"] = section.at(kept_as);
  section.erase(kept_as);
  session.remember(kernels_section, section.dump());
  CHECK(measured());
  CHECK(agreed(speeds_of(session, "unregistered") == speeds_of(session, "forwarded")));
}

TEST_CASE("speeds that were forgotten are measured again, in later runs too") {
  if (machine::simulated()) return;
  const SharedFolder folder;
  const Variable cache("TOMBOLO_CACHE", folder / "cache");
  int count = 0;
  forwarding("forwarded") = counting("inner", count);
  {
    Session session = make_session();
    forget_speeds_of(session, "forwarded");  // there are none
    speeds_of(session, "forwarded");
    forget_speeds_of(session, "forwarded");
    CHECK(agreed(count == 3 && when_measured(session, "forwarded").empty()));
    CHECK(same_everywhere(session.platform()));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  Session session = make_session();
  speeds_of(session, "forwarded");
  CHECK(agreed(count == 6));
}

TEST_CASE("a platform that was read from a file is not kept with what is measured then") {
  const SharedFolder folder;
  const Variable cache("TOMBOLO_CACHE", folder / "cache");
  Session session = make_session();
  const std::string file = folder / "p.json";
  Platform platform = session.find_platform();
  for (Host& host : platform.hosts) host.memory = {1'234'567'890, 0};
  if (session.rank() == 0) write_platform(file, platform);
  MPI_Barrier(MPI_COMM_WORLD);
  Session other = make_session();
  other.use_platform(file);
  int count = 0;
  forwarding("forwarded") = counting("inner", count);
  speeds_of(other, "forwarded");
  CHECK(agreed(other.platform().sections.contains(kernels_section)));
  MPI_Barrier(MPI_COMM_WORLD);
  Session later = make_session();
  CHECK(agreed(later.find_platform().hosts.front().memory.value != 1'234'567'890));
}

TEST_CASE("a section of kernels that is not right is refused on all ranks") {
  const SharedFolder folder;
  const Variable cache("TOMBOLO_CACHE", folder / "cache");
  Session session = make_session();
  session.remember(kernels_section, R"({"dgemm": 5})");
  const std::string words = complaint([&] { speeds_of(session, "dgemm"); });
  CHECK(agreed(words.find("no object; measure the kernels anew") != std::string::npos));
}
