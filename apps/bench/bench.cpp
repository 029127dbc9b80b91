#include <filesystem>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <tombolo/collectives/bound.hpp>
#include <tombolo/collectives/mpi/call.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/collectives/regular.hpp>
#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/platform/atomic_file.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/posix_file.hpp>

#include "bench/buffers.hpp"
#include "bench/check.hpp"
#include "bench/contestants.hpp"
#include "bench/figures.hpp"
#include "bench/options.hpp"
#include "command.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "size_range.hpp"
#include "validators.hpp"

namespace tombolo {
namespace benchmarking {
namespace {

/// One case: an operation, a size and a root, and whether every repetition takes the next root.
struct Cell {
  Operation operation;
  Bytes bytes;
  Rank root;
};

std::vector<Operation> operations_of(const std::string& words) {
  if (words == "all") return all_operations();
  std::vector<Operation> operations;
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(',', at), words.size());
    const std::string word = words.substr(at, end - at);
    const auto operation = find_operation(word);
    if (!operation) {
      std::vector<std::string> names;
      for (const Operation known : all_operations()) names.emplace_back(name(known));
      throw Error(fmt::format("there is no operation '{}'", printable(word)),
                  "choose from " + listed(names) + ", or all");
    }
    operations.push_back(*operation);
    at = end + 1;
  }
  return operations;
}

std::vector<Rank> roots_of(const Session& session, const Options& options) {
  if (options.root == "rotate") return {0};
  std::vector<Rank> roots;
  if (options.root == "all") {
    for (Rank root = 0; root < session.ranks(); ++root) roots.push_back(root);
    return roots;
  }
  std::string digits = options.root;
  const bool good = whole_number(0, session.ranks() - 1)(digits).empty();
  if (!good) {
    throw Error(fmt::format("--root {} of {} ranks", printable(options.root), session.ranks()),
                fmt::format("give 0 to {}, all or rotate", session.ranks() - 1));
  }
  return {std::stoi(digits)};
}

std::vector<Cell> cells_of(const Session& session, const Options& options) {
  std::vector<Cell> cells;
  const std::vector<Rank> roots = roots_of(session, options);
  for (const Operation operation : operations_of(options.operations)) {
    const auto sizes_of = sizes(operation) == Sizes::none ? std::vector<Bytes>{0} : size_range(options.bytes);
    for (const Bytes bytes : sizes_of) {
      for (const Rank root : is_rooted(operation) ? roots : std::vector<Rank>{0})
        cells.push_back({operation, bytes, root});
    }
  }
  return cells;
}

// Numbers where they are combined, bytes where they are not.
Request request_of(const Session& session, const Cell& cell) {
  const Bytes element = combines(cell.operation) ? sizeof(double) : 1;
  return regular_request(cell.operation, session.ranks(), cell.root, cell.bytes, element);
}

bool wants(const Options& options, const char* implementation) {
  return std::find(options.implementations.begin(), options.implementations.end(), implementation) !=
         options.implementations.end();
}

/// Takes the figures of one cell after the other.
class Bench {
 public:
  Bench(Session& session, const Options& options, const TrustedModels& models)
      : session_(session), options_(options), models_(models) {}

  std::vector<Figure> figures_of(const Cell& cell) {
    const Request request = request_of(session_, cell);
    std::vector<Candidate> candidates;
    if (wants(options_, "tombolo")) candidates = contestants(session_, request, options_, models_);
    std::vector<Figure> figures;
    if (wants(options_, "native")) {
      figures.push_back(figure(cell));
      figures.back().native = true;
      figures.back().algorithm = "native";
      figures.back().how = "native";
    }
    for (const Candidate& candidate : candidates) {
      figures.push_back(figure(cell));
      figures.back().algorithm = candidate.plan.algorithm().name;
      figures.back().how = candidate.plan.how();
      figures.back().parameters = candidate.plan.parameters();
      figures.back().predicted = candidate.predicted;
    }
    if (options_.check) check(candidates, figures);
    if (options_.most > 0) time(request, candidates, figures);
    return figures;
  }

 private:
  Figure figure(const Cell& cell) {
    return {.operation = cell.operation,
            .ranks = session_.ranks(),
            .root = cell.root,
            .bytes = cell.bytes,
            .bound = lower_bound(request_of(session_, cell), session_.platform())};
  }

  void check(const std::vector<Candidate>& candidates, std::vector<Figure>& figures) {
    const auto native = session_.collectives(Session::Kind::native);
    PlannedCollectives planned(session_.communicator(), session_.model());
    const std::size_t first = figures.size() - candidates.size();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      figures[first + i].right = same_as_native(*native, planned, candidates[i].plan);
    }
  }

  void time(const Request& request, const std::vector<Candidate>& candidates, std::vector<Figure>& figures) {
    // A plan per root where roots rotate.
    std::vector<std::vector<Plan>> plans;
    const int turns = options_.root == "rotate" && is_rooted(request.operation) ? session_.ranks() : 1;
    std::vector<Request> requests;
    for (Rank root = 0; root < turns; ++root) {
      requests.push_back(request);
      if (turns > 1) requests.back().root = root;
    }
    std::vector<Plan> all;
    for (const Candidate& candidate : candidates) {
      plans.emplace_back();
      for (const Request& of : requests) {
        plans.back().emplace_back(of, candidate.plan.algorithm(), candidate.plan.parameters());
        all.push_back(plans.back().back());
      }
    }
    if (all.empty()) {
      for (const Request& of : requests) all.emplace_back(of, *algorithms_for(of).front());
    }
    const Buffers buffers(session_, all);
    const bool adds = combines(request.operation);
    const MPI_Datatype type = adds ? MPI_DOUBLE : MPI_BYTE;
    const MPI_Op op = adds ? MPI_SUM : MPI_OP_NULL;
    const auto native = session_.collectives(Session::Kind::native);
    PlannedCollectives planned(session_.communicator(), session_.model(), buffers.scratch());

    std::vector<std::function<void()>> calls;
    if (wants(options_, "native")) {
      calls.emplace_back([&, next = std::size_t{0}]() mutable {
        call(*native, requests[next], buffers.input(), buffers.output(), type, op);
        next = (next + 1) % requests.size();
      });
    }
    std::vector<std::vector<Persistent>> prepared;
    for (const std::vector<Plan>& of : plans) {
      prepared.emplace_back();
      for (const Plan& plan : of) {
        prepared.back().push_back(planned.persistent(plan, buffers.input(), buffers.output(), type, op));
      }
    }
    for (std::vector<Persistent>& of : prepared) {
      calls.emplace_back([&of, next = std::size_t{0}]() mutable {
        of[next].start();
        of[next].wait();
        next = (next + 1) % of.size();
      });
    }
    const Repeat repeat{.least = options_.least, .most = options_.most, .precision = options_.precision};
    const std::vector<Timing> timings = alternate(session_.communicator(), calls, repeat);
    for (std::size_t i = 0; i < figures.size(); ++i) figures[i].timing = timings[i];
  }

  Session& session_;
  const Options& options_;
  const TrustedModels& models_;
};

std::string shown(const std::vector<Figure>& figures, const Environment& environment, const Options& options) {
  switch (options.format) {
    case Format::csv:
      return to_csv(figures);
    case Format::json:
      return to_json(figures, environment, options.keep_times);
    case Format::text:
      break;
  }
  return to_text(figures, environment);
}

void deliver(Session& session, const Options& options, const std::vector<Figure>& figures) {
  const Environment environment{.mpi = mpi_library(),
                                .platform = session.platform_source(),
                                .hosts = static_cast<int>(session.platform().hosts.size()),
                                .simulated = machine::simulated(),
                                .precision = options.precision};
  std::string text;
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;
    if (!options.plots.empty()) {
      for (const auto& [name, svg] : pictures(figures)) write_text(std::filesystem::path(options.plots) / name, svg);
    }
    text = shown(figures, environment, options);
  });
  print(session, text);
}

int run(Session& session, const Options& options) {
  std::vector<Cell> cells;
  agree(session.communicator(), [&] {
    cells = cells_of(session, options);
    if (options.most == 0 && !options.check)
      throw Error("--most 0 times nothing", "add --check, or repeat once at least");
    if (session.rank() == 0 && !options.plots.empty()) std::filesystem::create_directories(options.plots);
  });
  if (!options.platform.empty()) session.use_platform(options.platform);
  const Platform& platform = session.platform();
  std::optional<TrustedModels> models;
  agree(session.communicator(),
        [&] { options.model.empty() ? models.emplace(platform) : models.emplace(platform, options.model); });
  Progress progress;
  if (session.rank() == 0)
    progress.begin(fmt::format("timing {} on {} ranks", options.operations, session.ranks()), 1, 1);
  Bench bench(session, options, *models);
  std::vector<Figure> figures;
  bool right = true;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (Figure& figure : bench.figures_of(cells[i])) {
      right = right && figure.right.value_or(true);
      figures.push_back(std::move(figure));
    }
    if (session.rank() == 0) progress.at(i + 1, cells.size());
  }
  deliver(session, options, figures);
  if (right) return 0;
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;
    for (const Figure& figure : figures) {
      if (figure.right.value_or(true)) continue;
      throw Error(fmt::format("{} of {} B on {} ranks, root {}: {} and MPI differ", name(figure.operation),
                              figure.bytes, figure.ranks, figure.root, figure.how),
                  "report it, and choose another --algorithm meanwhile");
    }
  });
  return 1;
}

}  // namespace
}  // namespace benchmarking

void add_bench(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("bench", "Time collectives, MPI's own and planned ones in turns");
  command->footer(
      "Every time is a makespan: from the common start of all ranks until the last of them is done. Native and "
      "planned\n"
      "collectives take turns on the same buffers; each is repeated until its median is known to --precision.\n"
      "Beside each stand what was predicted of the plan and the bound, which no plan can beat on this platform.\n\n"
      "  mpiexec.mpich -n 4 tombolo bench bcast,allreduce\n"
      "  mpiexec.mpich -n 4 tombolo bench all --bytes 8:64K:x8 --check --format csv\n"
      "  mpiexec.mpich -n 4 tombolo bench gather --algorithm all --bytes 4K --root rotate\n"
      "  scripts/simulate grid5000 -- tombolo bench bcast --plots pictures");
  auto options = std::make_shared<benchmarking::Options>();
  benchmarking::add_options(*command, *options);
  command->callback(
      [&run, options] { run = [options](Session& session) { return benchmarking::run(session, *options); }; });
}

}  // namespace tombolo
