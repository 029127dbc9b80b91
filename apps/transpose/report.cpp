#include "transpose/report.hpp"

#include <fmt/format.h>

#include "transpose/forecast.hpp"

namespace tombolo::transposition {

namespace {

Work work_of(const Problem& problem, const Slices& slices, const Result& result) {
  std::vector<double> amount = packed_bytes(problem, slices);
  const std::vector<double> unpacked = unpacked_bytes(problem, slices);
  for (std::size_t rank = 0; rank < amount.size(); ++rank) amount[rank] += unpacked[rank];
  return {.amount = std::move(amount),
          .probed = result.speeds,
          .phases = {pack_phase, unpack_phase},
          .unit = "B",
          .key = "bytes_per_s",
          .verb = "transpose",
          .gerund = "transposing"};
}

Verdict verdict_on(const Result& result) {
  Verdict verdict;
  const std::string a = fmt::format("{:016x}", result.hash_of_a);
  const std::string b = fmt::format("{:016x}", result.hash_of_b);
  verdict.verified = a == b;
  verdict.wrong = !verdict.verified;
  verdict.words =
      verdict.verified
          ? fmt::format("verified: A and B hold the same elements, bit for bit, at transposed places (hash {})", a)
          : fmt::format("WRONG: A and B do not hold the same elements at transposed places (hashes {} and {})", a, b);
  verdict.details = {{"hash_of_a", a}, {"hash_of_b", b}};
  return verdict;
}

}  // namespace

Report report_of(Session& session, const Options& options, const Problem& problem, const Slices& slices,
                 const Result& result) {
  const auto [m, n] = problem.a;
  const std::string_view type = element_info(problem.type).name;
  Report report;
  report.what = fmt::format("B = A^T: A {} x {}, {}", m, n, type);
  report.input = {{"shape", {{"m", m}, {"n", n}}}, {"dtype", type}, {"algorithm", "alltoallv"}};
  report.options = options.run;
  report.platform = environment_of(session);
  report.rows = Blocks(slices.rows_of_a);
  report.timeline = result.timeline;
  report.work = work_of(problem, slices, result);
  report.phantom = session.phantom();
  report.verdict = report.phantom ? verdict_on_phantoms() : verdict_on(result);
  report.notes = notes_on_crowding(report.platform.processors);
  return report;
}

}  // namespace tombolo::transposition
