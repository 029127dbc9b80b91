#include <tombolo/framework/freivalds.hpp>
#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/require_memory.hpp>
#include <tombolo/framework/npy_writer.hpp>
#include <tombolo/framework/shares.hpp>
#include <tombolo/models/mpi/check.hpp>
#include <tombolo/platform/atomic_file.hpp>
#include <tombolo/platform/error.hpp>

#include "command.hpp"
#include "matmul/report.hpp"
#include "output.hpp"

namespace tombolo {
namespace matmul {
namespace {

template <class T>
std::vector<FlopsPerSecond> measure(Session& session, const GemmShape& shape) {
  if (flops(shape) > 0) return session.measure_gemm<T>(shape);
  return std::vector<FlopsPerSecond>(static_cast<std::size_t>(session.ranks()), 1);  // nothing will be computed
}

std::vector<PhaseEnds> gather_ends(const Session& session, const PhaseEnds& mine) {
  std::vector<PhaseEnds> all(static_cast<std::size_t>(session.ranks()));
  check_mpi(MPI_Allgather(mine.data(), phases, MPI_DOUBLE, all.data(), phases, MPI_DOUBLE, session.communicator()),
            "MPI_Allgather");
  return all;
}

// Files first: whoever closes the pipe that reads the text still gets C.
template <class T>
void deliver(Session& session, const Report& report, const Matrices<T>& matrices) {
  const Options& options = report.options;
  const GemmShape& shape = report.problem.shape;
  const bool wrong = is_wrong(report.verification);
  agree(session.communicator(), [&] {
    if (session.rank() == 0 && !options.report.empty()) write_text(options.report, to_json(report));
    if (session.rank() == options.root && !options.c.empty() && !wrong) {
      write_npy_matrix(options.c, {shape.m, shape.n}, matrices.c.data());
    }
  });
  print(session, to_text(report));
  agree(session.communicator(), [&] {
    if (!wrong) return;
    throw Error("the product is wrong and was not written", "please report this with the machine's BLAS and MPI");
  });
}

template <class T>
int run(Session& session, const Options& options, const Problem& problem) {
  const Progress progress(session);
  const GemmShape& shape = problem.shape;
  const bool is_root = session.rank() == options.root;

  progress.show("measuring ranks and links");
  session.use_threads(options.threads);
  const std::vector<FlopsPerSecond> speeds = measure<T>(session, shape);
  const Blocks rows(options.shares == Shares::speed ? proportional_shares(shape.m, speeds)
                                                    : equal_shares(shape.m, session.ranks()));
  const std::int64_t own = rows.count(session.rank());
  const double twice =
      is_root && options.reference ? static_cast<double>(shape.m) * static_cast<double>(shape.n) * sizeof(T) : 0;
  require_memory(session, memory_of_rank(problem, own, is_root) + twice);

  progress.show(options.generated() ? "generating A and B" : "reading A and B");
  Matrices<T> matrices;
  agree(session.communicator(), [&] {
    const std::int64_t held = is_root ? shape.m : own;
    matrices.a.resize(static_cast<std::size_t>(held * shape.k));
    matrices.b.resize(static_cast<std::size_t>(shape.k * shape.n));
    matrices.c.resize(static_cast<std::size_t>(held * shape.n));
    if (is_root) fill(options, problem, matrices.a.data(), matrices.b.data());
  });

  const auto collectives = session.collectives(options.collectives);
  Report report;
  report.options = options;
  report.problem = problem;
  report.rows = rows;
  report.forecast = forecast(session, *collectives, problem, rows, options.root, speeds);
  progress.show("multiplying");
  report.ends = gather_ends(session, multiply_rows(*collectives, shape, rows, options.root, matrices));

  progress.show("verifying");
  agree(session.communicator(), [&] {
    if (!is_root) return;
    report.verification = freivalds(shape, matrices.a.data(), matrices.b.data(), matrices.c.data(), 2, options.seed);
  });
  check_mpi(MPI_Bcast(&report.verification, sizeof report.verification, MPI_BYTE, options.root, session.communicator()),
            "MPI_Bcast");
  if (options.reference) report.reference = multiply_alone(session, problem, options.root, matrices);
  report.processors = session.processors();
  report.model = session.model().describe();
  report.mpi_library = mpi_library();
  progress.show("");
  deliver(session, report, matrices);
  return 0;
}

int run(Session& session, Options options) {
  agree(session.communicator(), [&] { complete(options); });
  const Problem problem = find_problem(session, options);
  return problem.type == ElementType::float32 ? run<float>(session, options, problem)
                                              : run<double>(session, options, problem);
}

}  // namespace
}  // namespace matmul

void add_matmul(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("matmul", "Multiply two matrices on ranks of any speeds: C = A x B");
  command->footer(
      "The root scatters slices of A in proportion to the speed of each rank and broadcasts B; all multiply, and the\n"
      "root gathers C. Every product is verified.\n\n"
      "  mpiexec.mpich -n 2 tombolo matmul --size 2000\n"
      "  mpiexec.mpich -n 4 tombolo matmul --a a.npy --b b.npy --c c.npy --report run.json");
  auto options = std::make_shared<matmul::Options>();
  matmul::add_options(*command, *options);
  command->callback([&run, options] { run = [options](Session& session) { return matmul::run(session, *options); }; });
}

}  // namespace tombolo
