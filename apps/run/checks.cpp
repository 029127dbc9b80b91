#include "run/checks.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include <tombolo/platform/atomic_file.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

namespace {

// A path that cannot be followed is left to those who will open it: they have words for it.
bool is_same_file(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  if (one.empty() || other.empty()) return false;
  std::error_code error;
  const auto canonical = [&error](const std::string& path) {
    return error ? fs::path() : fs::weakly_canonical(fs::path(path), error);
  };
  const fs::path first = canonical(one);
  const fs::path second = canonical(other);
  return !error && fs::absolute(first, error) == fs::absolute(second, error);
}

}  // namespace

void check_root(const Session& session, Rank root) {
  if (root < session.ranks()) return;
  throw Error(fmt::format("--root {} with {} ranks", root, session.ranks()),
              fmt::format("the root must be 0 to {}", session.ranks() - 1));
}

Bytes bytes_of(const MatrixShape& shape, ElementType type) {
  check_size(shape, type);
  return shape.rows * shape.columns * element_info(type).bytes;
}

void check_size(const MatrixShape& shape, ElementType type) {
  const auto [rows, columns] = shape;
  const double bytes =
      static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(element_info(type).bytes);
  if (std::max({bytes, static_cast<double>(rows), static_cast<double>(columns)}) <= 0x1p60) return;
  throw Error(fmt::format("a matrix of {} x {} needs {:.2f} GB", rows, columns, bytes * 1e-9),
              "take a smaller problem, of at most 2^60 bytes, rows and columns");
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
