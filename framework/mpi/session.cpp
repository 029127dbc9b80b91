#include <algorithm>
#include <complex>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/mpi/session/same_call.hpp>
#include <tombolo/framework/mpi/session/session_state.hpp>
#include <tombolo/framework/partition/kernel_speed.hpp>
#include <tombolo/framework/partition/stored_kernels.hpp>
#include <tombolo/platform/description/part_of_platform.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/platform/system/cores.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// How long to measure calls of so many operations: long enough for the median of several calls, short compared with any
// product worth distributing, and shorter where the whole run takes no time. All ranks measure equally long.
double measuring_seconds(double operations) {
  constexpr double slow_calls = 10;
  constexpr double slow_rate = 1e9;
  return std::clamp(slow_calls * operations / slow_rate, 0.02, 0.2);
}

Platform part_with_kernels(const Platform& platform, const std::vector<Rank>& members) {
  Platform part = part_of_platform(platform, members);
  store_kernels_of_part(platform, members, part);
  part.origin = platform.origin;
  return part;
}

}  // namespace

Session::Session(int& argc, char**& argv) {
  int running = 0;
  MPI_Initialized(&running);
  if (running == 0) {
    MPI_Init(&argc, &argv);
    // MPI reports errors of requests on these two communicators, whatever communicator the message used.
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator_);
  MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(communicator_, &rank_);
  MPI_Comm_size(communicator_, &ranks_);
  state_ = std::make_unique<State>(communicator_, blas_threads());
  state_->started_mpi = running == 0;
}

Session::Session(Platform platform, std::string source) : ranks_(platform.ranks()) {
  MPI_Comm_dup(MPI_COMM_SELF, &communicator_);
  MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
  state_ = std::make_unique<State>(communicator_, std::move(platform), std::move(source));
}

Session::Session(const Session& imagined, const std::vector<Rank>& members)
    : Session(part_with_kernels(imagined.platform(), members), imagined.platform_source()) {
  state_->planner = imagined.planner()->on(members);
}

Session::~Session() {
  state_->keep_plans();
  MPI_Comm_free(&communicator_);
  if (state_->started_mpi) MPI_Finalize();
}

bool Session::imagined() const {
  return state_->imagined;
}

const std::vector<Processor>& Session::processors() const {
  return state_->processors;
}

void Session::use_threads(int threads) {
  check_same_call(communicator_, "uses threads");
  const Processor& mine = state_->processors[static_cast<std::size_t>(rank_)];
  set_blas_threads(threads > 0 ? threads : threads_per_rank(mine.cores, mine.ranks_sharing));
  const int set = blas_threads();  // simulated ranks share one BLAS: another may set it while this one communicates
  agree(communicator_, [&] {
    if (threads <= set) return;
    throw Error(fmt::format("{} BLAS threads on host {}, whose BLAS library runs {} at most", threads, mine.host, set),
                "ask for fewer");
  });
  const std::vector<int> all = of_all_ranks(communicator_, set);
  for (std::size_t r = 0; r < all.size(); ++r) state_->processors[r].threads = all[r];
}

std::vector<std::int64_t> Session::measure_rate(double units, double operations,
                                                const std::function<std::int64_t()>& kernel) {
  if (imagined()) throw std::logic_error("the ranks of an imagined session are not here to be measured");
  check_same_call(communicator_, "measures speeds");
  return state_->measure_rate(units, operations, kernel);
}

template <class T>
std::vector<FlopsPerSecond> Session::measure_gemm(GemmShape product) {
  const GemmShape probe = gemm_probe_shape(product);
  auto speeds = measure_rate(flops(probe), flops(probe),
                             [&] { return measure_gemm_speed<T>(probe, measuring_seconds(flops(probe))); });
  for (std::size_t r = 0; r < speeds.size(); ++r) state_->processors[r].speed = speeds[r];
  return speeds;
}

template std::vector<FlopsPerSecond> Session::measure_gemm<float>(GemmShape);
template std::vector<FlopsPerSecond> Session::measure_gemm<double>(GemmShape);

template <Element T>
std::vector<BytesPerSecond> Session::measure_transpose(MatrixShape slice) {
  const MatrixShape probe = transpose_probe_shape(slice, sizeof(T));
  const double elements = static_cast<double>(probe.rows) * static_cast<double>(probe.columns);
  const double bytes = elements * sizeof(T);
  return measure_rate(bytes, elements, [&] { return measure_transpose_speed<T>(probe, measuring_seconds(bytes)); });
}

template std::vector<BytesPerSecond> Session::measure_transpose<float>(MatrixShape);
template std::vector<BytesPerSecond> Session::measure_transpose<double>(MatrixShape);
template std::vector<BytesPerSecond> Session::measure_transpose<std::complex<float>>(MatrixShape);
template std::vector<BytesPerSecond> Session::measure_transpose<std::complex<double>>(MatrixShape);

void Session::compute(double operations, const std::function<void()>& work) {
  state_->charge(operations);
  if (!phantom()) work();
}

void Session::use_phantom_memory(Bytes largest) {
  Bytes room = 0;
  check_mpi(MPI_Allreduce(&largest, &room, 1, MPI_INT64_T, MPI_MAX, communicator_), "MPI_Allreduce");
  // Phantom memory is never read, so all ranks, which share an address space, can share it.
  void* place = nullptr;
  agree(communicator_, [&] {
    if (rank_ == 0) place = machine::phantom(std::max<Bytes>(room, 1));
  });
  check_mpi(MPI_Bcast(&place, sizeof place, MPI_BYTE, 0, communicator_), "MPI_Bcast");
  phantom_ = {static_cast<std::byte*>(place), static_cast<std::size_t>(std::max<Bytes>(room, 1))};
}

}  // namespace tombolo
