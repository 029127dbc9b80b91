#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/plan/plan.hpp>

namespace tombolo {

/// The executor of a call.
enum class Backend : std::uint8_t {
  plan,
  native  ///< MPI's own collective
};

/// The name of a backend in files and reports.
constexpr const char* name(Backend backend) {
  return backend == Backend::native ? "native" : "plan";
}

/// The decision about requests of about one size, and the times behind it.
struct Decision {
  Operation operation = Operation::barrier;
  Rank root = 0;                    ///< 0 without a root
  Bytes bytes = 0;                  ///< in the measure of regular_bytes()
  Backend backend = Backend::plan;  ///< of blocking calls; non-blocking calls always use the plan
  std::string algorithm;            ///< of the best plan, by name, as simulated ranks share decisions
  Parameters parameters{};
  Picoseconds predicted = 0;              ///< predicted time of that plan
  std::optional<Picoseconds> measured{};  ///< measured makespan of that plan
  std::optional<Picoseconds> native{};    ///< measured makespan of MPI's own collective beside the plan

  /// Returns the plan for a request of that operation, number of ranks and root, of any size. Throws Error for an
  /// unknown algorithm or one that does not take the request.
  Plan plan(const Request& request) const;

  bool operator==(const Decision&) const = default;
};

/// Decisions for the ranks of one platform, made ahead of time. docs/tuning.md describes the file format. All members
/// are integers or names, so all ranks with the same text find the same decisions.
class Tuning {
 public:
  /// An empty tuning for these hosts by rank.
  explicit Tuning(std::span<const std::string> hosts_by_rank);

  int ranks() const { return ranks_; }
  /// Sorted by operation, root, then size; at most one each.
  const std::vector<Decision>& decisions() const { return decisions_; }

  /// Inserts a decision, or replaces the one about the same operation, root and size unless that was measured and the
  /// new one was not. Returns true if the decision was taken. Throws Error for a plan that does not fit operation,
  /// ranks and root.
  bool keep(Decision decision);

  /// Returns the decision about a request, null if there is none: same operation, number of ranks and root, and the
  /// nearest size by ratio, the smaller of two equally near, within a factor of `reach`. Null for counts that differ or
  /// that not all ranks know; skips algorithms that do not take the request.
  const Decision* find(const Request& request) const;
  static constexpr Bytes reach = 4;

  /// Throws Error, which begins with `name`, unless the tuning is for these hosts in this order.
  void check_fits(
      std::span<const std::string> hosts_by_rank, const std::string& name,
      const std::string& remedy = "make one here by tombolo tune, or leave out --tuning and TOMBOLO_TUNING") const;

  bool operator==(const Tuning&) const = default;

 private:
  friend std::string to_json(const Tuning& tuning);
  friend Tuning tuning_from_json(std::string_view text, const std::string& name);
  Tuning(int ranks, std::string hosts) : ranks_(ranks), hosts_(std::move(hosts)) {}

  int ranks_ = 1;
  std::string hosts_;  // value of hosts_hash()
  std::vector<Decision> decisions_;
};

/// Returns a tuning as JSON, one line per decision except for decisions with trees. Equal tunings give equal texts.
std::string to_json(const Tuning& tuning);

/// Reads a tuning from JSON. Throws Error, of one line that begins with `name`, for invalid JSON, another format, a
/// newer version, a member missing, of a wrong type or out of range, an unknown plan, or two decisions about the same
/// operation, root and size.
Tuning tuning_from_json(std::string_view text, const std::string& name);

/// Reads a tuning file. Throws the errors of tuning_from_json() and of reading a file.
Tuning read_tuning(const std::filesystem::path& path);

class Planner;

/// Returns the best predicted plan of each of the `most` fastest predicted algorithms, and of the first algorithm in
/// algorithms.def, which does not use the hierarchy: hierarchy can lose. Fastest first. Tries all settings of these
/// algorithms that are worth trying, which takes longer than a choice (choose.hpp).
std::vector<Candidate> contenders(const Request& request, const Planner& planner, int most);

/// Decides between contenders, sorted by prediction. Without measurements (`measured` is empty): among plans within 1 %
/// of the best prediction, the first algorithm in algorithms.def. With measurements: among plans within 2 % of the
/// fastest time, MPI's own (`native`) included, the best predicted one; MPI's own collective if no plan is within 2 %.
/// The decision for MPI's own collective also holds the best plan.
Decision decide(const std::vector<Candidate>& contenders, const std::vector<Picoseconds>& measured = {},
                std::optional<Picoseconds> native = {});

}  // namespace tombolo
