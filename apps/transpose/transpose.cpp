#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/session/progress_line.hpp>

#include "command.hpp"
#include "files.hpp"
#include "output.hpp"
#include "transpose/layouts.hpp"
#include "transpose/panels.hpp"
#include "transpose/run.hpp"
#include "transpose/view.hpp"

namespace tombolo {
namespace transposition {
namespace {

template <Element T>
std::vector<BytesPerSecond> measure(Session& session, const MatrixShape& a) {
  if (a.rows == 0 || a.columns == 0) return std::vector<BytesPerSecond>(static_cast<std::size_t>(session.ranks()), 1);
  return session.measure_transpose<T>({(a.rows - 1) / session.ranks() + 1, a.columns});
}

template <Element T>
int run(Session& session, const Options& options, const Problem& problem) {
  if (!options.layout && !options.to && is_view_of_file(options, problem)) {
    copy_as_view<T>(session, options, problem);
    return 0;
  }
  const ProgressLine progress(session);
  progress.show("measuring ranks and links");
  session.use_threads(1);  // that transposing runs on
  const std::vector<BytesPerSecond> speeds = measure<T>(session, problem.a);
  session.discover_or_load();
  const Layouts layouts = find_layouts(session, options, problem, speeds);
  if (options.in_place) {
    run_in_one_buffer<T>(session, options, problem, layouts, speeds, progress);
    return 0;
  }
  const PanelLimit limit = panel_limit(session, options, bytes_of_two_buffers(session, layouts, sizeof(T)));
  if (limit.bytes > 0) {
    transpose_in_panels<T>(session, options, problem, limit);
  } else {
    run_in_two_buffers<T>(session, options, problem, layouts, speeds, progress);
  }
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
  auto* command = app.add_subcommand("transpose", "Transpose a matrix in parts over ranks of any speeds: B = A^T");
  command->footer(
      "Every rank has a part of A, consecutive rows, consecutive columns or a block of a grid, and ends with one of "
      "B.\n"
      "It packs the block for each rank, transposed; alltoallv exchanges them; it unpacks what arrives. What need not\n"
      "move stays: from rows to columns B is a view of A, and from blocks to blocks each rank turns its own.\n"
      "Every transpose is verified, bit for bit.\n\n"
      "  mpiexec.mpich -n 2 tombolo transpose --size 4000\n"
      "  mpiexec.mpich -n 4 tombolo transpose --in a.npy --out b.npy --report run.json\n"
      "  mpiexec.mpich -n 6 tombolo transpose --m 3000 --n 5000 --layout blocks --grid 2x3 --to rows\n"
      "  mpiexec.mpich -n 4 tombolo transpose --size 4000 --layout rows --to columns\n"
      "  mpiexec.mpich -n 2 tombolo transpose --size 4000 --in-place\n"
      "  mpiexec.mpich -n 2 tombolo transpose --in a.npy --out b.npy --memory 500M");
  auto options = std::make_shared<transposition::Options>();
  transposition::add_options(*command, *options);
  when_chosen(*command, run, [options](Session& session) { return transposition::run(session, *options); },
              {{"--out", "--in"}});
}

}  // namespace tombolo
