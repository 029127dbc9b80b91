// Conjugate gradients for A x = b, b all ones, A from a Matrix Market file. Rows are shared out by how many entries
// they have; which rank has which may change in mid-run, as all have read the matrix.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include <tombolo/command_line.hpp>
#include <tombolo/tombolo.hpp>

#include "matrix_market.hpp"

namespace {

/// Row i of A times p.
double row_times(const SymmetricMatrix& a, std::int64_t i, const double* p) {
  const auto row = a.first.begin() + i;
  return std::inner_product(a.value.begin() + row[0], a.value.begin() + row[1], a.column.begin() + row[0], 0.0,
                            std::plus<>(), [p](double value, std::int64_t column) { return value * p[column]; });
}

void conjugate_gradients(tombolo::Session& session, const std::string& matrix, const std::string& out,
                         std::int64_t iterations, double tolerance, bool explain) {
  using namespace tombolo;
  SymmetricMatrix a;
  agree(session.communicator(), [&] { a = read_matrix_market(matrix); });
  const auto n = static_cast<std::int64_t>(a.first.size()) - 1;
  std::vector<std::int64_t> entries(static_cast<std::size_t>(n));
  std::transform(a.first.begin() + 1, a.first.end(), a.first.begin(), entries.begin(), std::minus<>());
  const double all_entries = std::max(static_cast<double>(a.value.size()), 1.0);
  const double rows_per_entry = static_cast<double>(n) / all_entries;
  register_kernel(kernel_of("multiply", "flop", {std::max<std::int64_t>(n, 1)}, [&](std::int64_t) {
    const std::vector<double> ones(entries.size(), 1.0);
    std::vector<double> product(entries.size());
    for (std::size_t i = 0; i < product.size(); ++i) {
      product[i] = row_times(a, static_cast<std::int64_t>(i), ones.data());
    }
    return 2 * all_entries;
  }));

  Program program(session, "cg");
  const double enough = tolerance * tolerance * static_cast<double>(n);
  const Domain rows = program.domain("rows", n, {.weights = entries, .adapts = true});
  const auto by_rows = Distributed::over(rows);
  const auto x = program.array<double>("x", {n}, by_rows);
  const auto r = program.array<double>("r", {n}, by_rows);
  const auto p = program.array<double>("p", {n}, by_rows.and_everywhere());
  const auto ap = program.array<double>("A p", {n}, by_rows);
  const auto pap = program.partial<double>("p A p", Reduce::sum);
  const auto rr = program.partial<double>("r r", Reduce::sum);
  const auto next_rr = program.partial<double>("next r r", Reduce::sum);

  const auto multiply = [&a](const Range& range, auto all_of_p, auto row_of_ap, double& sum) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) {
      row_of_ap(i) = row_times(a, i, all_of_p.data());
      sum += all_of_p(i) * row_of_ap(i);
    }
  };
  const auto step = [](const Range& range, auto p_i, auto ap_i, double p_a_p, double r_r, auto x_i, auto r_i,
                       double& sum) {
    const double alpha = r_r / p_a_p;
    for (std::int64_t i = range.first(); i < range.end(); ++i) {
      x_i(i) += alpha * p_i(i);
      r_i(i) -= alpha * ap_i(i);
      sum += r_i(i) * r_i(i);
    }
  };
  const auto turn = [](const Range& range, auto r_i, double r_r, double next_r_r, auto p_i) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) p_i(i) = r_i(i) + next_r_r / r_r * p_i(i);
  };
  const auto iterate = [&] {
    program.allgatherv(p);
    program.compute("multiply", rows, {.kernel = "multiply", .operations = 2}, whole(p), writes(ap), combines(pap),
                    multiply);
    program.allreduce(pap);
    program.compute("step", rows, {.kernel = "multiply", .operations = 6 * rows_per_entry}, reads(p), reads(ap),
                    whole(pap), whole(rr), updates(x), updates(r), combines(next_rr), step);
    program.allreduce(next_rr);
    program.compute("turn", rows, {.kernel = "multiply", .operations = 2 * rows_per_entry}, reads(r), whole(rr),
                    whole(next_rr), updates(p), turn);
    program.swap(rr, next_rr);
  };
  program.repeat("iteration", n > 0 ? iterations : 0, iterate, until(rr, [=](double r_r) { return r_r <= enough; }));

  program.prepare();
  program.fill(x, 0.0);
  program.fill(r, 1.0);
  program.fill(p, 1.0);
  program.fill(rr, static_cast<double>(n));
  const RunReport report = program.run();
  program.write(x, out);
  if (session.rank() != 0) return;
  if (explain) fmt::print("{}\n", to_text(report));
  fmt::print("iterations {} residual {:.17g} seconds {:.6f}\n", report.loops[0].passes,
             n > 0 ? std::sqrt(program.local(rr) / static_cast<double>(n)) : 0.0, report.seconds);
}

}  // namespace

int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape): only options that clash would throw here
  std::string matrix;
  std::string out;
  std::int64_t iterations = 10'000;
  double tolerance = 1e-10;
  bool explain = false;
  CLI::App app("Conjugate gradients for A x = b, b all ones", "cg");
  app.add_option("MATRIX.mtx", matrix, "A, symmetric and positive definite")->required();
  app.add_option("X.npy", out, "The solution")->required();
  app.add_option("--iterations", iterations, "At most so many")->capture_default_str();
  app.add_option("--tolerance", tolerance, "The residual that is enough, of |b|")->capture_default_str();
  app.add_flag("--explain", explain, "Say what was predicted, and what it took");
  return tombolo::run_main(argc, argv, app, [&](tombolo::Session& session) {
    conjugate_gradients(session, matrix, out, iterations, tolerance, explain);
  });
}
