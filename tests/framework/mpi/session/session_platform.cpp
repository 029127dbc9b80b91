#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/platform/file/platform_check.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/measuring/certainty.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/session.hpp>

#include "framework/mpi/session/session_files.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;
using test::make_session;
using test::SharedFolder;

namespace {

// Where platforms are kept, while this lives.
struct Cache : test::Variable {
  explicit Cache(const std::string& folder) : Variable("TOMBOLO_CACHE", folder) {}
};

bool same_everywhere(const Platform& mine) {
  return agreed(text_from(MPI_COMM_WORLD, 0, to_json(mine)) == to_json(mine));
}

bool is_sound(const Platform& platform) {
  try {
    check_platform(platform);
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

// One cluster, every rank on a host that is not here.
Platform platform_of(std::vector<Processor> processors) {
  Platform platform;
  platform.processors = std::move(processors);
  std::vector<Level> hosts;
  for (Rank rank = 0; rank < platform.ranks(); ++rank) {
    Processor& processor = platform.processors[static_cast<std::size_t>(rank)];
    processor.host = fmt::format("elsewhere{}", rank);
    processor.ranks_on_host = processor.ranks_sharing = 1;
    platform.hosts.push_back({.name = processor.host});
    hosts.push_back({.kind = Level::Kind::host, .name = processor.host, .ranks = {rank}, .children = {}});
    platform.levels.ranks.push_back(rank);
  }
  platform.levels.name = "all";
  platform.levels.children = hosts;
  return platform;
}

// As `tombolo discover` does.
void give_speeds(Platform& platform) {
  for (Processor& processor : platform.processors) {
    processor.speed = 1;
    processor.speeds = {{.size = 128, .speed = 1}};
  }
}

// What all ranks say when the file is to be used; empty where they differ or do not complain.
std::string complaint(Session& session, const std::string& file) {
  std::string mine;
  try {
    session.use_platform(file);
  } catch (const AgreedError& error) {
    mine = error.what();
  }
  const std::string of_root = text_from(MPI_COMM_WORLD, 0, mine);
  return agreed(mine == of_root) ? mine : "";
}

}  // namespace

TEST_CASE("the platform is measured once and then comes from the cache") {
  const SharedFolder folder;
  const Cache cache(folder / "cache");
  std::string last;
  {
    Session session = make_session();
    CHECK(session.platform_source().empty());
    const Platform& platform = session.find_platform();
    CHECK(&platform == &session.platform());
    CHECK(same_everywhere(platform));
    CHECK(agreed(is_sound(platform) && platform.ranks() == session.ranks()));
    CHECK(agreed(session.platform_source().starts_with("measured in ")));
    last = to_json(platform);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(agreed(folder.files() == (machine::simulated() ? 0 : 1)));
  // A busy machine is measured again, which says so; it is not busy five times.
  std::string source;
  for (int attempt = 0; attempt < 5 && !source.starts_with("kept"); ++attempt) {
    Session session = make_session();
    session.discover_or_load();
    CHECK(same_everywhere(session.platform()));
    // Under the same names a simulation may be of another platform: it keeps nothing.
    if (machine::simulated()) return;
    source = session.platform_source();
    const bool again = source.find(", as an earlier run found ") != std::string::npos;
    CHECK(agreed(again || (source == "kept by an earlier run on these hosts" && to_json(session.platform()) == last)));
    last = to_json(session.platform());
  }
  CHECK(agreed(source.starts_with("kept")));
}

TEST_CASE("what processes state of their levels every discovery hears, and it is kept apart") {
  if (machine::simulated()) return;
  const SharedFolder folder;
  const Cache cache(folder / "cache");
  const auto outermost = [](const char* stated) {
    const test::Variable levels("TOMBOLO_LEVELS", stated);
    Session session = make_session();
    return session.find_platform().levels.name;
  };
  CHECK(agreed(outermost("orsay/c1") == "orsay/c1"));
  CHECK(agreed(outermost("") != "orsay/c1"));
  CHECK(agreed(outermost("lyon") == "lyon"));
}

TEST_CASE("what was quickly measured on a busy machine is measured again, what took longer is not") {
  if (machine::simulated()) return;
  const SharedFolder folder;
  const Cache cache(folder / "cache");
  Session session = make_session();
  Platform kept = session.find_platform();
  std::vector<Level*> hosts;
  for (Level& level : kept.levels.children) {
    if (level.kind == Level::Kind::host && level.ranks.size() > 1) hosts.push_back(&level);
  }
  const bool crowded = std::any_of(kept.processors.begin(), kept.processors.end(),
                                   [](const Processor& one) { return one.ranks_sharing > one.cores; });
  if (hosts.empty() || crowded) return;
  hosts.front()->latency = {6'000'000'000, 5'999'000'000};
  CHECK(agreed(kept.sections.contains("models")));
  kept.sections["kernels"] = "{}";
  const auto source_with = [&](const Platform& platform) {
    session.keep(platform);
    Session later = make_session();
    const bool kernels = later.find_platform().sections.contains("kernels");
    return agreed(kernels) ? later.platform_source() : "";
  };
  CHECK(agreed(source_with(kept).find("an earlier run found 6 ms give or take 5.999 ms inside") != std::string::npos));
  Platform longer = kept;
  longer.sections["poly"] = "[]";
  CHECK(agreed(source_with(longer).starts_with("kept")));
  give_speeds(kept);
  CHECK(agreed(source_with(kept).starts_with("kept")));
}

TEST_CASE("where messages take a third of what was measured, it is measured again; what took longer is doubted aloud") {
  if (machine::simulated()) return;
  const SharedFolder folder;
  const Cache cache(folder / "cache");
  Session session = make_session();
  Platform kept = session.find_platform();
  if (neighbours(kept).empty()) return;  // one rank, or more than there are cores
  const auto source_with = [&](Picoseconds latency) {
    for (Level& level : kept.levels.children) level.latency = {latency, 0};
    kept.levels.latency = {latency, 0};
    session.keep(kept);
    Session later = make_session();
    later.find_platform();
    return later.platform_source();
  };
  // On a busy machine most messages take longer than a third of what is not unsure by itself.
  std::string again;
  for (int attempt = 0; attempt < 50 && !again.starts_with("measured in"); ++attempt) {
    again = source_with(900'000'000);
    REQUIRE(unsure_latency(kept).empty());
  }
  CHECK(agreed(again.starts_with("measured in") &&
               again.find("an earlier run found 900 us between") != std::string::npos));
  give_speeds(kept);
  const std::string doubted = source_with(900'000'000'000);
  CHECK(agreed(doubted.starts_with("kept") && doubted.find("which found 900 ms between") != std::string::npos));
}

TEST_CASE("what was kept says where it is, and the next session uses it") {
  const SharedFolder folder;
  const Cache cache(folder / "cache");
  Session session = make_session();
  Platform platform = session.find_platform();
  platform.origin.source = "made by a test";
  give_speeds(platform);
  const std::string where = session.keep(platform);
  CHECK(agreed(where.empty() == machine::simulated()));
  CHECK(agreed(where.empty() || where.starts_with(folder / "cache/")));
  if (machine::simulated()) return;
  Session later = make_session();
  CHECK(agreed(later.find_platform() == platform));
}

TEST_CASE("without a place to keep it the platform is measured all the same") {
  const SharedFolder folder;
  const Cache cache("/dev/null/nothing");
  Session session = make_session();
  CHECK(agreed(is_sound(session.find_platform())));
  CHECK(agreed(session.platform_source().starts_with("measured in ")));
  const bool said =
      session.platform_source().find(", not kept for later runs: cannot make the folder") != std::string::npos;
  CHECK(agreed(said != machine::simulated()));
  CHECK(agreed(session.keep(session.platform()).empty()));
}

TEST_CASE("a platform from a file is used by all ranks, and the model is of it") {
  const SharedFolder folder;
  const Cache cache(folder / "cache");
  Session session = make_session();
  Platform platform = session.find_platform();
  for (Host& host : platform.hosts) host.memory = {1'234'567'890, 0};
  const std::string file = folder / "p.json";
  if (session.rank() == 0) write_platform(file, platform);
  MPI_Barrier(MPI_COMM_WORLD);
  Session other = make_session();
  other.discover_or_load();
  other.use_platform(file);
  CHECK(agreed(other.platform() == platform && other.platform_source() == file));
  const Model& model = other.planner()->model_for(Request::barrier(other.ranks()), barrier_dissemination);
  CHECK(agreed(model.local(1'234'567'890) == picoseconds_per_second));
}

TEST_CASE("a platform of other hosts, of other numbers of ranks, or none is refused on all ranks in the same words") {
  const SharedFolder folder;
  Session session = make_session();
  const std::vector<Processor>& here = session.processors();
  std::vector<Processor> more = here;
  more.push_back(here.front());
  if (session.rank() == 0) {
    write_platform(folder / "hosts.json", platform_of(here));
    write_platform(folder / "ranks.json", platform_of(more));
    test_files::put(folder / "broken.json", "{\"format\":");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (const std::string name : {"hosts.json", "ranks.json", "broken.json", "missing.json"}) {
    const std::string words = complaint(session, folder / name);
    INFO(words);
    CHECK(agreed(words.find(name) != std::string::npos && words.find("; ") != std::string::npos));
    CHECK(agreed(words.find('\n') == std::string::npos));
  }
  CHECK(agreed(complaint(session, folder / "hosts.json").find("elsewhere0") != std::string::npos));
  CHECK(agreed(session.platform_source().empty()));
}
