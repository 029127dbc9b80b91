#include "matmul/report.hpp"

#include <utility>

#include <fmt/format.h>

#include "matmul/rows.hpp"
#include "output.hpp"

namespace tombolo::matmul {

namespace {

Work work_of(const RunReport& run, const std::vector<Processor>& processors) {
  std::vector<FlopsPerSecond> probed;
  for (const Processor& on : processors) probed.push_back(on.speed);
  std::vector<double> amount(processors.size(), 0);
  for (const MemberReport& member : run.members) amount[static_cast<std::size_t>(member.rank)] = member.operations;
  return {.amount = std::move(amount),
          .probed = std::move(probed),
          .phases = {compute_phase},
          .unit = "flop",
          .key = "flops",
          .verb = "compute",
          .gerund = "computing"};
}

// A product that holds or meets values that are not finite cannot be judged, which is neither wrong nor verified.
Verdict verdict_on(const Verification& v) {
  Verdict verdict;
  verdict.verified = v.ok && v.decided;
  verdict.wrong = v.decided && !v.ok;
  if (verdict.wrong) {
    verdict.words = fmt::format("WRONG: row {} of C is {:.3g} times the rounding error allowed away from A (B x)",
                                v.row, v.worst_ratio);
  } else if (!v.decided) {
    verdict.words = fmt::format(
        "not verified: row {} of C holds or comes from values that are not finite (infinite or NaN)", v.row);
  } else {
    verdict.words = fmt::format(
        "verified: C x = A (B x) for random x, largest difference {:.2g} of the rounding error allowed", v.worst_ratio);
  }
  verdict.details = {{"ok", v.ok},
                     {"decided", v.decided},
                     {"worst_ratio", v.worst_ratio},
                     {"largest_relative_error", v.largest_relative_error}};
  return verdict;
}

void add(const Reference& reference, const GemmShape& shape, Report& report) {
  const double speed = per_second(flops(shape), reference.seconds);
  const double reached = report.speed();
  report.remarks.push_back(fmt::format(
      "reference: one process, {}, {:.6f} s, {:.2f} Gflop/s; the compute phase reaches {:.1f} %",
      counted(reference.threads, "thread"), reference.seconds, speed * 1e-9, speed > 0 ? 100 * reached / speed : 0));
  report.more["reference"] = {{"threads", reference.threads}, {"seconds", reference.seconds}, {"flops", speed}};
}

}  // namespace

Report report_of(Session& session, const Options& options, const Problem& problem, const Result& result) {
  const GemmShape& s = problem.shape;
  const std::string_view type = element_info(problem.type).name;
  Report report;
  report.what = fmt::format("C = A x B: A {} x {}, B {} x {}, {}", s.m, s.k, s.k, s.n, type);
  report.input = {{"shape", {{"m", s.m}, {"n", s.n}, {"k", s.k}}}, {"dtype", type}, {"algorithm", "rows"}};
  report.options = options.run;
  report.root = options.root;
  report.platform = environment_of(session);
  report.rows = shares_of(result.run);
  report.run = result.run;
  report.work = work_of(result.run, report.platform.processors);
  report.phantom = session.phantom();
  report.verdict = report.phantom ? verdict_on_phantoms() : verdict_on(result.verification);
  report.notes = notes_on_crowding(report.platform.processors);
  if (result.reference.measured) add(result.reference, s, report);
  return report;
}

}  // namespace tombolo::matmul
