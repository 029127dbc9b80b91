#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>

#include "algorithm_options.hpp"

namespace tombolo::planning {

/// The options.
struct Options {
  std::string operation;
  std::string platform;   ///< file; empty: equal links
  std::string hosts;      ///< host file for a description
  std::string model;      ///< empty: the one that is believed
  std::string tuning;     ///< file; empty: nothing was decided
  std::string algorithm;  ///< empty: the one predicted to be fastest
  Bytes bytes = 1 << 20;
  StatedParameters stated;  ///< of the algorithm
  MappingOptions mapping;
  bool no_detours = false;
  int ranks = 8;
  Rank root = 0;
  Rank rank = -1;  ///< whose steps are shown; -1: the whole
  double latency_us = 50;
  double rate_mb = 125;
  bool json = false;
};

/// The collective that is asked for. Throws Error.
Request request_for(const Options& options);

/// Equal links. Throws Error.
Hockney links_of(const Options& options);

/// The plans for a request, and why the first is taken.
struct Answer {
  std::vector<Candidate> plans;          ///< the one to take, then its rivals, the fastest first
  const Decision* decision = nullptr;    ///< why it is taken, where that was tuned; the planner's
  std::optional<Candidate> otherwise{};  ///< what would be taken without that
  Backend backend = Backend::plan;       ///< of blocking calls
  std::vector<std::string> guesses{};    ///< what the predictions rest on, of the platform (guesses.hpp)
};

/// True if all ranks together have few enough steps to write down, prove and simulate each.
bool has_few_steps(const Plan& plan);

/// The plan asked for by name, or all candidates. Throws Error.
Answer answer(const Options& options, const Request& request, const Planner& planner);

}  // namespace tombolo::planning
