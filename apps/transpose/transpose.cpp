// The command: from its options to a run with all of A in memory, in two buffers or one, or from file to file
// (panels.hpp).
#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <tombolo/framework/arrays/transpose/in_place.hpp>
#include <tombolo/framework/matrix/matrix_hash.hpp>
#include <tombolo/framework/mpi/arrays/carry_out.hpp>
#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/framework/report/progress_printer.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

#include "command.hpp"
#include "output.hpp"
#include "run/options.hpp"
#include "run/phases.hpp"
#include "run/recording.hpp"
#include "transpose/panels.hpp"
#include "transpose/problem.hpp"
#include "transpose/report.hpp"
#include "transpose/two_buffers.hpp"

namespace tombolo {
namespace transposition {
namespace {

constexpr MatrixShape small_probe{512, 1024};  // where memory is limited, as it is part of the peak
constexpr std::array in_place_phases{"sweeps", "order", "transpose"};

template <Element T>
std::uint64_t hash_all(Session& session, const Layout& layout, const T* elements, bool transposed) {
  if (session.phantom()) return 0;
  const std::uint64_t mine = hash_part(elements, layout.part(session.rank()), layout.by_columns(), transposed);
  std::uint64_t all = 0;
  check_mpi(MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, session.communicator()), "MPI_Allreduce");
  return all;
}

/// A grid of one column is rows too.
std::string_view lines_of(const Layout& layout) {
  return name(layout.grid_columns() == 1 && !layout.by_columns() ? Layout::Kind::rows : layout.kind());
}

/// The two ways differ in what they hold, and in how they get from A to B: TwoBuffers (two_buffers.hpp), and this one,
/// in which B takes A's place.
template <Element T>
class OneBuffer {
 public:
  OneBuffer(Session& session, const Options& options, const Layouts& layouts, std::vector<BytesPerSecond> speeds)
      : session_(session), speeds_(std::move(speeds)), collectives_(session.make_collectives(options.run.collectives)) {
    agree(session.communicator(), [&] {
      if (!InPlaceTranspose::can_do(layouts.a, layouts.b)) {
        throw Error(
            fmt::format("--in-place cannot make B by {} of A by {}, parts of which would be cut in two directions",
                        lines_of(layouts.b), lines_of(layouts.a)),
            "take rows for both, or columns, or grids that are each other's transpose, or leave out --in-place");
      }
      plan_.emplace(layouts.a, layouts.b, session.rank());
    });
    for (Rank rank = 0; rank < session.ranks(); ++rank) {
      const std::int64_t elements = plan_->is_view() ? 0 : plan_->arrives(rank);
      moved_.push_back(static_cast<double>(elements * element));
    }
  }

  void hold(bool phantom) {
    const Bytes largest = std::max(plan_->room(), plan_->workspace()) * element;
    provide_memory(session_, static_cast<double>(plan_->bytes(element)), largest, phantom);
    agree(session_.communicator(), [&] {
      buffer_ = session_.storage<T>(plan_->room());
      workspace_ = session_.storage<T>(plan_->workspace());
    });
  }
  T* a() const { return buffer_.data() + plan_->a_at(); }
  T* b() const { return buffer_.data(); }

  void transpose(Result& result) {
    result.algorithm = "in place";
    result.moved = moved_;
    result.own_phases = {in_place_phases.size() - 1};
    const std::vector<Phase> phases = forecast();
    Stopwatch clock(session_, in_place_phases.size());
    transpose_in_place(session_, *collectives_, *plan_, buffer_.data(), workspace_.data(), [&] { clock.end_phase(); });
    result.run = run_report_of(session_, phases, clock.ends());
  }

 private:
  static constexpr Bytes element = sizeof(T);

  /// Collective where the model has not been measured yet.
  std::vector<Phase> forecast() const {
    PhaseForecast all;
    for (int sweep = 0; sweep < InPlaceTranspose::sweeps && !plan_->stays() && plan_->cut(); ++sweep) {
      const Request request = *plan_->exchange(sweep).request(session_.rank(), element);
      const PhaseForecast one = forecast_collective(*collectives_, *session_.planner(), request, alltoallv_direct);
      all = {sweep == 0 ? one.how : all.how, all.predicted_s + one.predicted_s, all.bound_s + one.bound_s};
    }
    all.how = plan_->stays() ? "every part is where it is needed"
              : plan_->cut() ? fmt::format("{} times {}", InPlaceTranspose::sweeps, all.how)
                             : "parts as a whole, not predicted";
    std::vector<double> moved;
    for (Rank rank = 0; rank < session_.ranks(); ++rank) {
      moved.push_back(static_cast<double>(plan_->arrives(rank) * element));
    }
    const std::vector<double> nothing(moved.size(), 0);
    return {{in_place_phases[0], all},
            {in_place_phases[1], forecast_work("lines, along cycles", plan_->cut() ? moved : nothing, speeds_)},
            {in_place_phases[2], forecast_work("in place", plan_->turned() ? moved : nothing, speeds_)}};
  }

  Session& session_;
  std::vector<BytesPerSecond> speeds_;
  std::unique_ptr<Collectives> collectives_;
  std::vector<double> moved_;
  std::optional<InPlaceTranspose> plan_;
  Storage<T> buffer_;
  Storage<T> workspace_;
};

/// Loads or generates A, transposes, verifies, writes and reports. `speeds` are those of transposing, one per rank.
/// Throws AgreedError. Collective.
template <class Way>
void run_in_memory(Session& session, const Options& options, const Problem& problem, const Layouts& layouts,
                   const std::vector<BytesPerSecond>& speeds, ProgressPrinter& progress) {
  Way way(session, options, layouts, speeds);
  way.hold(options.run.phantom);
  agree(session.communicator(), [&] { check_phantom_output(session, "--out", options.out); });

  progress.begin(options.generated() ? "generating A" : "reading A");
  const Layout& a = layouts.a;
  if (!session.phantom()) fill(session, options, problem, a.part(session.rank()), a.by_columns(), way.a());
  Result result;
  result.speeds = speeds;
  result.hash_of_a = hash_all(session, a, way.a(), false);

  progress.begin("transposing");
  way.transpose(result);

  progress.begin("verifying");
  const Layout& b = layouts.b;
  result.hash_of_b = hash_all(session, b, way.b(), true);
  const Report report = report_of(session, options, problem, layouts, result);
  progress.begin("");
  const auto write = [&] {
    if (options.out.empty()) return;
    write_distributed(session.communicator(), options.out, layouts.moves.to(), way.b(), options.fortran_out);
  };
  deliver_transpose(session, report, write);
}

template <Element T>
std::vector<BytesPerSecond> measure(Session& session, const Options& options, const MatrixShape& a) {
  if (a.rows == 0 || a.columns == 0) return std::vector<BytesPerSecond>(static_cast<std::size_t>(session.ranks()), 1);
  MatrixShape slice{(a.rows - 1) / session.ranks() + 1, a.columns};
  if (options.memory > 0)
    slice = {std::min(slice.rows, small_probe.rows), std::min(slice.columns, small_probe.columns)};
  return session.measure_transpose<T>(slice);
}

template <Element T>
int run(Session& session, const Options& options, const Problem& problem) {
  BetweenPanels between(session, options.recording);
  if (!options.layout && !options.to && is_view_of_file(options, problem)) {
    copy_as_view<T>(session, options, problem, between);
    return 0;
  }
  ProgressPrinter progress(session.rank() == 0, ProgressPrinter::Style::one_line);
  progress.begin("measuring ranks and links");
  session.use_threads(1);  // that transposing runs on
  const std::vector<BytesPerSecond> speeds = measure<T>(session, options, problem.a);
  session.discover_or_load();
  const Layouts layouts = find_layouts(session, options, problem, speeds);
  if (options.in_place) {
    run_in_memory<OneBuffer<T>>(session, options, problem, layouts, speeds, progress);
    return 0;
  }
  const MemoryLimit limit = panel_limit(session, options, bytes_of_two_buffers(layouts, session.rank(), sizeof(T)));
  if (limit.bytes > 0) {
    transpose_in_panels<T>(session, options, problem, limit, speeds, between);
  } else {
    run_in_memory<TwoBuffers<T>>(session, options, problem, layouts, speeds, progress);
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
