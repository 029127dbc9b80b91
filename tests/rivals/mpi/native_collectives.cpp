// Times an MPI library's own collectives, whichever library that is: where several are compared on one machine, each
// builds this file by its own compiler (scripts/real_figures). Sizes are counted as tombolo bench counts them.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <mpi.h>

namespace {

using Clock = std::chrono::steady_clock;  // one for all ranks, as they are on one machine; MPI_Wtime need not be

struct Buffers {
  std::vector<double> from;
  std::vector<double> to;
  int ranks = 0;
  int rank = 0;
};

using Call = std::function<void(Buffers&, int bytes)>;

int doubles(int bytes) {
  return std::max(1, bytes / static_cast<int>(sizeof(double)));
}

// MPI_Reduce and its like all take (from, to, count, type, operation, ...).
template <typename Collective>
Call combining(Collective collective) {
  return [=](Buffers& b, int bytes) { collective(b.from.data(), b.to.data(), doubles(bytes), MPI_DOUBLE, MPI_SUM); };
}

std::map<std::string, Call> calls() {
  const MPI_Comm world = MPI_COMM_WORLD;
  std::map<std::string, Call> all;
  all["barrier"] = [=](Buffers&, int) { MPI_Barrier(world); };
  all["bcast"] = [=](Buffers& b, int n) { MPI_Bcast(b.from.data(), n, MPI_BYTE, 0, world); };
  all["reduce"] = combining([=](auto... of) { MPI_Reduce(of..., 0, world); });
  all["allreduce"] = combining([=](auto... of) { MPI_Allreduce(of..., world); });
  all["scan"] = combining([=](auto... of) { MPI_Scan(of..., world); });
  all["exscan"] = combining([=](auto... of) { MPI_Exscan(of..., world); });
  all["reduce_scatter"] = [=](Buffers& b, int n) {  // n: of the vector, of which every rank gets a part
    std::vector<int> counts(static_cast<std::size_t>(b.ranks));
    for (int rank = 0; rank < b.ranks; ++rank) {
      const auto up_to = [&](std::int64_t r) { return static_cast<int>(r * doubles(n) / b.ranks); };
      counts[static_cast<std::size_t>(rank)] = up_to(rank + 1) - up_to(rank);
    }
    MPI_Reduce_scatter(b.from.data(), b.to.data(), counts.data(), MPI_DOUBLE, MPI_SUM, world);
  };
  all["scatter"] = [=](Buffers& b, int n) {
    MPI_Scatter(b.from.data(), n, MPI_BYTE, b.to.data(), n, MPI_BYTE, 0, world);
  };
  all["gather"] = [=](Buffers& b, int n) {
    MPI_Gather(b.from.data(), n, MPI_BYTE, b.to.data(), n, MPI_BYTE, 0, world);
  };
  all["allgather"] = [=](Buffers& b, int n) {
    MPI_Allgather(b.from.data(), n, MPI_BYTE, b.to.data(), n, MPI_BYTE, world);
  };
  all["alltoall"] = [=](Buffers& b, int n) {
    MPI_Alltoall(b.from.data(), n, MPI_BYTE, b.to.data(), n, MPI_BYTE, world);
  };
  return all;
}

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
}

// Seconds from a start that all have agreed on until the last of them is done; `ahead`: when that start is.
double makespan(const Call& call, Buffers& buffers, int bytes, std::chrono::nanoseconds ahead) {
  std::int64_t start = now_ns() + ahead.count();
  MPI_Bcast(&start, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  std::this_thread::sleep_until(Clock::time_point(std::chrono::nanoseconds(start)));
  call(buffers, bytes);
  std::int64_t end = now_ns();
  std::int64_t last = 0;
  MPI_Allreduce(&end, &last, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  return static_cast<double>(last - start) * 1e-9;
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const std::size_t middle = times.size() / 2;
  return times.size() % 2 == 1 ? times[middle] : (times[middle - 1] + times[middle]) / 2;
}

// A line: the operation, bytes, repetitions, and what they took. One more goes before, which does not count.
void time_call(const std::string& operation, const Call& call, int bytes, int repetitions, Buffers& buffers,
               std::chrono::nanoseconds ahead) {
  const bool blocks = operation.ends_with("gather") || operation == "scatter" || operation == "alltoall";
  const std::size_t one = static_cast<std::size_t>(bytes) / sizeof(double) + 1;
  const std::size_t room = one * static_cast<std::size_t>(blocks ? buffers.ranks : 1);
  buffers.from.assign(room, 1.0);
  buffers.to.assign(room, 0.0);
  makespan(call, buffers, bytes, ahead);
  std::vector<double> times;
  while (std::ssize(times) < repetitions) times.push_back(makespan(call, buffers, bytes, ahead));
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  if (buffers.rank != 0) return;
  std::printf("%s,%d,%d,%.9g,%.9g,%.9g\n", operation.c_str(), bytes, repetitions, median(times), *least, *most);
  (void)std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Buffers buffers;
  MPI_Comm_size(MPI_COMM_WORLD, &buffers.ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &buffers.rank);

  std::vector<std::string> operations;
  std::vector<int> sizes;
  int repetitions = 9;
  double ahead_ms = 50;
  CLI::App app("Times the collectives of the MPI library that this was built with; lines of CSV");
  app.add_option("operations", operations, "As bcast,allreduce")
      ->required()
      ->delimiter(',')
      ->check(CLI::IsMember(calls()));
  app.add_option("--bytes", sizes, "Sizes, counted as tombolo bench does")->required()->delimiter(',');
  app.add_option("--repetitions", repetitions, "Of each, after one that does not count")->check(CLI::PositiveNumber);
  app.add_option("--ahead", ahead_ms, "Milliseconds until a start that all agree on; more than a broadcast takes");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int status = buffers.rank == 0 ? app.exit(error) : error.get_exit_code();
    MPI_Finalize();
    return status;
  }

  const std::chrono::nanoseconds ahead(static_cast<std::int64_t>(ahead_ms * 1e6));
  const auto all = calls();
  if (buffers.rank == 0) std::printf("op,bytes,repetitions,median_s,least_s,most_s\n");
  for (const std::string& operation : operations) {
    for (const int bytes : operation == "barrier" ? std::vector<int>{0} : sizes) {
      time_call(operation, all.at(operation), bytes, repetitions, buffers, ahead);
    }
  }
  MPI_Finalize();
}
