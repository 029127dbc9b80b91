#pragma once

#include <string>
#include <utility>

#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

/// How one collective call is carried out, by every rank: the request, an algorithm and its parameters. A Plan is
/// small, holds no pointers to data, no MPI and no time, and every rank makes the same one by itself. It is read in
/// four ways: prove (prove.hpp), predict (predict.hpp), show (show.hpp) and execute (mpi/execute.hpp).
///
///     Plan plan(Request::bcast(8, 0, 1 << 20, sizeof(double)), bcast_chain, {.segment_bytes = 65536});
///     Schedule mine = plan.schedule(rank);
class Plan {
 public:
  /// Throws Error when the algorithm is for another operation, the order in the parameters is none, or the trees in
  /// them do not fit the request and the algorithm.
  Plan(Request request, const Algorithm& algorithm, Parameters parameters = {});

  const Request& request() const { return request_; }
  const Algorithm& algorithm() const { return *algorithm_; }
  const Parameters& parameters() const { return parameters_; }

  /// Whether ranks must learn counts before they can write their schedules.
  bool learns() const {
    return request_.knowledge == Knowledge::as_in_mpi && algorithm_->learn != nullptr && request_.blocks.size() > 0;
  }
  /// The steps over Buffer::counts that bring `rank` the counts it lacks.
  Schedule learning(Rank rank) const;

  /// The steps of `rank`, from what it knows when the call begins, or from what it knows once it has learned.
  Schedule schedule(Rank rank) const { return schedule(rank, request_.seen_by(rank)); }
  Schedule schedule(Rank rank, const Request& known) const;

  /// "chain, segments of 65536 B".
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
