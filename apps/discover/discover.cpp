#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/measure_kernel.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/standard_streams.hpp>

#include "command.hpp"
#include "discover/levels.hpp"
#include "discover/options.hpp"
#include "files.hpp"
#include "output.hpp"

namespace tombolo {
namespace discovering {
namespace {

// A line per stage, and one for a stage under way every few seconds.
class Progress {
 public:
  void operator()(const std::string& stage, const std::string& what) {
    constexpr Picoseconds between_lines = 2 * picoseconds_per_second;
    const Picoseconds now = machine::now();
    if (what.empty() || now - last_ > between_lines) {
      say(fmt::format("{:7.2f} s  {}{}{}\n", seconds(now - begin_), stage, what.empty() ? "" : ": ", what));
      last_ = now;
    }
  }

 private:
  Picoseconds begin_ = machine::now();
  Picoseconds last_ = begin_;
};

std::string kept_nowhere() {
  return machine::simulated() ? "kept nowhere, as simulations look for nothing; give --output"
                              : "kept nowhere, as there is no folder for it; give --output";
}

// Beside the network, whose budget it does not take from.
void measure_kernels(Session& session, const std::vector<std::string>& names, Platform& platform, Progress& progress) {
  constexpr double seconds_per_size = 0.2;
  for (const std::string& name : names) {
    if (session.rank() == 0) progress("speeds of kernel " + name, "");
    store_kernel(platform, name, measured_kernel(session, known_kernel(name), seconds_per_size));
  }
}

// Pairs of hosts are measured in as many rounds as there are hosts, up to those beyond which it is not all pairs.
double usual_budget(Session& session) {
  constexpr double least = 30;
  constexpr double each_more = 0.5;
  std::set<std::string> hosts;
  for (const Processor& processor : session.processors()) hosts.insert(processor.host);
  return least + each_more * (std::clamp(static_cast<double>(hosts.size()), 32.0, 128.0) - 32.0);
}

int run(Session& session, const Options& options) {
  agree(session.communicator(), [&] {
    if (session.rank() == 0 && !options.output.empty()) check_writable(options.output);
  });
  session.use_threads(options.threads);
  const double budget = options.budget > 0 ? options.budget : usual_budget(session);
  DiscoveryOptions how{.budget = budget, .precision = options.precision, .bound = options.bound};
  how.stated = stated_levels(session, options.levels);
  auto progress = std::make_shared<Progress>();
  how.progress = [progress](const std::string& stage, const std::string& what) { (*progress)(stage, what); };
  Platform platform = session.discover(how);
  measure_kernels(session, options.kernels, platform, *progress);
  agree(session.communicator(), [&] {
    if (session.rank() == 0 && !options.output.empty()) write_platform(options.output, platform);
  });
  std::string where = options.output;
  if (where.empty()) where = session.keep(platform);
  const auto found = clusters(platform.levels).size();
  if (session.rank() == 0) {
    say(fmt::format("{} rank{} on {} host{} in {} logical cluster{}; {} messages in {:.2f} s; {}\n", platform.ranks(),
                    platform.ranks() == 1 ? "" : "s", platform.hosts.size(), platform.hosts.size() == 1 ? "" : "s",
                    found, found == 1 ? "" : "s", platform.origin.messages, platform.origin.seconds,
                    where.empty() ? kept_nowhere() : "kept in " + where));
    for (const std::string& left_out : platform.origin.not_measured) {
      say(fmt::format("not measured: {}\n", left_out));
    }
  }
  return 0;
}

}  // namespace
}  // namespace discovering

void add_discover(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("discover", "Measure the platform: who is near whom, and how fast everything is");
  command->footer(
      "Measures latencies, rates, links that are shared and speeds of processors, and partitions the hosts into\n"
      "logical clusters. Later runs on the same hosts use what it found. tombolo show FILE shows it.\n\n"
      "  mpiexec.mpich -n 8 tombolo discover\n"
      "  mpiexec.mpich -n 78 -f hosts tombolo discover --budget 60 -o grid.json\n"
      "  mpiexec.mpich -n 8 tombolo discover --kernels dgemm,stencil -o machines.json");
  auto options = std::make_shared<discovering::Options>();
  discovering::add_options(*command, *options);
  when_chosen(*command, run, [options](Session& session) { return discovering::run(session, *options); });
}

}  // namespace tombolo
