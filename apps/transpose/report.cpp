#include "transpose/report.hpp"

#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <tombolo/units.hpp>

#include "run/report.hpp"

namespace tombolo::transposition {

namespace {

Work work_of(const Result& result) {
  return {.amount = result.moved,
          .probed = result.speeds,
          .phases = result.own_phases,
          .unit = "B",
          .key = "bytes_per_s",
          .verb = "transpose",
          .gerund = "transposing"};
}

/// "rows", "blocks 2x3"
std::string words(const Layout& layout) {
  if (layout.kind() != Layout::Kind::blocks) return std::string(name(layout.kind()));
  return fmt::format("blocks {}x{}", layout.grid_rows(), layout.grid_columns());
}

Json json_of(const Layout& layout) {
  Json parts = Json::array();
  for (Rank rank = 0; rank < layout.ranks(); ++rank) {
    const Part part = layout.part(rank);
    parts.push_back({part.first_row, part.rows, part.first_column, part.columns});
  }
  return {{"kind", name(layout.kind())}, {"grid", {layout.grid_rows(), layout.grid_columns()}}, {"parts", parts}};
}

void add(const Layouts& layouts, Report& report) {
  const auto [rows, columns] = layouts.a.shape();
  const std::int64_t all = rows * columns;
  const bool view = layouts.moves.is_view();
  report.remarks.push_back("shares: " + layouts.shared);
  if (layouts.relabelled > 0) {
    report.remarks.push_back(fmt::format("relabelled: {} of {} parts of B are with other ranks, where less has to move",
                                         layouts.relabelled, layouts.b.ranks()));
  }
  if (view) {
    report.remarks.emplace_back("view: nothing moves");
  } else {
    report.remarks.push_back(fmt::format("stayed on their rank: {} of {} elements", layouts.stayed, all));
  }
  report.more["layout"] = {{"a", json_of(layouts.a)},          {"b", json_of(layouts.b)},  {"shares", layouts.shared},
                           {"relabelled", layouts.relabelled}, {"stayed", layouts.stayed}, {"view", view}};
}

}  // namespace

std::string described(const Layouts& layouts, ElementType type) {
  const auto [m, n] = layouts.a.shape();
  return fmt::format("B = A^T: A {} x {}, {}, by {}, B by {}", m, n, element_info(type).name, words(layouts.a),
                     words(layouts.b));
}

std::pair<std::string, Blocks> shares_of(const Layout& a) {
  std::vector<std::int64_t> counts;
  for (Rank rank = 0; rank < a.ranks(); ++rank) {
    const Part part = a.part(rank);
    counts.push_back(a.kind() == Layout::Kind::rows      ? part.rows
                     : a.kind() == Layout::Kind::columns ? part.columns
                                                         : part.elements());
  }
  const bool blocks = a.kind() == Layout::Kind::blocks;
  return {blocks ? "elements" : std::string(name(a.kind())), Blocks(std::move(counts))};
}

Report report_of(Session& session, const Options& options, const Problem& problem, const Layouts& layouts,
                 const Result& result) {
  const auto [m, n] = problem.a;
  const std::string_view type = element_info(problem.type).name;
  Report report;
  report.what = described(layouts, problem.type);
  report.input = {{"shape", {{"m", m}, {"n", n}}}, {"dtype", type}, {"algorithm", result.algorithm}};
  report.options = options.run;
  report.platform = environment_of(session);
  report.shared = name(layouts.a.kind());
  std::tie(report.counted, report.rows) = shares_of(layouts.a);
  report.run = result.run;
  report.work = work_of(result);
  report.phantom = session.phantom();
  report.verdict = report.phantom ? verdict_on_phantoms() : verdict_on(result.hash_of_a, result.hash_of_b);
  report.notes = notes_on_crowding(report.platform.processors);
  add(layouts, report);
  return report;
}

Verdict verdict_on(std::uint64_t hash_of_a, std::uint64_t hash_of_b) {
  Verdict verdict;
  const std::string a = fmt::format("{:016x}", hash_of_a);
  const std::string b = fmt::format("{:016x}", hash_of_b);
  verdict.verified = a == b;
  verdict.wrong = !verdict.verified;
  verdict.words =
      verdict.verified
          ? fmt::format("verified: A and B hold the same elements, bit for bit, at transposed places (hash {})", a)
          : fmt::format("WRONG: A and B do not hold the same elements at transposed places (hashes {} and {})", a, b);
  verdict.details = {{"hash_of_a", a}, {"hash_of_b", b}};
  return verdict;
}

void deliver_transpose(Session& session, const Report& report, const std::function<void()>& write) {
  deliver(session, report, write,
          Error("the transpose is wrong and was not written", "please report this with the machine's MPI"));
}

}  // namespace tombolo::transposition
