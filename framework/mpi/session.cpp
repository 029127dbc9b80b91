#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <sched.h>

#include <tombolo/framework/mpi/session/same_call.hpp>
#include <tombolo/framework/mpi/session/session_state.hpp>
#include <tombolo/framework/partition/kernel_speed.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/platform/system/cores.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// Long enough for the median of several calls, short compared with any product worth distributing.
constexpr double measuring_seconds = 0.2;

// The hardware threads that this process may use.
cpu_set_t affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) CPU_SET(0, &set);
  return set;
}

/// A Processor in transferable form: fixed sizes, no pointers.
struct Card {
  std::array<char, 64> host{};
  std::array<char, 128> model{};
  std::array<int, 2> numbers{};  // cores, threads
  Place place;
  CoreClaim claim;
};

template <std::size_t N>
void write(std::array<char, N>& field, const std::string& text) {
  // Platform files are UTF-8, but system names need not be.
  std::transform(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(text.size(), N - 1)), field.begin(),
                 [](char c) { return c >= ' ' && c <= '~' ? c : '?'; });
}

}  // namespace

std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string line(text, static_cast<std::size_t>(length));
  line.resize(std::min(line.find('\n'), line.size()));
  for (char& c : line) c = c == '\t' ? ' ' : c;
  return line;
}

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
  state_ = std::make_unique<State>();
  state_->began = machine::now();
  state_->communicator = communicator_;
  state_->rank = rank_;
  state_->started_mpi = running == 0;
  state_->find_processors();
  state_->find_levels();
}

Session::~Session() {
  state_->keep_plans();
  MPI_Comm_free(&communicator_);
  if (state_->started_mpi) MPI_Finalize();
}

const std::vector<Processor>& Session::processors() const {
  return state_->processors;
}

void Session::State::find_processors() {
  const Cores cores = machine::cores();
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  check_mpi(MPI_Get_processor_name(host, &length), "MPI_Get_processor_name");
  Card mine;
  write(mine.host, host);
  write(mine.model, cores.processor);
  mine.numbers = {cores.usable, blas_threads()};
  mine.place = machine::place();
  mine.claim = {.threads = affinity(), .cores = cores.allowed, .quota = cores.quota, .quota_group = cores.quota_group};
  const std::vector<Card> all = of_all_ranks(communicator, mine);
  std::map<std::string, std::vector<CoreClaim>> of_host;
  for (const Card& card : all) of_host[card.host.data()].push_back(card.claim);
  std::map<std::string, std::size_t> place;  // next index among the claims of a host
  for (const Card& card : all) {
    const std::vector<CoreClaim>& claims = of_host[card.host.data()];
    processors.push_back({.host = card.host.data(),
                          .model = card.model.data(),
                          .cores = card.numbers[0],
                          .ranks_sharing = ranks_sharing(claims, place[card.host.data()]++),
                          .ranks_on_host = static_cast<int>(claims.size()),
                          .threads = card.numbers[1],
                          .place = card.place});
  }
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

void Session::State::charge(double operations) const {
  machine::execute(operations, processors[static_cast<std::size_t>(rank)].threads);
}

std::int64_t Session::State::speed_of(double units, double operations,
                                      const std::function<std::int64_t()>& kernel) const {
  if (!machine::simulated()) return kernel();
  const Picoseconds begin = machine::now();
  charge(operations);
  return std::max<std::int64_t>(std::llround(units / seconds(machine::now() - begin)), 1);
}

std::vector<std::int64_t> Session::measure_rate(double units, double operations,
                                                const std::function<std::int64_t()>& kernel) {
  check_same_call(communicator_, "measures speeds");
  check_mpi(MPI_Barrier(communicator_), "MPI_Barrier");
  return of_all_ranks(communicator_, state_->speed_of(units, operations, kernel));
}

template <class T>
std::vector<FlopsPerSecond> Session::measure_gemm(GemmShape product) {
  const GemmShape probe = gemm_probe_shape(product);
  auto speeds =
      measure_rate(flops(probe), flops(probe), [&] { return measure_gemm_speed<T>(probe, measuring_seconds); });
  for (std::size_t r = 0; r < speeds.size(); ++r) state_->processors[r].speed = speeds[r];
  return speeds;
}

template std::vector<FlopsPerSecond> Session::measure_gemm<float>(GemmShape);
template std::vector<FlopsPerSecond> Session::measure_gemm<double>(GemmShape);

template <Element T>
std::vector<BytesPerSecond> Session::measure_transpose(MatrixShape slice) {
  const MatrixShape probe = transpose_probe_shape(slice, sizeof(T));
  const double elements = static_cast<double>(probe.rows) * static_cast<double>(probe.columns);
  return measure_rate(elements * sizeof(T), elements,
                      [&] { return measure_transpose_speed<T>(probe, measuring_seconds); });
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
