#include "matmul/report.hpp"

#include <utility>

#include <fmt/format.h>

#include <tombolo/platform/readable.hpp>

#include "matmul/rows.hpp"
#include "output.hpp"

namespace tombolo::matmul {

namespace {

Work work_of(const Result& result, const std::vector<Processor>& processors) {
  const RunReport& run = result.run;
  std::vector<FlopsPerSecond> probed;
  for (const Processor& on : processors) probed.push_back(on.speed);
  std::vector<double> amount(processors.size(), 0);
  for (const MemberReport& member : run.members) amount[static_cast<std::size_t>(member.rank)] = member.operations;
  return {.amount = std::move(amount),
          .probed = std::move(probed),
          .phases = result.computing,
          .unit = "flop",
          .key = "flops",
          .verb = "compute",
          .gerund = "computing"};
}

// A product that holds or meets values that are not finite cannot be judged, which is neither wrong nor verified.
Verdict verdict_on(const Verification& v, const std::vector<Rank>& of_row) {
  Verdict verdict;
  verdict.verified = v.ok && v.decided;
  verdict.wrong = v.decided && !v.ok;
  if (verdict.wrong) {
    verdict.words =
        fmt::format("WRONG: row {} of C, from rank{} {}, is {:.3g} times the rounding error allowed away from A (B x)",
                    v.row, of_row.size() == 1 ? "" : "s", fmt::join(of_row, ", "), v.worst_ratio);
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

void add(const std::vector<Part>& parts_of_c, Report& report) {
  if (parts_of_c.empty()) return;
  report.shared = "rectangles";
  report.counted = "elements";
  std::vector<std::int64_t> elements;
  Json parts = Json::array();
  for (const Part& part : parts_of_c) {
    elements.push_back(part.elements());
    parts.push_back({part.first_row, part.rows, part.first_column, part.columns});
  }
  report.rows = Blocks(std::move(elements));
  report.more["parts"] = std::move(parts);
}

// Why a way was not taken that is predicted at less than the one that was.
std::string doubt_of(const std::vector<Forecast>& compared, std::size_t way) {
  const bool gains = compared[way].left_out.empty() && compared[way].predicted_s < compared.front().predicted_s;
  return gains ? ", too little less to be sure of" : "";
}

Json to_json(const Forecast& way) {
  return {{"way", way.name},
          {"predicted_s", way.predicted_s},
          {"computing_s", way.computing_s},
          {"needed_bytes", way.needs},
          {"left_out", way.left_out}};
}

}  // namespace

Json to_json(const std::vector<Forecast>& compared) {
  Json all = Json::array();
  for (const Forecast& way : compared) all.push_back(to_json(way));
  return all;
}

std::string chosen_of(const std::vector<Forecast>& compared) {
  const Forecast& chosen = compared.front();
  std::string next;
  if (compared.size() > 1) {
    next = fmt::format("; next best of {}: {}, {}{:.6f} s{}", counted(compared.size() - 1, "other"), compared[1].name,
                       compared[1].left_out.empty() ? "" : "computation alone ", compared[1].predicted_s,
                       doubt_of(compared, 1));
  }
  return fmt::format("chosen: {}, predicted {:.6f} s{}", chosen.name, chosen.predicted_s, next);
}

std::string explained(const std::vector<Forecast>& compared) {
  if (compared.empty()) return "one way only, as asked for\n";
  std::string text = fmt::format("{:>12} {:>12} {:>12}  way\n", "predicted s", "computing s", "needed GB");
  for (std::size_t i = 0; i < compared.size(); ++i) {
    const Forecast& way = compared[i];
    const std::string why = !way.left_out.empty() ? fmt::format("; not predicted in full: {}", way.left_out)
                            : i == 0              ? "; chosen"
                                                  : doubt_of(compared, i);
    text += fmt::format("{:12.6f} {:12.6f} {:12.3f}  {}{}\n", way.predicted_s, way.computing_s, way.needs * 1e-9,
                        way.name, why);
  }
  return text;
}

Error was_not_written() {
  return Error("the product is wrong and was not written", "please report this with the machine's BLAS and MPI");
}

Report report_of(Session& session, const Options& options, const Problem& problem, const Result& result) {
  const GemmShape& s = problem.shape;
  const std::string_view type = element_info(problem.type).name;
  Report report;
  report.what = fmt::format("C = A x B: A {} x {}, B {} x {}, {}", s.m, s.k, s.k, s.n, type);
  report.input = {{"shape", {{"m", s.m}, {"n", s.n}, {"k", s.k}}}, {"dtype", type}, {"algorithm", result.algorithm}};
  report.input["held"] = options.held == Held::root ? "root" : "distributed";
  report.options = options.run;
  if (options.held == Held::root) report.root = options.root;
  report.platform = environment_of(session);
  report.rows = shares_of(result.run);
  add(result.parts_of_c, report);
  if (!result.compared.empty()) {
    report.more["compared"] = to_json(result.compared);
    report.remarks.push_back(chosen_of(result.compared));
  }
  if (options.explain) report.remarks.push_back(explained(result.compared) + result.plan);
  report.run = result.run;
  report.work = work_of(result, report.platform.processors);
  report.phantom = session.phantom();
  report.verdict = report.phantom ? verdict_on_phantoms() : verdict_on(result.verification, result.of_worst_row);
  report.notes = notes_on_crowding(report.platform.processors);
  if (result.reference.measured) add(result.reference, s, report);
  return report;
}

}  // namespace tombolo::matmul
