#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// A hash of the sources that choose plans: other sources may choose others. Made by the build.
std::string_view planner_sources();

/// The makespans of a plan in programs, the latest last, each at most that of a call that all ranks enter together
/// (CallTimes::makespans()).
struct Experience {
  Plan plan;
  std::vector<Picoseconds> makespans;
};

/// The plan that was chosen for a request, and what programs have measured of it and of the plans before it.
struct KeptPlan {
  /// A plan loses its place after this many makespans at least: fewer have no confidence interval (quantile_of()).
  static constexpr std::size_t fewest_makespans = 6;
  /// The makespans of a plan that count, the latest.
  static constexpr std::size_t most_makespans = 32;

  Candidate chosen;
  bool proved = false;
  /// The shortest time of any other plan when these were last compared; 0: they never were.
  Picoseconds rival = 0;
  std::vector<Experience> experiences = {};

  /// Adds makespans of a plan.
  void add(const Plan& plan, std::span<const Picoseconds> makespans);
  /// Returns true if the chosen plan takes longer than predicted, and longer than any other plan was known to when last
  /// compared: the lower end of the 95 % confidence interval of its median makespan says so. Then better_of() may know
  /// a better plan.
  bool is_belied() const;
  /// Compares the chosen plan with candidates for the same request. The time of a candidate that was tried (at least
  /// fewest_makespans) is its median makespan, or its predicted time if that is longer; that of any other one is its
  /// predicted time multiplied by the error that all predictions are thought to share. Sets `rival` to the shortest.
  /// Returns that candidate if the lower end of the interval of the chosen plan exceeds its time, else null.
  const Candidate* better_of(std::span<const Candidate> candidates);

 private:
  const Experience* experience_of(const Plan& plan) const;
  /// The factor by which the predictions of this request are expected to be too short, at least 1. A prediction's
  /// error, in logarithms, is taken as the sum of one that all plans share and one of the plan's own, both normal with
  /// mean 0 and the same variance: of k plans tried, the expected shared one is the sum of their errors / (k + 1).
  double common_error(std::span<const Candidate> candidates) const;
};

/// The plans that were chosen for all ranks of one platform, in this run and in earlier ones, each for exactly one
/// request. A text of these lets the next run plan without a search. Holds 1,024 plans at most.
///
/// A tuning (tuning.hpp) is for people and covers sizes nearby; it comes first.
class KeptPlans {
 public:
  /// The most that a text takes, so that reading it is faster than planning.
  static constexpr std::size_t most_bytes = std::size_t{1} << 17;

  /// No plans yet, for this platform: all of it counts, sections included.
  explicit KeptPlans(const Platform& platform);
  /// The hash of the platform.
  const std::string& platform() const { return platform_; }

  /// Takes the plans of a text of to_json(). Takes none if the text is damaged, or was made for another platform, by
  /// other sources or in another format. Returns whether it took them.
  bool read(std::string_view text);
  /// Returns true if read() took a plan of exactly this request, in-place use aside. Does not change during a run.
  bool was_read(const Request& request) const;
  /// Returns what is kept of exactly this request, in-place use aside.
  std::optional<KeptPlan> find(const Request& request);
  /// Keeps a plan in place of what was kept of its request. Does nothing for a matrix of counts and where there is no
  /// room.
  void keep(const KeptPlan& plan);

  /// Returns true if there is more than read() took.
  bool changed() const { return changed_; }
  /// Returns the plans as JSON, those of this run first, as many as there is room for.
  std::string to_json() const;

 private:
  struct Entry {
    std::string json;
    bool used = false;  // in this run
    bool read = false;  // kept by an earlier run
  };

  std::string platform_;
  std::map<std::string, Entry> entries_;  // by hash of the request
  bool changed_ = false;
};

}  // namespace tombolo
