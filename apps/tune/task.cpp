#include "tune/task.hpp"

#include <filesystem>

#include <fmt/format.h>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>

#include "load_platform.hpp"
#include "timing/room.hpp"

namespace tombolo::tuning {

namespace {

// Minutes of measuring should not end in a mistake that was there before.
void check(const Session& session, const Options& options) {
  if (session.ranks() == 1 && options.platform.empty()) {
    throw Error("one rank has nobody to measure with, and no --platform to predict for",
                "start more (mpiexec -n 8 tombolo tune), or give a --platform");
  }
  if (session.ranks() > 1 && !options.hosts.empty()) {
    throw Error(
        fmt::format("--hosts {} on {} ranks, which are where they are", printable(options.hosts), session.ranks()),
        "leave it out, or predict on one rank");
  }
  if (options.root == "rotate") throw Error("--root rotate", "give a rank, or all");
  if (session.rank() == 0 && !options.output.empty()) check_writable(options.output);
}

Tuning begun(const Options& options, const Platform& platform) {
  const std::vector<std::string> hosts = hosts_by_rank(platform);
  if (!options.update || !std::filesystem::exists(options.output)) return Tuning(hosts);
  Tuning before = read_tuning(options.output);
  before.check_fits(hosts, printable(options.output), "give another --output, or leave out --update to begin it anew");
  return before;
}

}  // namespace

Task prepare(Session& session, const Options& options) {
  agree(session.communicator(), [&] { check(session, options); });
  Task task;
  task.setting.measured = session.ranks() > 1;
  std::optional<Platform> platform;
  if (task.setting.measured) {
    if (!options.platform.empty()) session.use_platform(options.platform);
    platform = session.find_platform();
    task.setting.platform = session.platform_source();
  }
  agree(session.communicator(), [&] {
    if (!platform) {
      platform = load_platform(options.platform, options.hosts);
      task.setting.platform = printable(options.platform);
    }
    task.setting.ranks = platform->ranks();
    task.cells = timing::cells_of(options.operations, options.bytes, options.root, platform->ranks());
    if (session.rank() != 0) return;
    task.tuning = begun(options, *platform);
    task.planner.emplace(std::move(*platform), options.model);
  });
  if (task.setting.measured) timing::require_room(session, task.cells);
  return task;
}

}  // namespace tombolo::tuning
