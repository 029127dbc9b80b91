#include "run/checks.hpp"

#include <filesystem>

#include <fmt/format.h>

#include <tombolo/framework/atomic_file.hpp>
#include <tombolo/platform/error.hpp>

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

void check_report(const Session& session, const RunOptions& options) {
  if (session.rank() == 0 && !options.report.empty()) check_writable(options.report);
}

}  // namespace tombolo
