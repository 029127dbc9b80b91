#include "transpose/run.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <memory>
#include <optional>
#include <utility>

#include <tombolo/framework/arrays/spending_move.hpp>
#include <tombolo/framework/matrix/matrix_hash.hpp>
#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/matrix_file.hpp>
#include <tombolo/framework/mpi/program.hpp>
#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/check.hpp>

#include "run/checks.hpp"
#include "run/deliver.hpp"
#include "transpose/in_place.hpp"
#include "transpose/report.hpp"

namespace tombolo::transposition {

namespace {

constexpr std::array phase_names{"pack", "alltoallv", "unpack"};
constexpr std::size_t pack_phase = 0;
constexpr std::size_t unpack_phase = 2;

template <Element T>
std::uint64_t hash_all(Session& session, const Layout& layout, const T* elements, bool transposed) {
  if (session.phantom()) return 0;
  const std::uint64_t mine = hash_part(elements, layout.part(session.rank()), layout.by_columns(), transposed);
  std::uint64_t all = 0;
  check_mpi(MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, session.communicator()), "MPI_Allreduce");
  return all;
}

/// The two ways differ in what they hold, and in how they get from A to B. This one is a program, in which the memories
/// of A and B take turns.
template <Element T>
class TwoBuffers {
 public:
  TwoBuffers(Session& session, const Options& options, const Layouts& layouts, std::vector<BytesPerSecond> speeds)
      : program_(session, "transpose",
                 {.collectives = options.run.collectives,
                  .trace = options.trace,
                  .speeds = {{"transpose", in_elements(std::move(speeds))}}}),
        a_(array("A", layouts.a)),
        b_(array("B", layouts.b)) {
    program_.transpose(a_, b_, {.spends_source = true, .kernel = "transpose"});
  }

  void hold(bool phantom) {
    if (phantom) program_.use_phantom_memory();
    program_.prepare();
  }
  T* a() { return program_.local(a_).data(); }
  T* b() { return program_.local(b_).data(); }

  void transpose(Result& result) {
    const RunReport report = program_.run();
    result.algorithm = "alltoallv";
    for (const MemberReport& member : report.members) result.moved.push_back(member.operations * sizeof(T));
    result.own_phases = {pack_phase, unpack_phase};
    result.timeline = timeline_of(report);
    for (std::size_t phase = 0; phase < phase_names.size(); ++phase) {
      result.timeline.phases[phase].name = phase_names[phase];
    }
  }

 private:
  static std::vector<std::int64_t> in_elements(std::vector<BytesPerSecond> speeds) {
    for (BytesPerSecond& speed : speeds) speed = std::max<std::int64_t>(speed / BytesPerSecond{sizeof(T)}, 1);
    return speeds;
  }

  Array<T, 2> array(const char* name, const Layout& layout) {
    return program_.array<T>(name, {layout.shape().rows, layout.shape().columns},
                             Distributed::as(Distribution(layout)));
  }

  Program program_;
  Array<T, 2> a_;
  Array<T, 2> b_;
};

template <Element T>
class OneBuffer {
 public:
  OneBuffer(Session& session, const Options& options, const Layouts& layouts, std::vector<BytesPerSecond> speeds)
      : session_(session), speeds_(std::move(speeds)), collectives_(session.make_collectives(options.run.collectives)) {
    agree(session.communicator(), [&] { plan_.emplace(layouts.a, layouts.b, session.rank()); });
    for (Rank rank = 0; rank < session.ranks(); ++rank) {
      const std::int64_t elements = plan_->is_view() ? 0 : layouts.b.part(rank).elements();
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
    std::vector<Phase> phases = plan_->forecast(session_, *collectives_, element, speeds_);
    const PhaseEnds mine = plan_->run(session_, *collectives_, buffer_.data(), workspace_.data());
    result.timeline = timeline_of(std::move(phases), gather_ends(session_, mine));
  }

 private:
  static constexpr Bytes element = sizeof(T);
  Session& session_;
  std::vector<BytesPerSecond> speeds_;
  std::unique_ptr<Collectives> collectives_;
  std::vector<double> moved_;
  std::optional<InPlace> plan_;
  Storage<T> buffer_;
  Storage<T> workspace_;
};

template <class Way>
void run(Session& session, const Options& options, const Problem& problem, const Layouts& layouts,
         const std::vector<BytesPerSecond>& speeds, const ProgressLine& progress) {
  Way way(session, options, layouts, speeds);
  way.hold(options.run.phantom);
  agree(session.communicator(), [&] { check_phantom_output(session, "--out", options.out); });

  progress.show(options.generated() ? "generating A" : "reading A");
  const Layout& a = layouts.a;
  if (!session.phantom()) fill(session, options, problem, a.part(session.rank()), a.by_columns(), way.a());
  Result result;
  result.speeds = speeds;
  result.hash_of_a = hash_all(session, a, way.a(), false);

  progress.show("transposing");
  way.transpose(result);

  progress.show("verifying");
  const Layout& b = layouts.b;
  result.hash_of_b = hash_all(session, b, way.b(), true);
  const Report report = report_of(session, options, problem, layouts, result);
  progress.show("");
  const auto write = [&] {
    if (options.out.empty()) return;
    write_part(session.communicator(), options.out, problem.b(), b.part(session.rank()), b.by_columns(),
               options.fortran_out, way.b());
  };
  deliver(session, report, write,
          Error("the transpose is wrong and was not written", "please report this with the machine's MPI"));
}

}  // namespace

template <Element T>
void run_in_two_buffers(Session& session, const Options& options, const Problem& problem, const Layouts& layouts,
                        const std::vector<BytesPerSecond>& speeds, const ProgressLine& progress) {
  run<TwoBuffers<T>>(session, options, problem, layouts, speeds, progress);
}

template <Element T>
void run_in_one_buffer(Session& session, const Options& options, const Problem& problem, const Layouts& layouts,
                       const std::vector<BytesPerSecond>& speeds, const ProgressLine& progress) {
  run<OneBuffer<T>>(session, options, problem, layouts, speeds, progress);
}

double bytes_of_two_buffers(const Session& session, const Layouts& layouts, Bytes element) {
  const SpendingMove moves(layouts.moves, session.rank());
  return (moves.is_view() ? 1 : 2) * static_cast<double>(moves.room()) * static_cast<double>(element);
}

#define TOMBOLO_FOR(T)                                                                          \
  template void run_in_two_buffers<T>(Session&, const Options&, const Problem&, const Layouts&, \
                                      const std::vector<BytesPerSecond>&, const ProgressLine&); \
  template void run_in_one_buffer<T>(Session&, const Options&, const Problem&, const Layouts&,  \
                                     const std::vector<BytesPerSecond>&, const ProgressLine&);
TOMBOLO_FOR(float)
TOMBOLO_FOR(double)
TOMBOLO_FOR(std::complex<float>)
TOMBOLO_FOR(std::complex<double>)
#undef TOMBOLO_FOR

}  // namespace tombolo::transposition
