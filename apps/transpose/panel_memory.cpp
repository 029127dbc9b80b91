#include "transpose/panel_memory.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/system/memory.hpp>

#include "readable_bytes.hpp"

namespace tombolo::transposition {

namespace {

constexpr Bytes least_buffer = Bytes{1} << 20;  // lines of panels would be too short in a smaller one
constexpr Bytes mega = Bytes{1} << 20;

Bytes largest(const Session& session, Bytes mine) {
  Bytes all = 0;
  check_mpi(MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_MAX, session.communicator()), "MPI_Allreduce");
  return all;
}

Bytes before(const Session& session) {
  return largest(session, resident_memory()) + taken_by_mpi;
}

}  // namespace

PanelLimit panel_limit(Session& session, const Options& options, double needed) {
  if (options.generated() || options.out.empty() || options.in_place || machine::simulated()) return {};
  if (options.memory > 0) return {options.memory, {}};
  const double together = sum_on_host(session, needed);
  const int ranks = session.processors()[static_cast<std::size_t>(session.rank())].ranks_on_host;
  const auto free = static_cast<double>(available_memory());
  std::array<double, 2> least{free - together, 0.8 * free / ranks};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, least.data(), least.size(), MPI_DOUBLE, MPI_MIN, session.communicator()),
            "MPI_Allreduce");
  if (least[0] >= 0) return {};
  return {static_cast<Bytes>(least[1]),
          fmt::format("note: A and B do not fit in the memory that is free; panels of {:.2f} GB for each rank do",
                      least[1] * 1e-9)};
}

std::string PanelMemory::text() const {
  const auto giga = [](Bytes bytes) { return fmt::format("{:.2f} GB", static_cast<double>(bytes) * 1e-9); };
  return fmt::format("{}{}memory: {} on each rank, which may take {}; {} are free on the host of rank 0\n", limit.why,
                     limit.why.empty() ? "" : "\n", giga(predicted), giga(limit.bytes), giga(free));
}

Bytes predicted_peak(const Session& session, Bytes buffers) {
  return std::max(largest(session, peak_memory()), before(session) + buffers);
}

PanelPlan plan_within(const Session& session, const Part& all, Bytes element, Bytes limit) {
  const Bytes taken = before(session);
  const Bytes each = std::max<Bytes>((limit - taken) / 2, 0);  // of two buffers
  const PanelPlan plan = plan_panels(all.rows, all.columns, session.ranks(), std::max<std::int64_t>(each / element, 1));
  agree(session.communicator(), [&] {
    if (each >= least_buffer || plan.room * element <= each) return;
    throw Error(fmt::format("--memory {} leaves no room for panels: a rank takes {}M without them",
                            readable_bytes(limit), taken / mega + 1),
                fmt::format("give at least {}M", (taken + 2 * least_buffer) / mega + 1));
  });
  return plan;
}

}  // namespace tombolo::transposition
