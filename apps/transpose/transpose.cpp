#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>

#include <tombolo/framework/matrix_hash.hpp>
#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/require_memory.hpp>
#include <tombolo/framework/shares.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/check.hpp>

#include "command.hpp"
#include "output.hpp"
#include "run/checks.hpp"
#include "run/deliver.hpp"
#include "transpose/forecast.hpp"
#include "transpose/report.hpp"
#include "transpose/slices.hpp"
#include "transpose/write.hpp"

namespace tombolo {
namespace transposition {
namespace {

template <Element T>
std::vector<BytesPerSecond> measure(Session& session, const MatrixShape& a) {
  if (a.rows == 0 || a.columns == 0) return std::vector<BytesPerSecond>(static_cast<std::size_t>(session.ranks()), 1);
  return session.measure_transpose<T>({(a.rows - 1) / session.ranks() + 1, a.columns});
}

/// Rows of a matrix that a rank has.
struct Slice {
  std::int64_t first = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

Slice slice_of(const std::vector<std::int64_t>& shares, Rank rank, std::int64_t columns) {
  const auto place = static_cast<std::size_t>(rank);
  return {.first = first_of(shares)[place], .rows = shares[place], .columns = columns};
}

template <Element T>
std::uint64_t hash_all(Session& session, const Slice& slice, const T* elements, bool transposed) {
  if (session.phantom()) return 0;
  const std::uint64_t mine = hash_rows(elements, slice.first, slice.rows, slice.columns, transposed);
  std::uint64_t all = 0;
  check_mpi(MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, session.communicator()), "MPI_Allreduce");
  return all;
}

template <Element T>
int run(Session& session, const Options& options, const Problem& problem) {
  const ProgressLine progress(session);
  Result result;

  progress.show("measuring ranks and links");
  session.use_threads(1);  // that transposing runs on
  result.speeds = measure<T>(session, problem.a);
  const Slices slices(shares_of_rows(options.run.shares, problem.a.rows, result.speeds),
                      shares_of_rows(options.run.shares, problem.b().rows, result.speeds));
  const Slice a = slice_of(slices.rows_of_a, session.rank(), problem.a.columns);
  const Slice b = slice_of(slices.rows_of_b, session.rank(), problem.b().columns);
  const Bytes buffer = Buffers<T>::elements(slices, session.rank()) * static_cast<Bytes>(sizeof(T));
  provide_memory(session, 2.0 * static_cast<double>(buffer), buffer, options.run.phantom);
  agree(session.communicator(), [&] { check_phantom_output(session, "--out", options.out); });

  progress.show(options.generated() ? "generating A" : "reading A");
  Buffers<T> buffers;
  agree(session.communicator(), [&] {
    buffers = Buffers<T>(session, slices);
    if (!session.phantom()) fill(options, problem, a.first, a.rows, buffers.first.data());
  });
  result.hash_of_a = hash_all(session, a, buffers.first.data(), false);

  const auto collectives = session.collectives(options.run.collectives);
  result.timeline.phases = forecast(session, *collectives, problem, slices, result.speeds);
  progress.show("transposing");
  result.timeline.ends = gather_ends(session, transpose_slices(session, *collectives, slices, buffers));

  progress.show("verifying");
  result.hash_of_b = hash_all(session, b, buffers.second.data(), true);
  const Report report = report_of(session, options, problem, slices, result);
  progress.show("");
  const auto write = [&] {
    if (!options.out.empty()) write_slices(session, options.out, problem.b(), b.first, b.rows, buffers.second.data());
  };
  deliver(session, report, write,
          Error("the transpose is wrong and was not written", "please report this with the machine's MPI"));
  return 0;
}

int run(Session& session, Options options) {
  agree(session.communicator(), [&] { complete(options); });
  use_platform_and_tuning(session, options.run);
  const Problem problem = find_problem(session, options);
  switch (problem.type) {
    case ElementType::float32:
      return run<float>(session, options, problem);
    case ElementType::float64:
      return run<double>(session, options, problem);
    case ElementType::complex64:
      return run<std::complex<float>>(session, options, problem);
    case ElementType::complex128:
      return run<std::complex<double>>(session, options, problem);
  }
  return 1;
}

}  // namespace
}  // namespace transposition

void add_transpose(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("transpose", "Transpose a matrix in slices over ranks of any speeds: B = A^T");
  command->footer(
      "Every rank has consecutive rows of A, in proportion to its speed, and ends with consecutive rows of B. It "
      "packs\n"
      "the block for each rank, transposed; alltoallv exchanges them; it unpacks what arrives into its rows of B.\n"
      "Every transpose is verified, bit for bit.\n\n"
      "  mpiexec.mpich -n 2 tombolo transpose --size 4000\n"
      "  mpiexec.mpich -n 4 tombolo transpose --in a.npy --out b.npy --report run.json");
  auto options = std::make_shared<transposition::Options>();
  transposition::add_options(*command, *options);
  command->callback(
      [&run, options] { run = [options](Session& session) { return transposition::run(session, *options); }; });
}

}  // namespace tombolo
