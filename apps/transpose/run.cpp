#include "transpose/run.hpp"

#include <algorithm>
#include <complex>
#include <memory>
#include <optional>
#include <utility>

#include <tombolo/framework/matrix_hash.hpp>
#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/matrix_file.hpp>
#include <tombolo/framework/mpi/require_memory.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/check.hpp>

#include "run/checks.hpp"
#include "run/deliver.hpp"
#include "transpose/exchange.hpp"
#include "transpose/forecast.hpp"
#include "transpose/in_place.hpp"
#include "transpose/report.hpp"

namespace tombolo::transposition {

namespace {

template <Element T>
std::uint64_t hash_all(Session& session, const Layout& layout, const T* elements, bool transposed) {
  if (session.phantom()) return 0;
  const std::uint64_t mine = hash_part(elements, layout.part(session.rank()), layout.by_columns(), transposed);
  std::uint64_t all = 0;
  check_mpi(MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, session.communicator()), "MPI_Allreduce");
  return all;
}

/// The two ways differ in what they hold, and in how they get from A to B.
template <Element T>
class TwoBuffers {
 public:
  TwoBuffers(Session& session, const Problem& problem, const Layouts& layouts)
      : problem_(problem), layouts_(layouts), parts_(layouts.exchange, session.rank()) {}

  Bytes largest() const { return Buffers<T>::elements(parts_) * static_cast<Bytes>(sizeof(T)); }
  double bytes() const { return Buffers<T>::count(layouts_.exchange) * static_cast<double>(largest()); }
  void hold(Session& session) { buffers_ = Buffers<T>(session, layouts_.exchange, parts_); }
  T* a() const { return buffers_.a(); }
  T* b() const { return buffers_.b(); }

  std::vector<Phase> prepare(Session& session, Collectives& collectives, Result& result) const {
    result.algorithm = "alltoallv";
    result.moved = moved_bytes(session, problem_, parts_);
    result.own_phases = {pack_phase, unpack_phase};
    return forecast(session, collectives, problem_, layouts_, result.moved, result.speeds);
  }
  PhaseEnds transpose(Session& session, Collectives& collectives) {
    return buffers_.transpose(session, collectives, layouts_, parts_);
  }

 private:
  const Problem& problem_;
  const Layouts& layouts_;
  TransposeParts parts_;
  Buffers<T> buffers_;
};

template <Element T>
class OneBuffer {
 public:
  OneBuffer(Session& session, const Layouts& layouts) : layouts_(layouts) {
    agree(session.communicator(), [&] { plan_.emplace(layouts.a(), layouts.b(), session.rank()); });
  }

  Bytes largest() const { return std::max(plan_->room(), plan_->workspace()) * element; }
  double bytes() const { return static_cast<double>(plan_->bytes(element)); }
  void hold(Session& session) {
    buffer_ = session.storage<T>(plan_->room());
    workspace_ = session.storage<T>(plan_->workspace());
  }
  T* a() const { return buffer_.data() + plan_->a_at(); }
  T* b() const { return buffer_.data(); }

  std::vector<Phase> prepare(Session& session, Collectives& collectives, Result& result) const {
    result.algorithm = "in place";
    for (Rank rank = 0; rank < session.ranks(); ++rank) {
      const std::int64_t elements = plan_->is_view() ? 0 : layouts_.b().part(rank).elements();
      result.moved.packed.push_back(static_cast<double>(elements * element));
    }
    result.moved.unpacked.resize(result.moved.packed.size(), 0);
    result.own_phases = {in_place_phases.size() - 1};
    return plan_->forecast(session, collectives, element, result.speeds);
  }
  PhaseEnds transpose(Session& session, Collectives& collectives) {
    return plan_->run(session, collectives, buffer_.data(), workspace_.data());
  }

 private:
  static constexpr Bytes element = sizeof(T);
  const Layouts& layouts_;
  std::optional<InPlace> plan_;
  Storage<T> buffer_;
  Storage<T> workspace_;
};

template <class Way>
void run(Session& session, const Options& options, const Problem& problem, const Layouts& layouts, Way& way,
         std::vector<BytesPerSecond> speeds, const ProgressLine& progress) {
  provide_memory(session, way.bytes(), way.largest(), options.run.phantom);
  agree(session.communicator(), [&] { check_phantom_output(session, "--out", options.out); });

  progress.show(options.generated() ? "generating A" : "reading A");
  agree(session.communicator(), [&] { way.hold(session); });
  const Layout& a = layouts.a();
  if (!session.phantom()) fill(session, options, problem, a.part(session.rank()), a.by_columns(), way.a());
  Result result;
  result.speeds = std::move(speeds);
  result.hash_of_a = hash_all(session, a, way.a(), false);

  const auto collectives = session.collectives(options.run.collectives);
  result.timeline.phases = way.prepare(session, *collectives, result);
  progress.show("transposing");
  result.timeline.ends = gather_ends(session, way.transpose(session, *collectives));

  progress.show("verifying");
  const Layout& b = layouts.b();
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
                        std::vector<BytesPerSecond> speeds, const ProgressLine& progress) {
  TwoBuffers<T> way(session, problem, layouts);
  run(session, options, problem, layouts, way, std::move(speeds), progress);
}

template <Element T>
void run_in_one_buffer(Session& session, const Options& options, const Problem& problem, const Layouts& layouts,
                       std::vector<BytesPerSecond> speeds, const ProgressLine& progress) {
  OneBuffer<T> way(session, layouts);
  run(session, options, problem, layouts, way, std::move(speeds), progress);
}

template <Element T>
double bytes_of_two_buffers(const Session& session, const Layouts& layouts) {
  const std::int64_t elements = Buffers<T>::elements(TransposeParts(layouts.exchange, session.rank()));
  return Buffers<T>::count(layouts.exchange) * static_cast<double>(elements) * sizeof(T);
}

#define TOMBOLO_FOR(T)                                                                          \
  template void run_in_two_buffers<T>(Session&, const Options&, const Problem&, const Layouts&, \
                                      std::vector<BytesPerSecond>, const ProgressLine&);        \
  template void run_in_one_buffer<T>(Session&, const Options&, const Problem&, const Layouts&,  \
                                     std::vector<BytesPerSecond>, const ProgressLine&);         \
  template double bytes_of_two_buffers<T>(const Session&, const Layouts&);
TOMBOLO_FOR(float)
TOMBOLO_FOR(double)
TOMBOLO_FOR(std::complex<float>)
TOMBOLO_FOR(std::complex<double>)
#undef TOMBOLO_FOR

}  // namespace tombolo::transposition
