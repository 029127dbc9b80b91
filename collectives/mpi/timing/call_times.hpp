#pragma once

#include <array>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/choose/kept_plans.hpp>
#include <tombolo/collectives/plan/prepared.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// When this rank entered and left the blocking calls of a program that plans carried out: the last 16 calls of each of
/// the first 64 requests. Noting a call takes a fraction of a microsecond and no message.
class CallTimes {
 public:
  /// Notes a call, on all ranks of a communicator in the same order. Skips requests whose counts not all ranks know.
  void add(const PreparedPlan& plan, Picoseconds entered, Picoseconds left);

  /// Returns true if there are enough calls of a request for an experience (KeptPlan::fewest_makespans). The same on
  /// all ranks.
  bool has_enough() const;

  /// Returns the times of the noted calls on rank 0, and nothing on the other ranks: from the moment when the last rank
  /// entered to the moment when the last one left. That is at most the makespan of a call that all ranks enter
  /// together, since ranks that came earlier had begun. Calls do not count that are so long ago that clocks may have
  /// drifted apart by a tenth of that time since. Compares clocks (compare_clocks()). Collective.
  std::vector<Experience> makespans(MPI_Comm communicator) const;

 private:
  static constexpr std::size_t most_requests = 64;
  static constexpr std::size_t most_calls = 16;
  struct Call {
    Picoseconds entered = 0;
    Picoseconds left = 0;
  };
  struct Calls {
    Plan plan;
    std::array<Call, most_calls> last{};
    std::size_t number = 0;  // of all
  };

  std::vector<Calls> calls_;  // by request, in the order of the first calls
  std::unordered_map<Request, std::size_t, RequestHash, SameRequest> place_;
};

}  // namespace tombolo
