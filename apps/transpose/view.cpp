#include "transpose/view.hpp"

#include <algorithm>
#include <complex>

#include <tombolo/framework/matrix/matrix_hash.hpp>
#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/matrix_file.hpp>
#include <tombolo/framework/mpi/session/progress_line.hpp>

#include "output.hpp"
#include "transpose/panel_parts.hpp"
#include "transpose/panel_report.hpp"

namespace tombolo::transposition {

namespace {

constexpr Bytes view_buffer = Bytes{16} << 20;

}  // namespace

bool is_view_of_file(const Options& options, const Problem& problem) {
  return !options.generated() && !options.out.empty() && problem.header.fortran_order != options.fortran_out;
}

template <Element T>
void copy_as_view(Session& session, const Options& options, const Problem& problem) {
  const ProgressLine progress(session);
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
    const Part part = PanelShares(session, panel, fortran).read;
    Laps laps;
    from.read(part, fortran, buffer.data());
    laps.end(run.mine.read_s);
    run.mine.hash_of_a += hash_part(buffer.data(), part, fortran, false);
    run.mine.hash_of_b += hash_part(buffer.data(), part.transposed(), !fortran, true);
    laps.start();
    to.write(part.transposed(), !fortran, buffer.data());
    laps.end(run.mine.write_s);
  }
  deliver_file(session, report_of(session, options, problem, run), to);
}

#define TOMBOLO_FOR(T) template void copy_as_view<T>(Session&, const Options&, const Problem&);
TOMBOLO_FOR(float)
TOMBOLO_FOR(double)
TOMBOLO_FOR(std::complex<float>)
TOMBOLO_FOR(std::complex<double>)
#undef TOMBOLO_FOR

}  // namespace tombolo::transposition
