#include "transpose/panel_report.hpp"

#include <numeric>

#include <fmt/format.h>

#include <tombolo/framework/shares.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/system/memory.hpp>

#include "run/checks.hpp"
#include "run/deliver.hpp"
#include "transpose/verdict.hpp"

namespace tombolo::transposition {

namespace {

double most(const Session& session, double mine) {
  double all = 0;
  check_mpi(MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, session.communicator()), "MPI_Allreduce");
  return all;
}

std::uint64_t sum(const Session& session, std::uint64_t mine) {
  std::uint64_t all = 0;
  check_mpi(MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, session.communicator()), "MPI_Allreduce");
  return all;
}

std::string giga(double bytes) {
  return fmt::format("{:.2f}", bytes * 1e-9);
}

std::string rate(double bytes, double seconds) {
  return fmt::format("{:.3f} s ({:.2f} GB/s)", seconds, per_second(bytes, seconds) * 1e-9);
}

}  // namespace

Report report_of(Session& session, const Options& options, const Problem& problem, const PanelRun& run) {
  const auto [m, n] = problem.a;
  const auto bytes = static_cast<double>(bytes_of(problem.a, problem.type));
  const PanelFigures& mine = run.mine;
  const double read_s = most(session, mine.read_s);
  const double write_s = most(session, mine.write_s);
  const auto peak = static_cast<Bytes>(most(session, static_cast<double>(peak_memory())));
  PhaseEnds ends(mine.seconds.size());
  std::partial_sum(mine.seconds.begin(), mine.seconds.end(), ends.begin());

  Report report;
  report.what =
      fmt::format("B = A^T: A {} x {}, {}, from file to file, {}", m, n, element_info(problem.type).name, run.how);
  report.input = {{"shape", {{"m", m}, {"n", n}}}, {"dtype", element_info(problem.type).name}, {"algorithm", run.how}};
  report.options = options.run;
  report.options.shares = Shares::equal;
  report.platform = environment_of(session);
  report.rows = Blocks(equal_shares(m, session.ranks()));
  report.timeline = timeline_of(run.phases, gather_ends(session, ends));
  report.work = {.amount = std::vector<double>(run.speeds.size(), 2 * run.moved / session.ranks()),
                 .probed = run.speeds,
                 .phases = {0, 2},
                 .unit = "B",
                 .key = "bytes_per_s",
                 .verb = "transpose",
                 .gerund = "transposing"};
  report.verdict = verdict_on(sum(session, mine.hash_of_a), sum(session, mine.hash_of_b));
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

void deliver_file(Session& session, const Report& report, MatrixFileWriter& file) {
  deliver(
      session, report, [&file] { file.commit(); },
      Error("the transpose is wrong and was not written", "please report this with the machine's MPI"));
}

}  // namespace tombolo::transposition
