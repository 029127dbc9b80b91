#include "transpose/panels.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <span>
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
#include <tombolo/framework/mpi/arrays/panel_file.hpp>
#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/framework/report/progress_printer.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

#include "output.hpp"
#include "run/memory_limit.hpp"
#include "run/options.hpp"
#include "run/phases.hpp"
#include "run/recording.hpp"
#include "run/report.hpp"
#include "transpose/options.hpp"
#include "transpose/problem.hpp"
#include "transpose/report.hpp"

namespace tombolo::transposition {

namespace {

constexpr Bytes least_buffer = Bytes{1} << 20;  // lines of panels would be too short in a smaller one
constexpr Bytes view_buffer = Bytes{16} << 20;

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

/// Times and hashes of one rank's parts of all panels.
struct PanelFigures {
  std::array<double, panel_phases.size()> seconds{};
  double read_s = 0;
  double write_s = 0;
  std::uint64_t hash_of_a = 0;
  std::uint64_t hash_of_b = 0;  ///< places counted transposed
};

/// A run that is over.
struct PanelRun {
  std::string how;  ///< "12 panels of 4000 x 20000"
  std::int64_t panels = 0;
  std::int64_t finished_before = 0;  ///< of these, by earlier runs
  double recorded_s = 0;             ///< spent on what --resume needs, on this rank
  std::string wrong = {};            ///< in words, which panel is
  std::vector<Phase> phases;         ///< on rank 0
  MemoryUse memory;
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

/// Panels of this many lines by width within the limit. Throws AgreedError where it leaves no room. Collective.
PanelPlan plan_within(const Session& session, const Part& all, Bytes element, const MemoryLimit& limit) {
  const Bytes before = memory_before(session);
  const Bytes each = std::max<Bytes>((limit.bytes - before) / 2, 0);  // of two buffers
  const PanelPlan plan = plan_panels(all.rows, all.columns, session.ranks(), std::max<std::int64_t>(each / element, 1));
  agree(session.communicator(), [&] {
    if (each >= least_buffer || plan.room * element <= each) return;
    throw no_room(limit, "panels", before, 2 * least_buffer);
  });
  return plan;
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
  if (!run.wrong.empty()) report.verdict = {false, true, "WRONG: " + run.wrong, report.verdict.details};
  report.notes = notes_on_crowding(report.platform.processors);
  report.remarks = {fmt::format("files: read in {}, written in {}", rate(bytes, read_s), rate(bytes, write_s))};
  report.more = {{"files", {{"bytes", bytes}, {"read_s", read_s}, {"write_s", write_s}}}};
  run.memory.add_to(session, report);
  if (options.recording.wanted())
    add_recorded(run.panels, run.finished_before, of_all(session, run.recorded_s, MPI_MAX), report);
  return report;
}

/// One rank's part of the work on panels.
template <Element T>
class InPanels {
 public:
  InPanels(Session& session, Collectives& collectives, bool fortran_order, std::int64_t room)
      : session_(session), collectives_(collectives), fortran_order_(fortran_order), first_(room), second_(room) {}

  void transpose_panel(MatrixFileReader& from, PanelFile& to, const Part& panel) {
    const Redistribution moves = exchange_of(panel, session_.ranks());
    const Part read = in_matrix(part_of(moves.from(), panel, session_.rank()), fortran_order_);
    const Part written = in_matrix(part_of(moves.to(), panel, session_.rank()).transposed(), fortran_order_);
    Laps laps;
    from.read(read, fortran_order_, first_.data());
    laps.end(figures_.read_s);
    figures_.hash_of_a += hash_part(first_.data(), read, fortran_order_, false);
    laps.start();
    move(moves, laps);
    const std::uint64_t hash = hash_part(second_.data(), written, fortran_order_, true);
    figures_.hash_of_b += hash;
    laps.start();
    to.write(written, fortran_order_, second_.data(), hash);
    laps.end(figures_.write_s);
  }

  const PanelFigures& figures() const { return figures_; }
  std::span<T> buffer() { return {first_.data(), static_cast<std::size_t>(first_.size())}; }

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

std::int64_t elements_of(const std::vector<Part>& parts) {
  return std::accumulate(parts.begin(), parts.end(), std::int64_t{0},
                         [](std::int64_t sum, const Part& part) { return sum + part.elements(); });
}

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
      speeds.size(), static_cast<double>(elements_of(panels) * element) / static_cast<double>(session.ranks()));
  return {{panel_phases[0], forecast_work("blocks of A's lines", each, speeds)},
          {panel_phases[1], exchange},
          {panel_phases[2], forecast_work("blocks of B's lines", each, speeds)}};
}

/// B in its file, with panels of this many lines of A by their width.
PanelFile panel_file(Session& session, const Options& options, const Problem& problem, bool fortran_order,
                     const MatrixShape& division) {
  std::vector<Fact> facts;
  agree(session.communicator(), [&] {
    if (session.rank() == 0) facts = {{"command", "transpose"}, fact_of_file("A", options.in)};
  });
  return {session.communicator(),
          options.out,
          {problem.type, problem.b(), fortran_order, std::move(facts), division},
          options.recording.records(),
          session.rank()};
}

/// The pieces of a panel that fit in the buffers.
std::vector<Part> pieces_of(const PanelPlan& plan, const Part& panel) {
  std::vector<Part> pieces = panels_of(plan, panel.rows, panel.columns);
  for (Part& piece : pieces) {
    piece.first_row += panel.first_row;
    piece.first_column += panel.first_column;
  }
  return pieces;
}

void deliver_panels(Session& session, const Options& options, const Report& report, PanelFile& to) {
  const auto commit = [&to] { to.commit(); };
  if (!options.recording.wanted()) return deliver_transpose(session, report, commit);
  deliver(session, report, commit, did_not_get_its_name("the transpose is wrong"));
}

/// The panels of a run, in lines of A's file, of which earlier runs have finished some.
class RecordedPanels {
 public:
  RecordedPanels(const PanelFile& to, const Part& all, bool fortran_order) : fortran_order_(fortran_order) {
    std::vector<Part> finished;
    for (const FinishedPanel& panel : to.finished()) {
      finished.push_back(panel.panel);
      for (const WrittenPart& part : panel.written) hash_of_finished_ += part.hash;
    }
    const PanelPlan division{to.division().rows, to.division().columns, 0};
    for (const Part& panel : panels_of(division, all.rows, all.columns)) {
      ++count_;
      if (std::find(finished.begin(), finished.end(), in_b(panel)) == finished.end()) missing_.push_back(panel);
    }
  }

  std::int64_t count() const { return count_; }
  const std::vector<Part>& missing() const { return missing_; }

  /// Lets `transpose` do one panel after the other, which returns this rank's figures of all so far. Collective.
  template <class Transpose>
  void run(Session& session, const Options& options, PanelFile& to, PanelRun& run, BetweenPanels& between,
           ProgressPrinter& progress, Transpose transpose) const {
    run.panels = count_;
    run.finished_before = count_ - std::ssize(missing_);
    between.begin(options.out, run.finished_before, counted(count_, "panel"));
    std::int64_t number = run.finished_before;
    for (const Part& panel : missing_) {
      progress.begin(fmt::format("panel {} of {}", ++number, count_).c_str());
      const std::uint64_t difference = run.mine.hash_of_b - run.mine.hash_of_a;
      run.mine = transpose(panel);
      if (!options.recording.wanted()) continue;
      Laps laps;
      if (of_all(session, run.mine.hash_of_b - run.mine.hash_of_a - difference, MPI_SUM) != 0) {
        run.wrong = rows_and_columns(in_b(panel)) + " of B are not those of A";
        to.record();  // those before
        break;
      }
      to.finish(in_b(panel));
      if (between.is_due()) to.record();
      laps.end(run.recorded_s);
      between.end_if_told(options.out, std::ssize(to.finished()), counted(count_, "panel"));
    }
    if (session.rank() != 0) return;
    run.mine.hash_of_a += hash_of_finished_;
    run.mine.hash_of_b += hash_of_finished_;
  }

  /// Compares what the file holds with what was written, by this run and earlier ones. Collective.
  template <Element T>
  void check(PanelFile& to, std::span<T> buffer, PanelRun& run) const {
    if (!run.wrong.empty()) return;
    Laps laps;
    to.record();
    const std::optional<PanelFile::Wrong> wrong = to.find_wrong(buffer, true);
    laps.end(run.recorded_s);
    if (wrong) run.wrong = words_of(*wrong, "B");
  }

 private:
  /// A panel in rows and columns of B.
  Part in_b(const Part& panel) const { return in_matrix(panel, fortran_order_).transposed(); }

  bool fortran_order_;
  std::int64_t count_ = 0;
  std::vector<Part> missing_;
  std::uint64_t hash_of_finished_ = 0;
};

}  // namespace

MemoryLimit panel_limit(Session& session, const Options& options, double needed) {
  if (options.generated() || options.out.empty() || options.in_place || machine::simulated()) return {};
  return memory_limit(
      session, options.memory,
      {.bytes = needed, .in_parts = options.recording.wanted(), .matrices = "A and B", .parts = "panels"});
}

template <Element T>
void transpose_in_panels(Session& session, const Options& options, const Problem& problem, const MemoryLimit& limit,
                         std::vector<BytesPerSecond> speeds, BetweenPanels& between) {
  ProgressPrinter progress(session.rank() == 0, ProgressPrinter::Style::one_line);
  const bool fortran = problem.header.fortran_order;
  const Part all = lines_of_file(problem);
  PanelRun run;
  run.speeds = std::move(speeds);
  progress.begin("measuring ranks and links");
  const auto collectives = session.make_collectives(options.run.collectives);
  PanelPlan plan = plan_within(session, all, sizeof(T), limit);
  MatrixFileReader from(session.communicator(), options.in, problem.header);
  PanelFile to = panel_file(session, options, problem, fortran, {plan.high, plan.wide});
  const RecordedPanels panels(to, all, fortran);
  if (to.division() != MatrixShape{plan.high, plan.wide}) {  // that of a run on other ranks or in other memory
    plan = plan_within(session, {0, to.division().rows, 0, to.division().columns}, sizeof(T), limit);
  }
  std::vector<Part> pieces;
  for (const Part& panel : panels.missing()) {
    for (const Part& piece : pieces_of(plan, panel)) pieces.push_back(piece);
  }
  const Bytes buffers = 2 * plan.room * static_cast<Bytes>(sizeof(T));
  const Part panel = in_matrix({0, to.division().rows, 0, to.division().columns}, fortran);
  run.how = fmt::format("{} of {} x {}", counted(panels.count(), "panel"), panel.rows, panel.columns);
  run.moved = static_cast<double>(elements_of(pieces)) * sizeof(T);
  run.memory = predicted_use(session, limit, buffers);
  require_memory(session, static_cast<double>(buffers));

  std::optional<InPanels<T>> work;
  agree(session.communicator(), [&] { work.emplace(session, *collectives, fortran, plan.room); });
  print(session, run.memory.text());
  run.phases = forecast(session, *collectives, pieces, problem, run.speeds);
  panels.run(session, options, to, run, between, progress, [&](const Part& missing) -> const PanelFigures& {
    for (const Part& piece : pieces_of(plan, missing)) work->transpose_panel(from, to, piece);
    return work->figures();
  });
  progress.begin("verifying");
  panels.check(to, work->buffer(), run);
  progress.begin("");
  deliver_panels(session, options, report_of(session, options, problem, run), to);
}

bool is_view_of_file(const Options& options, const Problem& problem) {
  return !options.generated() && !options.out.empty() && problem.header.fortran_order != options.fortran_out;
}

template <Element T>
void copy_as_view(Session& session, const Options& options, const Problem& problem, BetweenPanels& between) {
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
  run.memory = predicted_use(session, {}, view_buffer);

  MatrixFileReader from(session.communicator(), options.in, problem.header);
  PanelFile to = panel_file(session, options, problem, !fortran, {plan.high, plan.wide});
  const RecordedPanels panels(to, all, fortran);
  Storage<T> buffer;
  agree(session.communicator(), [&] { buffer = Storage<T>(most); });
  PanelFigures figures;
  panels.run(session, options, to, run, between, progress, [&](const Part& missing) -> const PanelFigures& {
    for (const Part& panel : pieces_of(plan, missing)) {
      const Part part = in_matrix(part_of(exchange_of(panel, session.ranks()).from(), panel, session.rank()), fortran);
      Laps laps;
      from.read(part, fortran, buffer.data());
      laps.end(figures.read_s);
      figures.hash_of_a += hash_part(buffer.data(), part, fortran, false);
      const std::uint64_t hash = hash_part(buffer.data(), part.transposed(), !fortran, true);
      figures.hash_of_b += hash;
      laps.start();
      to.write(part.transposed(), !fortran, buffer.data(), hash);
      laps.end(figures.write_s);
    }
    return figures;
  });
  progress.begin("verifying");
  panels.check(to, std::span<T>(buffer.data(), static_cast<std::size_t>(most)), run);
  progress.begin("");
  deliver_panels(session, options, report_of(session, options, problem, run), to);
}

#define TOMBOLO_FOR(T)                                                                               \
  template void transpose_in_panels<T>(Session&, const Options&, const Problem&, const MemoryLimit&, \
                                       std::vector<BytesPerSecond>, BetweenPanels&);                 \
  template void copy_as_view<T>(Session&, const Options&, const Problem&, BetweenPanels&);
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

}  // namespace tombolo::transposition
