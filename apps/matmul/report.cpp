#include "matmul/report.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tombolo::matmul {

namespace {

double latest(const std::vector<PhaseEnds>& ends, std::size_t phase) {
  double last = 0;
  for (const PhaseEnds& of_rank : ends) last = std::max(last, of_rank[phase]);
  return last;
}

double rate(double work, double seconds) {
  return seconds > 0 ? work / seconds : 0;
}

std::string verdict(const Verification& verification) {
  if (!verification.ok) {
    return fmt::format("WRONG: row {} of C is {:.3g} times the rounding error allowed from A (B x)", verification.row,
                       verification.worst_ratio);
  }
  if (!verification.decided) {
    return fmt::format("could not be verified: row {} holds or meets values that are not finite", verification.row);
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

std::string phase_table(const Report& r) {
  std::string text =
      fmt::format("{:<12} {:>10} {:>12} {:>10}   {}\n", "phase", "seconds", "predicted_s", "bound_s", "how");
  for (std::size_t p = 0; p < phases; ++p) {
    text += fmt::format("{:<12} {:>10.4f} {:>12.4f} {:>10.4f}   {}\n", phase_names[p], r.phase_seconds(p),
                        r.forecast[p].predicted_s, r.forecast[p].bound_s, r.forecast[p].how);
  }
  return text + fmt::format("{:<12} {:>10.4f} {:>12.4f} {:>10.4f}   {:.2f} Gflop/s while computing\n", "total",
                            r.total(), r.predicted(), r.bound(), r.compute_speed() * 1e-9);
}

std::string rank_table(const Report& r) {
  std::string text =
      fmt::format("{:>4}  {:<16} {:>7} {:>9} {:>15}", "rank", "host", "threads", "rows", "speed Gflop/s");
  for (const char* phase : phase_names) text += fmt::format(" {:>11}", fmt::format("{} s", phase));
  text += fmt::format(" {:>9}\n", "Gflop/s");
  for (std::size_t rank = 0; rank < r.processors.size(); ++rank) {
    const Processor& on = r.processors[rank];
    const std::int64_t rows = r.rows.count(static_cast<int>(rank));
    text += fmt::format("{:>4}  {:<16} {:>7} {:>9} {:>15.2f}", rank, on.host, on.threads, rows,
                        static_cast<double>(on.speed) * 1e-9);
    for (std::size_t p = 0; p < phases; ++p) text += fmt::format(" {:>12.4f}", r.rank_seconds(rank, p));
    text += rows == 0 ? fmt::format(" {:>9}\n", "idle") : fmt::format(" {:>9.2f}\n", r.rank_speed(rank) * 1e-9);
  }
  return text;
}

}  // namespace

double Report::phase_seconds(std::size_t phase) const {
  return phase == 0 ? latest(ends, 0) : std::max(0.0, latest(ends, phase) - latest(ends, phase - 1));
}

double Report::total() const {
  return latest(ends, phases - 1);
}

double Report::predicted() const {
  double sum = 0;
  for (const PhaseForecast& phase : forecast) sum += phase.predicted_s;
  return sum;
}

double Report::bound() const {
  double sum = 0;
  for (const PhaseForecast& phase : forecast) sum += phase.bound_s;
  return sum;
}

double Report::rank_seconds(std::size_t rank, std::size_t phase) const {
  return ends[rank][phase] - (phase == 0 ? 0 : ends[rank][phase - 1]);
}

double Report::rank_speed(std::size_t rank) const {
  const GemmShape& s = problem.shape;
  return rate(flops({.m = rows.count(static_cast<int>(rank)), .n = s.n, .k = s.k}), rank_seconds(rank, compute_phase));
}

double Report::compute_speed() const {
  double slowest = 0;
  for (std::size_t rank = 0; rank < ends.size(); ++rank) slowest = std::max(slowest, rank_seconds(rank, compute_phase));
  return rate(flops(problem.shape), slowest);
}

std::string to_text(const Report& r) {
  std::string text = heading(r) + "\n" + phase_table(r) + "\n" + rank_table(r) + "\n" + verdict(r.verification) + "\n";
  if (r.reference.measured) {
    const double alone = rate(flops(r.problem.shape), r.reference.seconds);
    text += fmt::format(
        "reference: one process, {} threads, {:.4f} s, {:.2f} Gflop/s; the compute phase reaches {:.1f} %\n",
        r.reference.threads, r.reference.seconds, alone * 1e-9, 100 * rate(r.compute_speed(), alone));
  }
  return text;
}

}  // namespace tombolo::matmul
