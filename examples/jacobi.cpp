// Jacobi's method on a plate: every point but those at the edge becomes the mean of its four neighbours, so often or
// until the largest change is less than the tolerance. The result is the same on any ranks, bit for bit.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include <tombolo/command_line.hpp>
#include <tombolo/tombolo.hpp>

namespace {

struct Options {
  std::string in;
  std::string out;
  std::int64_t iterations = 1000;
  double tolerance = 1e-6;
  bool explain = false;
  std::string trace;
};

void jacobi(tombolo::Session& session, const Options& options) {
  using namespace tombolo;
  const auto [rows, columns] = shape_in_file(session.communicator(), options.in);

  Program program(session, "jacobi", {.trace = options.trace});
  const Domain plate = program.domain("plate", {rows, columns}, {.adapts = true});
  const auto now = program.array<double>("now", {rows, columns}, Distributed::over(plate).with_halo(1));
  const auto next = program.array<double>("next", {rows, columns}, Distributed::over(plate).with_halo(1));
  const auto change = program.partial<double>("change", Reduce::max);

  // Edges of next stay as they were read.
  const auto relax = [rows, columns](const Range& range, auto u, auto v, double& largest) {
    for (std::int64_t i = std::max<std::int64_t>(range.first(), 1); i < std::min(range.end(), rows - 1); ++i) {
      for (std::int64_t j = 1; j + 1 < columns; ++j) {
        v(i, j) = 0.25 * (((u(i - 1, j) + u(i + 1, j)) + u(i, j - 1)) + u(i, j + 1));
        const double by = std::abs(v(i, j) - u(i, j));
        if (by > largest || std::isnan(by)) largest = by;  // std::max would drop a NaN
      }
    }
  };
  const auto sweep = [&] {
    program.halo(now);
    program.compute("relax", plate, {.kernel = "stencil", .operations = 4}, around(now), updates(next),
                    combines(change), relax);
    program.allreduce(change);
    program.swap(now, next);
  };
  program.repeat("sweep", options.iterations, sweep,
                 until(change, [&](double c) { return !(c >= options.tolerance); }));

  program.read(now, options.in);
  program.read(next, options.in);  // for the edges, which stay as they are
  program.fill(change, std::numeric_limits<double>::infinity());
  const RunReport report = program.run();
  program.write(now, options.out);
  if (session.rank() != 0) return;
  if (options.explain) fmt::print("{}\n", to_text(report));
  fmt::print("iterations {} change {:.17g} seconds {:.6f}\n", report.loops[0].passes,
             std::max(program.local(change), 0.0), report.seconds);
  if (program.local(change) >= options.tolerance && options.tolerance > 0) {
    fmt::print("the change is not below the tolerance of {:g}; take more --iterations\n", options.tolerance);
  }
}

}  // namespace

int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape): only options that clash would throw here
  Options options;
  CLI::App app("Jacobi's method on a plate whose edges stay as they are", "jacobi");
  app.add_option("IN.npy", options.in, "The plate")->required();
  app.add_option("OUT.npy", options.out, "What becomes of it")->required();
  app.add_option("--iterations", options.iterations, "At most so many")->capture_default_str();
  app.add_option("--tolerance", options.tolerance, "The largest change that is enough")->capture_default_str();
  app.add_flag("--explain", options.explain, "Say what was predicted, and what it took");
  app.add_option("--trace", options.trace, "What every rank did when, as .json for Perfetto or .svg");
  return tombolo::run_main(argc, argv, app, [&](tombolo::Session& session) { jacobi(session, options); });
}
