#include "run/checks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/system/atomic_file.hpp>

namespace tombolo {

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
