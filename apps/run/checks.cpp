#include "run/checks.hpp"

#include <filesystem>

#include <fmt/format.h>

#include <tombolo/platform/atomic_file.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

namespace {

bool is_same_file(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  if (one.empty() || other.empty()) return false;
  return fs::weakly_canonical(fs::absolute(one)) == fs::weakly_canonical(fs::absolute(other));
}

}  // namespace

void check_root(const Session& session, Rank root) {
  if (root < session.ranks()) return;
  throw Error(fmt::format("--root {} with {} ranks", root, session.ranks()),
              fmt::format("the root must be 0 to {}", session.ranks() - 1));
}

void check_not_report(const std::string& option, const std::string& path, const RunOptions& options) {
  if (!is_same_file(path, options.report)) return;
  throw Error(fmt::format("{} {} and --report {} are the same file", option, path, options.report),
              "give them different names");
}

void check_phantom_wanted(const RunOptions& options) {
  if (!options.phantom || machine::simulated()) return;
  throw Error("--phantom without a simulation", "run it by scripts/simulate, or leave it out");
}

void check_phantom_output(const Session& session, const std::string& option, const std::string& path) {
  if (!session.phantom() || path.empty()) return;
  throw Error(fmt::format("{} {} cannot be written from phantom memory, which holds nothing", option, path),
              fmt::format("leave out {}, or simulate what fits in memory", option));
}

void check_report(const Session& session, const RunOptions& options) {
  if (session.rank() == 0 && !options.report.empty()) check_writable(options.report);
}

}  // namespace tombolo
