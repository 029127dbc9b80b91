#pragma once

#include <vector>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/session.hpp>

#include "collectives/bench_options.hpp"
#include "collectives/cells.hpp"
#include "collectives/figures.hpp"

namespace tombolo::benchmarking {

/// Throws Error where what the user has stated of the algorithm does not go with it, or with the operation.
void check_stated(Operation operation, const Options& options);

/// Checks and times what the options ask for, one cell after the other.
class Race {
 public:
  /// All must outlive it.
  Race(Session& session, const Options& options, const Planner& planner)
      : session_(session), options_(options), planner_(planner) {}

  /// Native first, then plans, the one predicted to be the fastest first. Collective.
  std::vector<Figure> run(const timing::Cell& cell);

 private:
  Figure figure(const timing::Cell& cell, const Request& request) const;
  bool steps_aside(const Request& request) const;
  Plan with_root_of(const Request& turn, const Plan& plan);
  void check(const std::vector<Candidate>& candidates, std::vector<Figure>& figures);
  void time(const Request& request, const std::vector<Candidate>& candidates, std::vector<Figure>& figures);

  Session& session_;
  const Options& options_;
  const Planner& planner_;
};

}  // namespace tombolo::benchmarking
