#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

/// The plan of one collective call on all ranks: the request, an algorithm and its parameters. A Plan is small, holds
/// no pointers to data, no MPI objects and no times; every rank builds the same one by itself. A plan has four readers:
/// prove (prove.hpp), predict (predict.hpp), show (show.hpp) and execute (mpi/execute.hpp).
///
///     Plan plan(Request::bcast(8, 0, 1 << 20, sizeof(double)), bcast_chain, {.segment_bytes = 65536});
///     Schedule mine = plan.schedule(rank);
class Plan {
 public:
  /// Throws Error if the algorithm is for another operation or does not suit the request, if a parameter is invalid, or
  /// if the trees do not fit the request and the algorithm.
  Plan(Request request, const Algorithm& algorithm, Parameters parameters = {});

  const Request& request() const { return request_; }
  const Algorithm& algorithm() const { return *algorithm_; }
  const Parameters& parameters() const { return parameters_; }

  /// True if ranks must learn counts before they write their schedules.
  bool learns() const {
    return request_.knowledge == Knowledge::as_in_mpi && algorithm_->learn != nullptr && request_.blocks.size() > 0;
  }
  /// The steps over Buffer::counts that bring `rank` the missing counts.
  Schedule learning(Rank rank) const;

  /// The steps of `rank`, written from the rank's counts at the start of the call, or from `known` after learning.
  Schedule schedule(Rank rank) const { return schedule(rank, request_.seen_by(rank)); }
  /// With detours, takes as long as those of all ranks.
  Schedule schedule(Rank rank, const Request& known) const;
  /// The steps of all ranks, written from the counts of the request.
  std::vector<Schedule> schedules() const;
  /// The steps of a rank before any message takes a detour.
  Schedule direct(Rank rank, const Request& known) const;
  /// Sends the messages of all ranks' direct steps over the detours, if there are any.
  std::vector<Schedule> with_detours(std::vector<Schedule> direct) const;

  /// Algorithm and parameters: "chain, segments of 65536 B".
  std::string how() const;
  /// One line: "bcast of 8388608 B over 8 ranks, root 0: chain, segments of 65536 B".
  std::string describe() const;

  bool operator==(const Plan&) const = default;

 private:
  Request request_;
  const Algorithm* algorithm_;
  Parameters parameters_;
};

}  // namespace tombolo
