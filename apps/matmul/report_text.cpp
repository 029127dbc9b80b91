#include <fmt/format.h>

#include "matmul/report.hpp"
#include "table.hpp"

namespace tombolo::matmul {

namespace {

std::string verdict(const Report& r) {
  if (r.phantom) return "phantom: the matrices were not held or multiplied, only the time it takes was simulated";
  const Verification& verification = r.verification;
  if (is_wrong(verification)) {
    return fmt::format("WRONG: row {} of C is {:.3g} times the rounding error allowed away from A (B x)",
                       verification.row, verification.worst_ratio);
  }
  if (!verification.decided) {
    return fmt::format("not verified: row {} of C holds or comes from values that are not finite (infinite or NaN)",
                       verification.row);
  }
  return fmt::format("verified: C x = A (B x) for random x, largest difference {:.2g} of the rounding error allowed",
                     verification.worst_ratio);
}

std::string heading(const Report& r) {
  const GemmShape& s = r.problem.shape;
  return fmt::format("C = A x B: A {} x {}, B {} x {}, {}; rows by {}, {} collectives, {} rank{}, root {}\n", s.m, s.k,
                     s.k, s.n, element_info(r.problem.type).name,
                     r.options.shares == Shares::speed ? "speed" : "equal shares",
                     r.options.collectives == Session::Kind::tombolo ? "planned" : "native", r.processors.size(),
                     r.processors.size() == 1 ? "" : "s", r.options.root);
}

std::string in_seconds(double seconds) {
  return fmt::format("{:.6f}", seconds);
}

std::string in_gigaflops(double speed) {
  return fmt::format("{:.2f}", speed * 1e-9);
}

std::string phase_table(const Report& r) {
  Table table({"phase", "seconds", "predicted s", "bound s", "how"}, "<>>><");
  for (std::size_t p = 0; p < phases; ++p) {
    const PhaseForecast& forecast = r.forecast[p];
    table.add({phase_names[p], in_seconds(r.phase_seconds(p)), in_seconds(forecast.predicted_s),
               in_seconds(forecast.bound_s), forecast.how});
  }
  const bool idle = flops(r.problem.shape) == 0;
  table.add({"total", in_seconds(r.total()), in_seconds(r.predicted()), in_seconds(r.bound()),
             idle ? "nothing to compute" : in_gigaflops(r.compute_speed()) + " Gflop/s while computing"});
  return table.text();
}

std::string rank_table(const Report& r) {
  std::vector<std::string> headings{"rank", "host", "threads", "rows", "probed Gflop/s"};
  for (const char* phase : phase_names) headings.push_back(fmt::format("{} s", phase));
  headings.emplace_back("reached Gflop/s");
  Table table(std::move(headings), "><>>>" + std::string(phases, '>') + ">");
  for (std::size_t rank = 0; rank < r.processors.size(); ++rank) {
    const Processor& on = r.processors[rank];
    std::vector<std::string> words{std::to_string(rank), on.host, std::to_string(on.threads),
                                   std::to_string(r.rows.count(static_cast<int>(rank))),
                                   on.speed == 0 ? "-" : in_gigaflops(static_cast<double>(on.speed))};
    for (std::size_t p = 0; p < phases; ++p) words.push_back(in_seconds(r.rank_seconds(rank, p)));
    words.push_back(r.rank_flops(rank) == 0 ? "idle" : in_gigaflops(r.rank_speed(rank)));
    table.add(std::move(words));
  }
  return table.text();
}

}  // namespace

std::string to_text(const Report& r) {
  std::string text = heading(r) + "\n" + phase_table(r) + "\n" + rank_table(r) + "\n" + verdict(r) + "\n";
  for (const std::string& note : notes(r)) text += "note: " + note + "\n";
  if (r.reference.measured) {
    const double alone = r.reference_speed();
    text += fmt::format("reference: one process, {} thread{}, {} s, {} Gflop/s; the compute phase reaches {:.1f} %\n",
                        r.reference.threads, r.reference.threads == 1 ? "" : "s", in_seconds(r.reference.seconds),
                        in_gigaflops(alone), alone > 0 ? 100 * r.compute_speed() / alone : 0);
  }
  return text;
}

}  // namespace tombolo::matmul
