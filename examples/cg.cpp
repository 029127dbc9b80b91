// Conjugate gradients for A x = b, b all ones, A from a Matrix Market file. Rows are shared out by how many entries
// they have; which rank has which may change in mid-run, as all have read the matrix.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include <tombolo/framework/mpi/command_line.hpp>
#include <tombolo/tombolo.hpp>

#include "matrix_market.hpp"

namespace {

/// Rows [first, first + count) of A times p.
void multiply(const SymmetricMatrix& a, std::int64_t first, std::int64_t count, const double* p, double* ap) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto row = a.first.begin() + first + i;
    ap[i] = std::inner_product(a.value.begin() + row[0], a.value.begin() + row[1], a.column.begin() + row[0], 0.0,
                               std::plus<>(), [p](double value, std::int64_t column) { return value * p[column]; });
  }
}

/// sum = a + factor * b
void add(const double* a, double factor, const double* b, double* sum, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) sum[i] = a[i] + factor * b[i];
}

void conjugate_gradients(tombolo::Session& session, const std::string& matrix, const std::string& out,
                         std::int64_t iterations, double tolerance) {
  using namespace tombolo;
  SymmetricMatrix a;
  agree(session.communicator(), [&] { a = read_matrix_market(matrix); });
  const auto n = static_cast<std::int64_t>(a.first.size()) - 1;
  std::vector<std::int64_t> entries(static_cast<std::size_t>(n));
  std::transform(a.first.begin() + 1, a.first.end(), a.first.begin(), entries.begin(), std::minus<>());
  const double all_entries = std::max(static_cast<double>(a.value.size()), 1.0);
  const double rows_per_entry = static_cast<double>(n) / all_entries;
  register_kernel(kernel_of("multiply", "flop", {std::max<std::int64_t>(n, 1)}, [&](std::int64_t) {
    std::vector<double> product(entries.size());
    multiply(a, 0, n, std::vector<double>(entries.size(), 1.0).data(), product.data());
    return 2 * all_entries;
  }));

  Program program(session, "cg");
  const Slices rows = program.slices("rows", n, {.weights = entries, .adapts = true});
  const auto x = program.array<double>("x", {n, 1}, Held::by(rows));
  const auto r = program.array<double>("r", {n, 1}, Held::by(rows));
  const auto p = program.array<double>("p", {n, 1}, Held::by(rows).and_everywhere());
  const auto ap = program.array<double>("A p", {n, 1}, Held::by(rows));
  const auto pap = program.number<double>("p A p");
  const auto rr = program.number<double>("r r");
  const auto next_rr = program.number<double>("next r r");

  const double enough = tolerance * tolerance * static_cast<double>(n);
  const auto iterate = [&] {
    program.allgatherv(p);
    program.compute(
        "multiply",
        {.over = rows, .kernel = "multiply", .operations = 2, .reads = {p}, .writes = {ap}, .partial = {pap}},
        [=, &a](const Slice& slice) {
          multiply(a, slice.first, slice.count, p.data(), ap.at(slice));
          *pap += std::inner_product(p.at(slice), p.at(slice) + slice.count, ap.at(slice), 0.0);
        });
    program.allreduce(pap, MPI_SUM);
    program.compute("step",
                    {.over = rows,
                     .kernel = "multiply",
                     .operations = 6 * rows_per_entry,
                     .reads = {p, ap, pap, rr, x, r},
                     .writes = {x, r},
                     .partial = {next_rr}},
                    [=](const Slice& slice) {
                      const double alpha = *rr / *pap;
                      add(x.at(slice), alpha, p.at(slice), x.at(slice), slice.count);
                      add(r.at(slice), -alpha, ap.at(slice), r.at(slice), slice.count);
                      *next_rr += std::inner_product(r.at(slice), r.at(slice) + slice.count, r.at(slice), 0.0);
                    });
    program.allreduce(next_rr, MPI_SUM);
    program.compute(
        "turn",
        {.over = rows,
         .kernel = "multiply",
         .operations = 2 * rows_per_entry,
         .reads = {r, p, rr, next_rr},
         .writes = {p}},
        [=](const Slice& slice) { add(r.at(slice), *next_rr / *rr, p.at(slice), p.at(slice), slice.count); });
    program.swap(rr, next_rr);
  };
  program.repeat("iteration", n > 0 ? iterations : 0, iterate, [=] { return *rr <= enough; });

  program.prepare();
  r.fill(1);
  p.fill(1);
  rr.fill(static_cast<double>(n));
  const RunReport report = program.run();
  program.write(x, out);
  if (session.rank() != 0) return;
  fmt::print("iterations {} residual {:.17g} seconds {:.6f}\n", report.loops[0].passes,
             n > 0 ? std::sqrt(*rr / static_cast<double>(n)) : 0.0, report.seconds);
}

}  // namespace

int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape): only options that clash would throw here
  std::string matrix;
  std::string out;
  std::int64_t iterations = 10'000;
  double tolerance = 1e-10;
  CLI::App app("Conjugate gradients for A x = b, b all ones", "cg");
  app.add_option("MATRIX.mtx", matrix, "A, symmetric and positive definite")->required();
  app.add_option("X.npy", out, "The solution")->required();
  app.add_option("--iterations", iterations, "At most so many")->capture_default_str();
  app.add_option("--tolerance", tolerance, "The residual that is enough, of |b|")->capture_default_str();
  return tombolo::run_main(argc, argv, app, [&](tombolo::Session& session) {
    conjugate_gradients(session, matrix, out, iterations, tolerance);
  });
}
