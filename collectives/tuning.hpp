#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/collectives/carrier.hpp>
#include <tombolo/collectives/plan.hpp>

namespace tombolo {

/// How requests of about one size are carried out, and what was known when that was decided.
struct Decision {
  Operation operation = Operation::barrier;
  Rank root = 0;                    ///< 0 where there is none
  Bytes bytes = 0;                  ///< as regular_bytes() counts them
  Carrier carrier = Carrier::plan;  ///< of blocking calls; others are carried out by the plan always
  std::string algorithm;            ///< of the plan that did best, by name: simulated ranks share decisions
  Parameters parameters{};
  Picoseconds predicted = 0;              ///< what that plan is predicted to take
  std::optional<Picoseconds> measured{};  ///< what it took, a makespan
  std::optional<Picoseconds> native{};    ///< what MPI's own collective took beside it

  /// Its plan for a request of that operation, number of ranks and root, of whatever size. Throws Error for an
  /// algorithm that there is not or that does not take the request.
  Plan plan(const Request& request) const;

  bool operator==(const Decision&) const = default;
};

/// Decisions for the ranks of one platform, made ahead of time. docs/tuning.md describes the file they are kept in.
/// Everything in it is an integer or a name, so all ranks that hold the same text find the same.
class Tuning {
 public:
  /// Without decisions, for these hosts by rank.
  explicit Tuning(std::span<const std::string> hosts_by_rank);

  int ranks() const { return ranks_; }
  /// By operation, root, then size; of each at most one.
  const std::vector<Decision>& decisions() const { return decisions_; }

  /// Takes a decision up, in place of one about the same operation, root and size, unless that was measured and this
  /// one was not; says whether. Throws Error for a plan that does not fit operation, ranks and root.
  bool keep(Decision decision);

  /// The decision about a request, null where there is none: of the same operation, number of ranks and root, the size
  /// that is nearest by ratio, the smaller of two as near, and at most `reach` times as large or as small. Nothing for
  /// counts that differ or that not all ranks know, and none whose algorithm does not take the request.
  const Decision* find(const Request& request) const;
  static constexpr Bytes reach = 4;

  /// Throws Error, which begins with `name`, unless it was made for these hosts, in this order.
  void check_fits(std::span<const std::string> hosts_by_rank, const std::string& name) const;

  bool operator==(const Tuning&) const = default;

 private:
  friend std::string to_json(const Tuning& tuning);
  friend Tuning tuning_from_json(std::string_view text, const std::string& name);
  Tuning(int ranks, std::string hosts) : ranks_(ranks), hosts_(std::move(hosts)) {}

  int ranks_ = 1;
  std::string hosts_;  // hosts_hash()
  std::vector<Decision> decisions_;
};

/// A tuning as JSON, a line for each decision but for those with trees: the same for the same tuning.
std::string to_json(const Tuning& tuning);

/// Errors, which begin with `name` and are one line: no JSON, no tuning, one of a newer version, anything missing, of a
/// wrong type or out of range, plans that there are not, two decisions about the same.
Tuning tuning_from_json(std::string_view text, const std::string& name);

/// Errors: as above, and of reading a file.
Tuning read_tuning(const std::filesystem::path& path);

}  // namespace tombolo
