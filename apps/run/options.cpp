#include "run/options.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

const char* RunOptions::shares_name() const {
  return shares == SharePolicy::best ? best : shares == SharePolicy::speed ? "speed" : "equal";
}

void add_shares_and_collectives(CLI::App& command, RunOptions& options) {
  OptionGroup group(command, how_it_runs);
  const std::string best = options.best;
  group.choice<SharePolicy>(
      "--shares", options.shares,
      {{best, SharePolicy::best}, {"speed", SharePolicy::speed}, {"equal", SharePolicy::equal}},
      best == "links"
          ? "Share per rank: such that links and memory take the least time (default), in proportion to measured "
            "speed, or equal"
          : "Rows per rank: in proportion to measured speed, on those ranks with which it is predicted to be the "
            "fastest (best, the default) or on all (speed), or equal",
      best + "|speed|equal");
  group.choice<Session::Kind>("--collectives", options.collectives,
                              {{"tombolo", Session::Kind::tombolo}, {"native", Session::Kind::native}},
                              "Planned collectives (default), or the MPI library's own", "tombolo|native");
}

void add_trace(CLI::App& command, std::string& trace, const std::string& of_what) {
  OptionGroup(command, how_it_runs)
      .output("--trace", trace,
              "Write what every rank did when" + of_what +
                  ": Chrome trace events, which ui.perfetto.dev opens, or a picture where the name ends in .svg");
}

void add_report_and_phantom(CLI::App& command, RunOptions& options) {
  OptionGroup group(command, how_it_runs);
  group.platform(options.platform,
                 "Plan for the platform in this file (tombolo discover); default: what an earlier discovery kept for "
                 "these hosts");
  group.tuning(options.tuning);
  group.output("--report", options.report, "Write everything that is shown, and more, as JSON", "FILE.json");
  group.flag("--phantom", options.phantom,
             "In a simulation: hold no matrices and compute nothing, in the same simulated time; default: where they "
             "would not fit in memory");
}

void use_platform_and_tuning(Session& session, const RunOptions& options) {
  if (!options.platform.empty()) session.use_platform(options.platform);
  if (!options.tuning.empty()) session.use_tuning(options.tuning);
}

void complete_dimensions(std::int64_t size, std::initializer_list<Dimension> dimensions, const char* none,
                         const char* remedy) {
  const auto is_missing = [](const Dimension& dimension) { return *dimension.second == 0; };
  if (size == 0 && std::all_of(dimensions.begin(), dimensions.end(), is_missing)) throw Error(none, remedy);
  if (size > 0 && std::none_of(dimensions.begin(), dimensions.end(), is_missing)) {
    throw Error(fmt::format("--size {} where each dimension is stated", size), "leave one of them out");
  }
  for (const auto& [name, dimension] : dimensions) {
    if (*dimension == 0) *dimension = size;
    if (*dimension == 0) throw Error(fmt::format("{} is missing", name), "give it, or --size for all that are missing");
  }
}

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
