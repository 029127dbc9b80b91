#include "transpose/panels.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include <tombolo/arrays.hpp>
#include <tombolo/framework/arrays/rank_move.hpp>
#include <tombolo/framework/arrays/transpose/panel_plan.hpp>
#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/framework/matrix/matrix_hash.hpp>
#include <tombolo/framework/matrix/transpose.hpp>
#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/framework/report/progress_printer.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/system/memory.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

#include "output.hpp"
#include "run/options.hpp"
#include "run/phases.hpp"
#include "run/report.hpp"
#include "transpose/options.hpp"
#include "transpose/problem.hpp"
#include "transpose/report.hpp"

namespace tombolo::transposition {

namespace {

/// What a rank takes besides buffers while messages and files are under way.
constexpr Bytes taken_by_mpi = Bytes{16} << 20;
constexpr Bytes least_buffer = Bytes{1} << 20;  // lines of panels would be too short in a smaller one
constexpr Bytes view_buffer = Bytes{16} << 20;
constexpr Bytes mega = Bytes{1} << 20;
constexpr MatrixShape probed{512, 1024};  // small, as it is part of the peak

/// What a run from file to file takes, in bytes.
struct PanelMemory {
  PanelLimit limit;
  Bytes predicted = 0;  ///< of the rank that takes the most
  Bytes free = 0;       ///< on rank 0's host

  /// A line, before the run.
  std::string text() const {
    const auto giga = [](Bytes bytes) { return fmt::format("{:.2f} GB", static_cast<double>(bytes) * 1e-9); };
    return fmt::format("{}{}memory: {} on each rank, which may take {}; {} are free on the host of rank 0\n", limit.why,
                       limit.why.empty() ? "" : "\n", giga(predicted), giga(limit.bytes), giga(free));
  }
};

/// Adds up what parts of the work take on this rank.
class Laps {
 public:
  void start() { last_ = MPI_Wtime(); }
  void end(double& seconds) {
    const double now = MPI_Wtime();
    seconds += now - last_;
    last_ = now;
  }

 private:
  double last_ = MPI_Wtime();
};

/// Lines of a file (as rows), and elements of each (as columns), as a part of the matrix.
Part in_matrix(const Part& lines, bool fortran_order) {
  return fortran_order ? lines.transposed() : lines;
}

/// All lines of A's file.
Part lines_of_file(const Problem& problem) {
  return in_matrix({0, problem.a.rows, 0, problem.a.columns}, problem.header.fortran_order);
}

/// Between equal shares of the lines of a panel and equal shares of the elements of each.
Redistribution exchange_of(const Part& panel, int ranks) {
  return {Distribution::rows(equal_shares(panel.rows, ranks), panel.columns),
          Distribution(Layout::blocks(std::array{panel.rows}, equal_shares(panel.columns, ranks))), false,
          OwnData::exchanged};
}

/// A rank's part of a distributed panel, in the lines of the file.
Part part_of(const Distribution& distribution, const Part& panel, Rank rank) {
  const Part part = distribution.block(rank);
  return {panel.first_row + part.first_row, part.rows, panel.first_column + part.first_column, part.columns};
}

constexpr std::array panel_phases{"pack", "alltoallv", "transpose"};

/// What one rank's part of all panels came to.
struct PanelFigures {
  std::array<double, panel_phases.size()> seconds{};
  double read_s = 0;
  double write_s = 0;
  std::uint64_t hash_of_a = 0;
  std::uint64_t hash_of_b = 0;  ///< places counted transposed
};

/// A run that is over.
struct PanelRun {
  std::string how;            ///< "12 panels of 4000 x 20000"
  std::vector<Phase> phases;  ///< on rank 0
  PanelMemory memory;
  double moved = 0;  ///< bytes that are packed, and transposed
  std::vector<BytesPerSecond> speeds;
  PanelFigures mine;
};

template <class Value>
Value of_all(const Session& session, Value mine, MPI_Op op) {
  Value all{};
  check_mpi(MPI_Allreduce(&mine, &all, 1, mpi_type_of<Value>(), op, session.communicator()), "MPI_Allreduce");
  return all;
}

/// What the rank that takes the most takes so far.
Bytes before(const Session& session) {
  return of_all(session, resident_memory(), MPI_MAX) + taken_by_mpi;
}

/// What the rank that takes the most will have taken, with buffers of so many bytes from now on. Collective.
Bytes predicted_peak(const Session& session, Bytes buffers) {
  return std::max(of_all(session, peak_memory(), MPI_MAX), before(session) + buffers);
}

/// Panels of this many lines by width within the limit. Throws AgreedError where it leaves no room. Collective.
PanelPlan plan_within(const Session& session, const Part& all, Bytes element, Bytes limit) {
  const Bytes taken = before(session);
  const Bytes each = std::max<Bytes>((limit - taken) / 2, 0);  // of two buffers
  const PanelPlan plan = plan_panels(all.rows, all.columns, session.ranks(), std::max<std::int64_t>(each / element, 1));
  agree(session.communicator(), [&] {
    if (each >= least_buffer || plan.room * element <= each) return;
    throw Error(fmt::format("--memory {} leaves no room for panels: a rank takes {}M without them",
                            readable_bytes(limit), taken / mega + 1),
                fmt::format("give at least {}M", (taken + 2 * least_buffer) / mega + 1));
  });
  return plan;
}

std::string giga(double bytes) {
  return fmt::format("{:.2f}", bytes * 1e-9);
}

std::string rate(double bytes, double seconds) {
  return fmt::format("{:.3f} s ({:.2f} GB/s)", seconds, per_second(bytes, seconds) * 1e-9);
}

Report report_of(Session& session, const Options& options, const Problem& problem, const PanelRun& run) {
  const auto [m, n] = problem.a;
  const auto bytes = static_cast<double>(bytes_of(problem.a, problem.type));
  const PanelFigures& mine = run.mine;
  const double read_s = of_all(session, mine.read_s, MPI_MAX);
  const double write_s = of_all(session, mine.write_s, MPI_MAX);
  const Bytes peak = of_all(session, peak_memory(), MPI_MAX);
  PhaseEnds ends(mine.seconds.size());
  std::partial_sum(mine.seconds.begin(), mine.seconds.end(), ends.begin());

  Report report;
  report.what =
      fmt::format("B = A^T: A {} x {}, {}, from file to file, {}", m, n, element_info(problem.type).name, run.how);
  report.input = {{"shape", {{"m", m}, {"n", n}}}, {"dtype", element_info(problem.type).name}, {"algorithm", run.how}};
  report.options = options.run;
  report.options.shares = SharePolicy::equal;
  report.platform = environment_of(session);
  report.rows = Blocks(equal_shares(m, session.ranks()));
  report.run = run_report_of(session, run.phases, ends);
  report.work = {.amount = std::vector<double>(run.speeds.size(), 2 * run.moved / session.ranks()),
                 .probed = run.speeds,
                 .phases = {0, 2},
                 .unit = "B",
                 .key = "bytes_per_s",
                 .verb = "transpose",
                 .gerund = "transposing"};
  report.verdict = verdict_on(of_all(session, mine.hash_of_a, MPI_SUM), of_all(session, mine.hash_of_b, MPI_SUM));
  report.notes = notes_on_crowding(report.platform.processors);
  report.remarks = {fmt::format("files: read in {}, written in {}", rate(bytes, read_s), rate(bytes, write_s)),
                    fmt::format("memory: at most {} GB on a rank, {} GB predicted", giga(static_cast<double>(peak)),
                                giga(static_cast<double>(run.memory.predicted)))};
  report.more = {
      {"files", {{"bytes", bytes}, {"read_s", read_s}, {"write_s", write_s}}},
      {"memory",
       {{"limit_bytes", run.memory.limit.bytes}, {"predicted_bytes", run.memory.predicted}, {"peak_bytes", peak}}}};
  return report;
}

/// One rank's part of the work on panels.
template <Element T>
class InPanels {
 public:
  InPanels(Session& session, Collectives& collectives, bool fortran_order, std::int64_t room)
      : session_(session), collectives_(collectives), fortran_order_(fortran_order), first_(room), second_(room) {}

  void transpose_panel(MatrixFileReader& from, MatrixFileWriter& to, const Part& panel) {
    const Redistribution moves = exchange_of(panel, session_.ranks());
    const Part read = in_matrix(part_of(moves.from(), panel, session_.rank()), fortran_order_);
    const Part written = in_matrix(part_of(moves.to(), panel, session_.rank()).transposed(), fortran_order_);
    Laps laps;
    from.read(read, fortran_order_, first_.data());
    laps.end(figures_.read_s);
    figures_.hash_of_a += hash_part(first_.data(), read, fortran_order_, false);
    laps.start();
    move(moves, laps);
    figures_.hash_of_b += hash_part(second_.data(), written, fortran_order_, true);
    laps.start();
    to.write(written, fortran_order_, second_.data());
    laps.end(figures_.write_s);
  }

  const PanelFigures& figures() const { return figures_; }

 private:
  void move(const Redistribution& moves, Laps& laps) {
    const Rank rank = session_.rank();
    const MoveMemory memory{.from = reinterpret_cast<std::byte*>(first_.data()),
                            .packed = reinterpret_cast<std::byte*>(second_.data())};
    session_.compute(static_cast<double>(moves.sends(rank)), [&] { RankMove(moves, rank).pack(sizeof(T), memory); });
    laps.end(figures_.seconds[0]);
    collectives_.run(*moves.request(rank, sizeof(T)), second_.data(), first_.data(), mpi_type_of<T>());
    laps.end(figures_.seconds[1]);
    const auto [first, rows, column, width] = moves.to().block(rank);
    session_.compute(static_cast<double>(moves.receives(rank)),
                     [&] { transpose(rows, width, first_.data(), width, second_.data(), rows); });
    laps.end(figures_.seconds[2]);
  }

  Session& session_;
  Collectives& collectives_;
  bool fortran_order_;
  Storage<T> first_;
  Storage<T> second_;
  PanelFigures figures_;
};

/// Panels of one shape are exchanged, and predicted, alike.
std::vector<Phase> forecast(Session& session, Collectives& collectives, const std::vector<Part>& panels,
                            const Problem& problem, const std::vector<BytesPerSecond>& speeds) {
  const Bytes element = element_info(problem.type).bytes;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> shapes;
  for (const Part& panel : panels) ++shapes[{panel.rows, panel.columns}];
  PhaseForecast exchange;
  for (const auto& [shape, times] : shapes) {
    const Redistribution moves = exchange_of({0, shape.first, 0, shape.second}, session.ranks());
    const PhaseForecast one =
        forecast_collective(collectives, *session.planner(), *moves.request(session.rank(), element), alltoallv_direct);
    exchange.how = one.how;
    exchange.predicted_s += static_cast<double>(times) * one.predicted_s;
    exchange.bound_s += static_cast<double>(times) * one.bound_s;
  }
  const std::vector<double> each(
      speeds.size(), static_cast<double>(bytes_of(problem.a, problem.type)) / static_cast<double>(session.ranks()));
  return {{panel_phases[0], forecast_work("blocks of A's lines", each, speeds)},
          {panel_phases[1], exchange},
          {panel_phases[2], forecast_work("blocks of B's lines", each, speeds)}};
}

}  // namespace

PanelLimit panel_limit(Session& session, const Options& options, double needed) {
  if (options.generated() || options.out.empty() || options.in_place || machine::simulated()) return {};
  if (options.memory > 0) return {options.memory, {}};
  const double together = sum_on_host(session, needed);
  const int ranks = session.processors()[static_cast<std::size_t>(session.rank())].ranks_on_host;
  const auto free = static_cast<double>(available_memory());
  std::array<double, 2> least{free - together, 0.8 * free / ranks};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, least.data(), least.size(), MPI_DOUBLE, MPI_MIN, session.communicator()),
            "MPI_Allreduce");
  if (least[0] >= 0) return {};
  return {static_cast<Bytes>(least[1]),
          fmt::format("note: A and B do not fit in the memory that is free; panels of {:.2f} GB for each rank do",
                      least[1] * 1e-9)};
}

template <Element T>
void transpose_in_panels(Session& session, const Options& options, const Problem& problem, const PanelLimit& limit) {
  ProgressPrinter progress(session.rank() == 0, ProgressPrinter::Style::one_line);
  const bool fortran = problem.header.fortran_order;
  const Part all = lines_of_file(problem);
  PanelRun run;
  progress.begin("measuring ranks and links");
  session.use_threads(1);
  run.speeds = session.measure_transpose<T>(probed);
  const auto collectives = session.make_collectives(options.run.collectives);
  const PanelPlan plan = plan_within(session, all, sizeof(T), limit.bytes);
  const Bytes buffers = 2 * plan.room * static_cast<Bytes>(sizeof(T));
  const std::vector<Part> panels = panels_of(plan, all.rows, all.columns);
  const Part panel = in_matrix({0, plan.high, 0, plan.wide}, fortran);
  run.how =
      fmt::format("{} panel{} of {} x {}", panels.size(), panels.size() == 1 ? "" : "s", panel.rows, panel.columns);
  run.moved = static_cast<double>(bytes_of(problem.a, problem.type));
  run.memory = {limit, predicted_peak(session, buffers), available_memory()};
  require_memory(session, static_cast<double>(buffers));

  MatrixFileReader from(session.communicator(), options.in, problem.header);
  MatrixFileWriter to(session.communicator(), options.out, problem.type, problem.b(), fortran);
  std::optional<InPanels<T>> work;
  agree(session.communicator(), [&] { work.emplace(session, *collectives, fortran, plan.room); });
  print(session, run.memory.text());
  run.phases = forecast(session, *collectives, panels, problem, run.speeds);
  for (std::size_t p = 0; p < panels.size(); ++p) {
    progress.begin(fmt::format("panel {} of {}", p + 1, panels.size()).c_str());
    work->transpose_panel(from, to, panels[p]);
  }
  run.mine = work->figures();
  progress.begin("");
  deliver_transpose(session, report_of(session, options, problem, run), [&to] { to.commit(); });
}

bool is_view_of_file(const Options& options, const Problem& problem) {
  return !options.generated() && !options.out.empty() && problem.header.fortran_order != options.fortran_out;
}

template <Element T>
void copy_as_view(Session& session, const Options& options, const Problem& problem) {
  ProgressPrinter progress(session.rank() == 0, ProgressPrinter::Style::one_line);
  session.discover_or_load();  // which the report tells of
  const bool fortran = problem.header.fortran_order;
  const Part all = lines_of_file(problem);
  constexpr std::int64_t most = view_buffer / Bytes{sizeof(T)};
  const std::int64_t wide = std::min(all.columns, most);
  const PanelPlan plan{session.ranks() * (wide == 0 ? 1 : most / wide), wide, most};
  PanelRun run;
  run.how = "view: A's bytes in their order";
  run.speeds.resize(static_cast<std::size_t>(session.ranks()), 0);
  for (const char* const phase : panel_phases) run.phases.push_back({phase, {"nothing", 0, 0}});
  run.memory.predicted = predicted_peak(session, view_buffer);

  MatrixFileReader from(session.communicator(), options.in, problem.header);
  MatrixFileWriter to(session.communicator(), options.out, problem.type, problem.b(), !fortran);
  Storage<T> buffer;
  agree(session.communicator(), [&] { buffer = Storage<T>(most); });
  for (const Part& panel : panels_of(plan, all.rows, all.columns)) {
    const Part part = in_matrix(part_of(exchange_of(panel, session.ranks()).from(), panel, session.rank()), fortran);
    Laps laps;
    from.read(part, fortran, buffer.data());
    laps.end(run.mine.read_s);
    run.mine.hash_of_a += hash_part(buffer.data(), part, fortran, false);
    run.mine.hash_of_b += hash_part(buffer.data(), part.transposed(), !fortran, true);
    laps.start();
    to.write(part.transposed(), !fortran, buffer.data());
    laps.end(run.mine.write_s);
  }
  deliver_transpose(session, report_of(session, options, problem, run), [&to] { to.commit(); });
}

#define TOMBOLO_FOR(T)                                                                               \
  template void transpose_in_panels<T>(Session&, const Options&, const Problem&, const PanelLimit&); \
  template void copy_as_view<T>(Session&, const Options&, const Problem&);
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

}  // namespace tombolo::transposition
