#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <tombolo/framework/mpi/session/measured_kernel.hpp>
#include <tombolo/framework/partition/stored_kernels.hpp>
#include <tombolo/framework/report/progress_printer.hpp>
#include <tombolo/platform/clustering/stated_levels.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/mpi/discover.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/platform/system/standard_streams.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

#include "command.hpp"
#include "output.hpp"

namespace tombolo {
namespace discovering {
namespace {

// The options; the same on all ranks.
struct Options {
  std::string output;  ///< where to write the platform; empty: where later runs on these hosts look for it
  double budget = 0;   ///< seconds; 0: by the number of hosts
  double precision = 0.02;
  double bound = 0.2;
  std::string levels;                ///< file; empty: TOMBOLO_LEVELS of every process
  int threads = 0;                   ///< of BLAS per rank; 0: as many as fit
  std::vector<std::string> kernels;  ///< to measure too; each known, none twice
};

// In the order stated, each once.
std::vector<std::string> kernels_of(const std::vector<std::string>& words) {
  std::vector<std::string> kernels;
  const auto add = [&](const std::string& name) {
    if (std::find(kernels.begin(), kernels.end(), name) == kernels.end()) kernels.push_back(name);
  };
  for (const std::string& word : words) {
    if (word == "all") {
      for (const std::string& name : kernel_names()) add(name);
    } else if (find_kernel(word) != nullptr) {
      add(word);
    } else {
      throw CLI::ValidationError("--kernels", "'" + word + "' is not one of all, " + listed(kernel_names()));
    }
  }
  return kernels;
}

void add_options(CLI::App& command, Options& options) {
  OptionGroup group(command);
  group.output("-o,--output", options.output,
               "Write the platform here; default: where later runs on the same hosts look for it", "FILE.json");
  group
      .value("--budget", options.budget,
             "Seconds that measuring may take; figures get less sure with fewer; default: 40, and half a second for "
             "each host from the 33rd to the 128th",
             "SECONDS")
      ->check(number_within(0.1, 1e6));
  group
      .value("--precision", options.precision,
             "A figure is measured no more once its 95 % confidence interval is so narrow, to either side", "PART")
      ->capture_default_str()
      ->check(number_within(1e-4, 1.0));
  group
      .value("--bound", options.bound,
             "Hosts form a logical cluster if their links agree within this part of each other", "PART")
      ->capture_default_str()
      ->check(number_within(1e-3, 10.0));
  group.input("--levels", options.levels,
              "State who is near whom: a file with lines such as 'orsay/c1: 0-19' or 'grenoble: node*'; default: "
              "TOMBOLO_LEVELS in the environment of each process, such as 'orsay/c1'; else it is found");
  group
      .function<std::vector<std::string>>(
          "--kernels", [&options](const std::vector<std::string>& words) { options.kernels = kernels_of(words); },
          "Measure the speeds of these kernels too, by problem size, some tenths of a second for each size: " +
              listed(kernel_names()),
          "NAME,...|all")
      ->delimiter(',');
  group.threads(options.threads);
}

constexpr Bytes largest_file = Bytes{1} << 26;

// The levels that a file states, by host; none without a file. Throws AgreedError for what cannot be read or is wrong.
// Collective.
StatedLevels stated_levels(Session& session, const std::string& file) {
  if (file.empty()) return {};
  std::string text;
  agree(session.communicator(), [&] {
    if (session.rank() == 0) text = read_text(file, largest_file, "a list of levels");
  });
  text = text_from(session.communicator(), 0, std::move(text));
  StatedLevels stated;
  agree(session.communicator(), [&] {
    try {
      stated = stated_by_groups(text, ranks_of_hosts(session.processors()));
    } catch (const Error& error) {
      throw std::runtime_error(fmt::format("{}, {}", printable(file), error.what()));
    }
  });
  return stated;
}

std::string kept_nowhere() {
  return machine::simulated() ? "kept nowhere, as simulations look for nothing; give --output"
                              : "kept nowhere, as no folder for it can be written; give --output";
}

// Beside the network, whose budget it does not take from.
void measure_kernels(Session& session, const std::vector<std::string>& names, Platform& platform,
                     ProgressPrinter& progress) {
  constexpr double seconds_per_size = 0.2;
  for (const std::string& name : names) {
    progress.begin("speeds of kernel " + name);
    store_kernel(platform, name, measured_kernel(session, known_kernel(name), seconds_per_size));
  }
}

// Pairs of hosts are measured in as many rounds as there are hosts, up to those beyond which it is not all pairs.
double usual_budget(Session& session) {
  constexpr double least = 40;
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
  const Picoseconds begin = machine::now();
  ProgressPrinter progress(session.rank() == 0, ProgressPrinter::Style::lines,
                           [begin] { return fmt::format("{:7.2f} s  ", seconds(machine::now() - begin)); });
  how.progress = [&progress](const std::string& stage, const std::string& what) {
    if (what.empty()) {
      progress.begin(stage);
    } else {
      progress.at(what);
    }
  };
  Platform platform = session.discover(how);
  measure_kernels(session, options.kernels, platform, progress);
  agree(session.communicator(), [&] {
    if (session.rank() == 0 && !options.output.empty()) write_platform(options.output, platform);
  });
  std::string where = options.output;
  if (where.empty()) where = session.keep(platform);
  const auto found = clusters(platform.levels).size();
  if (session.rank() == 0) {
    say(fmt::format("{} on {} in {}; {} messages in {:.2f} s; {}\n", counted(platform.ranks(), "rank"),
                    counted(platform.hosts.size(), "host"), counted(found, "logical cluster"), platform.origin.messages,
                    platform.origin.seconds, where.empty() ? kept_nowhere() : "kept in " + where));
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
