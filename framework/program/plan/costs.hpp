#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/framework/program/declare/arrangement.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/shares.hpp>

namespace tombolo {

/// Speeds of all ranks of the session, by kernel.
using SpeedsByKernel = std::map<std::string, std::vector<SpeedFunction>>;

/// How a rank cuts a computation while messages are under way, which get on between the pieces.
struct Pieces {
  std::int64_t items = 0;  ///< of a piece
  std::int64_t parts = 1;  ///< of every item of a piece; one is computed after the other
};

/// Returns the pieces of `items` items, at least `grain` each unless there are fewer, that take `seconds` together.
Pieces pieces_of(const DeclaredTask& task, std::int64_t grain, std::int64_t items, double seconds);

/// Plans of first panels, by task.
using PlansByTask = std::map<int, Plan>;

/// Whether a scatterv and a gatherv that go beside each other (are_opposite()) start as many messages at once. Where
/// acknowledgements count, the direction of fewer flows gets less of the root's port otherwise.
enum class Pairing {
  none,
  alike,  ///< both are flat if one is, with the window of the scatterv if that is; or have its segments and window
  flat    ///< as alike, and both are flat if neither is
};

/// Predicted times of a program's actions, by models and measured speeds.
class Costs {
 public:
  /// `planner` is a planner of the members. `native`: collectives are native, by assumed algorithms. A plan of
  /// `others` serves the same task if the requests are alike(), which saves its choice. All arguments must outlive the
  /// object.
  Costs(const Declaration& program, const Arrangement& arrangement, const SpeedsByKernel& speeds, Planner& planner,
        bool native, PlansByTask others = {}, Pairing pairing = Pairing::none);

  /// Returns the end of an action with this plan() on each member, which begins at `start`.
  std::vector<Picoseconds> ends(const Action& action, const std::optional<Plan>& plan,
                                std::span<const Picoseconds> start);
  /// Returns the time of a piece (pieces_of()) on each member of a computation with these times.
  std::vector<Picoseconds> pieces(const Action& action, std::span<const Picoseconds> start,
                                  std::span<const Picoseconds> end);
  /// Returns the seconds of a member for `operations` of a task that computes over a domain.
  double computing_s(const DeclaredTask& task, Rank member, double operations) const;
  /// Returns the time at which each member knows whether a loop continues.
  std::vector<Picoseconds> told(std::span<const Picoseconds> start);
  /// Returns a lower bound for a task, over all plans on these links and all shares at these speeds.
  Picoseconds bound(int number);
  /// Returns the plan or the kernel of a task, as text.
  std::string how(int number);

  /// Returns the plan of an action; none if the action has no collective. Later panels use the plan of the first panel
  /// with their own sizes.
  std::optional<Plan> plan(const Action& action);
  /// Returns the plans so far.
  const PlansByTask& plans() const { return plans_; }
  /// True if the MPI library is the backend of the request.
  bool by_mpi(const Request& request) const;

 private:
  std::vector<Picoseconds> computed(const Action& action, std::span<const Picoseconds> start);
  const std::vector<MemberWork>& work(const Action& action);
  std::vector<Picoseconds> communicated(const Plan& plan, std::span<const Picoseconds> start);
  std::int64_t speed(const DeclaredTask& task, Rank member, std::int64_t items) const;
  double speed_together(const DeclaredTask& task) const;
  Picoseconds computing_together(int number);
  Plan alone(int task, const Request& request);
  Plan paired(Plan plan);
  const DeclaredTask& task_of(int task) const { return program_.tasks[static_cast<std::size_t>(task)]; }

  const Declaration& program_;
  const Arrangement& arrangement_;
  const SpeedsByKernel& speeds_;
  Planner& planner_;
  bool native_;
  PlansByTask others_;
  Pairing pairing_;
  PlansByTask plans_;
  std::map<std::tuple<int, int, Action::Portion>, std::vector<MemberWork>> work_;
};

/// Returns the problem size of a rank with `items` items, in the measure of the task's kernel.
std::int64_t problem_size(const DeclaredTask& task, std::int64_t items);

}  // namespace tombolo
