#include "run/memory_limit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <mpi.h>

#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/platform/system/memory.hpp>

#include "output.hpp"

namespace tombolo {

namespace {

constexpr Bytes taken_by_mpi = Bytes{16} << 20;
constexpr Bytes mega = Bytes{1} << 20;
constexpr Bytes from_run_to_run = Bytes{4} << 20;  // what a process takes before it holds matrices varies

Bytes most_of_all(const Session& session, Bytes mine) {
  return std::ranges::max(of_all_ranks(session.communicator(), mine));
}

std::string giga(Bytes bytes) {
  return fmt::format("{:.2f} GB", static_cast<double>(bytes) * 1e-9);
}

}  // namespace

void add_memory(OptionGroup& group, Bytes& memory, const std::string& help) {
  group.value("--memory", memory, help, "SIZE")->transform(size_in_bytes(1));
}

MemoryLimit memory_limit(const Session& session, Bytes asked, const WholeRun& whole) {
  if (asked > 0) return {asked, true, {}};
  if (machine::simulated()) return {};
  constexpr double used = 0.8;
  const double together = sum_on_host(session, whole.bytes);
  const int ranks = session.processors()[static_cast<std::size_t>(session.rank())].ranks_on_host;
  const auto free = static_cast<double>(available_memory());
  std::array<double, 2> least{free - together, used * free / ranks};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, least.data(), least.size(), MPI_DOUBLE, MPI_MIN, session.communicator()),
            "MPI_Allreduce");
  const auto [left, share] = least;
  if (left >= 0 && !whole.in_parts) return {};
  if (left >= 0) return {static_cast<Bytes>(share), false, {}};
  return {static_cast<Bytes>(share), false,
          fmt::format("note: {} do not fit in the memory that is free; {} of {} for each rank do", whole.matrices,
                      whole.parts, giga(static_cast<Bytes>(share)))};
}

Bytes memory_before(const Session& session) {
  return machine::simulated() ? 0 : most_of_all(session, resident_memory()) + taken_by_mpi;
}

Error no_room(const MemoryLimit& limit, const std::string& parts, Bytes before, double least) {
  const double enough = std::ceil((static_cast<double>(before + from_run_to_run) + least) / mega);
  const std::string what = limit.asked ? "--memory " + readable_bytes(limit.bytes)
                                       : fmt::format("{} of free memory for each rank", giga(limit.bytes));
  return Error(fmt::format("{} leaves no room for {}: a rank takes {}M without them", what, parts, before / mega + 1),
               limit.asked ? fmt::format("give at least {:.0f}M", enough)
                           : fmt::format("make {:.0f}M free for each, or take fewer ranks or more hosts", enough));
}

MemoryUse predicted_use(const Session& session, MemoryLimit limit, Bytes more) {
  const Bytes before = machine::simulated() ? 0 : most_of_all(session, peak_memory());
  return {std::move(limit), std::max(before, memory_before(session) + most_of_all(session, more)), available_memory()};
}

std::string MemoryUse::text() const {
  return fmt::format("{}{}memory: {} on each rank, which may take {}; {} are free on the host of rank 0\n", limit.why,
                     limit.why.empty() ? "" : "\n", giga(predicted), giga(limit.bytes), giga(free));
}

void MemoryUse::add_to(const Session& session, Report& report) const {
  const Bytes peak = machine::simulated() ? 0 : most_of_all(session, peak_memory());
  report.remarks.push_back(fmt::format("memory: at most {} on a rank, {} predicted", giga(peak), giga(predicted)));
  report.more["memory"] = {{"limit_bytes", limit.bytes}, {"predicted_bytes", predicted}, {"peak_bytes", peak}};
}

}  // namespace tombolo
