#include "transpose/panels.hpp"

#include <complex>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/matrix/matrix_hash.hpp>
#include <tombolo/framework/matrix/strided_copy.hpp>
#include <tombolo/framework/matrix/transpose.hpp>
#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/arrays/element_datatype.hpp>
#include <tombolo/framework/mpi/matrix_file.hpp>
#include <tombolo/framework/mpi/session/progress_line.hpp>
#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/framework/shares.hpp>
#include <tombolo/platform/system/memory.hpp>

#include "output.hpp"
#include "run/checks.hpp"
#include "transpose/panel_parts.hpp"
#include "transpose/panel_report.hpp"

namespace tombolo::transposition {

namespace {

constexpr MatrixShape probed{512, 1024};  // small, as it is part of the peak

/// One rank's part of the work on panels.
template <Element T>
class InPanels {
 public:
  InPanels(Session& session, Collectives& collectives, bool fortran_order, std::int64_t room)
      : session_(session), collectives_(collectives), fortran_order_(fortran_order), first_(room), second_(room) {}

  void transpose_panel(MatrixFileReader& from, MatrixFileWriter& to, const Part& panel) {
    const PanelShares shares(session_, panel, fortran_order_);
    Laps laps;
    from.read(shares.read, fortran_order_, first_.data());
    laps.end(figures_.read_s);
    figures_.hash_of_a += hash_part(first_.data(), shares.read, fortran_order_, false);
    laps.start();
    move(panel, shares, laps);
    figures_.hash_of_b += hash_part(second_.data(), shares.written, fortran_order_, true);
    laps.start();
    to.write(shares.written, fortran_order_, second_.data());
    laps.end(figures_.write_s);
  }

  const PanelFigures& figures() const { return figures_; }

 private:
  void move(const Part& panel, const PanelShares& shares, Laps& laps) {
    session_.compute(static_cast<double>(shares.read.elements()), [&] { pack(panel, shares); });
    laps.end(figures_.seconds[0]);
    collectives_.alltoallv(second_.data(), AlltoallCounts::product(Blocks(shares.lines), Blocks(shares.width)),
                           first_.data(), mpi_type(element_type_of<T>));
    laps.end(figures_.seconds[1]);
    const std::int64_t width = shares.width[static_cast<std::size_t>(session_.rank())];
    session_.compute(static_cast<double>(shares.written.elements()),
                     [&] { transpose(panel.rows, width, first_.data(), width, second_.data(), panel.rows); });
    laps.end(figures_.seconds[2]);
  }

  void pack(const Part& panel, const PanelShares& shares) {
    const T* from = first_.data();
    T* to = second_.data();
    for (const std::int64_t columns : shares.width) {
      to = pack_columns(shares.lines[static_cast<std::size_t>(session_.rank())], from, panel.columns, columns, to);
      from += columns;
    }
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
    const auto product = AlltoallCounts::product(Blocks(equal_shares(shape.first, session.ranks())),
                                                 Blocks(equal_shares(shape.second, session.ranks())));
    const PhaseForecast one = forecast_collective(
        collectives, *session.planner(), Request::alltoallv(session.ranks(), product, element), alltoallv_direct);
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

template <Element T>
void transpose_in_panels(Session& session, const Options& options, const Problem& problem, const PanelLimit& limit) {
  const ProgressLine progress(session);
  const bool fortran = problem.header.fortran_order;
  const Part all = lines_of_file(problem);
  PanelRun run;
  progress.show("measuring ranks and links");
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
    progress.show(fmt::format("panel {} of {}", p + 1, panels.size()).c_str());
    work->transpose_panel(from, to, panels[p]);
  }
  run.mine = work->figures();
  progress.show("");
  deliver_file(session, report_of(session, options, problem, run), to);
}

#define TOMBOLO_FOR(T) \
  template void transpose_in_panels<T>(Session&, const Options&, const Problem&, const PanelLimit&);
TOMBOLO_FOR(float)
TOMBOLO_FOR(double)
TOMBOLO_FOR(std::complex<float>)
TOMBOLO_FOR(std::complex<double>)
#undef TOMBOLO_FOR

}  // namespace tombolo::transposition
