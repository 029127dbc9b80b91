#include "matmul/report.hpp"

#include <algorithm>
#include <set>

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

}  // namespace

double Report::phase_seconds(std::size_t phase) const {
  return phase == 0 ? latest(ends, 0) : latest(ends, phase) - latest(ends, phase - 1);
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

double Report::rank_flops(std::size_t rank) const {
  const GemmShape& s = problem.shape;
  return flops({.m = rows.count(static_cast<int>(rank)), .n = s.n, .k = s.k});
}

double Report::rank_speed(std::size_t rank) const {
  return rate(rank_flops(rank), rank_seconds(rank, compute_phase));
}

double Report::compute_speed() const {
  double slowest = 0;
  for (std::size_t rank = 0; rank < ends.size(); ++rank) slowest = std::max(slowest, rank_seconds(rank, compute_phase));
  return rate(flops(problem.shape), slowest);
}

double Report::reference_speed() const {
  return rate(flops(problem.shape), reference.seconds);
}

std::vector<std::string> notes(const Report& report) {
  std::set<std::string> crowded;
  std::vector<std::string> all;
  for (const Processor& on : report.processors) {
    if (on.ranks_sharing * on.threads <= on.cores || !crowded.insert(on.host).second) continue;
    all.push_back(fmt::format("{} ranks of {} share {} core{}: they take turns, and times hold waiting for one another",
                              on.ranks_sharing, on.host, on.cores, on.cores == 1 ? "" : "s"));
  }
  return all;
}

}  // namespace tombolo::matmul
