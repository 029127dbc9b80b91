#include <algorithm>

#include <CLI/CLI.hpp>

#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/framework/report/progress_printer.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/move.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

#include "command.hpp"
#include "matmul/block_choice.hpp"
#include "matmul/blocks.hpp"
#include "matmul/method.hpp"
#include "matmul/report.hpp"
#include "run/options.hpp"
#include "run/recording.hpp"

namespace tombolo {
namespace matmul {
namespace {

/// Small enough not to be the most that a run within a limit takes.
constexpr GemmShape small_probe{768, 768, 768};

template <class T>
std::vector<FlopsPerSecond> measure(Session& session, const Options& options, GemmShape shape) {
  if (flops(shape) == 0) {  // nothing will be computed
    return std::vector<FlopsPerSecond>(static_cast<std::size_t>(session.ranks()), 1);
  }
  if (options.memory > 0) {
    shape = {std::min(shape.m, small_probe.m), std::min(shape.n, small_probe.n), std::min(shape.k, small_probe.k)};
  }
  return session.measure_gemm<T>(shape);
}

template <class T>
void write_product(Session& session, const Options& options, const GemmShape& shape, const Declared<T>& declared) {
  if (options.c.empty()) return;
  const auto& c = declared.matrices.c;
  if (options.held == Held::distributed) return declared.program->write(c, options.c);
  agree(session.communicator(), [&] {
    if (session.rank() != options.root) return;
    write_distributed(MPI_COMM_SELF, options.c, Distribution::at(0, {shape.m, shape.n}, 1),
                      declared.program->local(c).data());
  });
}

template <class T>
int run(Session& session, const Options& options, const Problem& problem) {
  ProgressPrinter progress(session.rank() == 0, ProgressPrinter::Style::one_line);
  BetweenPanels between(session, options.recording);
  const GemmShape& shape = problem.shape;

  progress.begin("measuring ranks and links");
  session.use_threads(options.threads);
  const std::vector<FlopsPerSecond> speeds = measure<T>(session, options, shape);
  Declared<T> declared;
  MemoryLimit limit;
  if (!options.may_be_in_blocks()) {
    declared = declare_product<T>(session, options, problem, speeds);
  } else {
    if (!options.in_blocks()) declared = find_product<T>(session, options, problem, speeds).product;
    limit = block_limit(session, options, problem, declared);
  }
  if (options.in_blocks() || limit.bytes > 0) {
    declared = {};
    multiply_in_blocks<T>(session, options, problem, speeds, limit, between, progress);
    return 0;
  }
  Program& program = *declared.program;
  const Matrices<T>& matrices = declared.matrices;
  if (options.reference) require_memory(session, session.rank() == options.root ? bytes_of_product(problem) : 0);
  if (options.run.phantom) program.use_phantom_memory();
  program.prepare();
  agree(session.communicator(), [&] { check_phantom_output(session, "--c", options.c); });

  progress.begin(options.generated() ? "generating A and B" : "reading A and B");
  const Part all{0, shape.m, 0, shape.n};
  fill_a(session, options, problem, program, matrices, all);
  fill_b(session, options, problem, program, matrices, all);
  progress.begin("multiplying");
  Result result = result_of(program.run(), declared, options);

  progress.begin("verifying");
  result.verification = verify(session, options, problem, program, matrices);
  result.of_worst_row = ranks_of_row(program, matrices, declared.parts_of_c, result.verification.row);
  if (options.reference) result.reference = multiply_alone(session, problem, options.root, program, matrices);
  const Report report = report_of(session, options, problem, result);
  progress.begin("");
  deliver(
      session, report, [&] { write_product(session, options, shape, declared); }, was_not_written());
  return 0;
}

int run(Session& session, Options options) {
  agree(session.communicator(), [&] { complete(options); });
  use_platform_and_tuning(session, options.run);
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
      "root gathers C. With --held distributed, matrices are in parts on the ranks, and C may be cut into rectangles,\n"
      "which takes fewer data (docs/products.md). Every product is verified.\n\n"
      "  mpiexec.mpich -n 2 tombolo matmul --size 2000\n"
      "  mpiexec.mpich -n 4 tombolo matmul --a a.npy --b b.npy --c c.npy --report run.json\n"
      "  mpiexec.mpich -n 4 tombolo matmul --a a.npy --b b.npy --c c.npy --memory 2G\n"
      "  mpiexec.mpich -n 4 tombolo matmul --a a.npy --b b.npy --c c.npy --checkpoint-every 10m --resume");
  auto options = std::make_shared<matmul::Options>();
  matmul::add_options(*command, *options);
  when_chosen(*command, run, [options](Session& session) { return matmul::run(session, *options); },
              {{"--c", "--a"}, {"--c", "--b"}});
}

}  // namespace tombolo
