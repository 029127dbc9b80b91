#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include <tombolo/collectives/planner.hpp>
#include <tombolo/framework/program/arrangement.hpp>
#include <tombolo/framework/speed_function.hpp>

namespace tombolo {

/// How fast every rank of the session is, by the name of a kernel.
using SpeedsByKernel = std::map<std::string, std::vector<SpeedFunction>>;

/// What the actions of a program take, as models and measured speeds have it.
class Costs {
 public:
  /// The planner is one for the members. `native`: collectives are MPI's own (assumed_natively). All must outlive this.
  Costs(const Declaration& program, const Arrangement& arrangement, const SpeedsByKernel& speeds, Planner& planner,
        bool native);

  /// When each member has done an action that it begins at `start`.
  std::vector<Picoseconds> ends(const Action& action, std::span<const Picoseconds> start);
  /// Seconds that a member needs for so many operations of a task that computes over slices.
  double computing_s(const DeclaredTask& task, Rank member, double operations) const;
  /// When each member knows whether a loop goes on.
  std::vector<Picoseconds> told(std::span<const Picoseconds> start);
  /// No plan on these links, no shares of these speeds takes less for the task of that number.
  Picoseconds bound(int number);
  /// The plan, or the kernel.
  std::string how(int number);

  /// The plan of an action; none where it asks nothing of the collectives. That of a panel is that of the first one
  /// with its own sizes.
  std::optional<Plan> plan(const Action& action);
  /// Whether MPI carries the action's request out by itself.
  bool by_mpi(const Request& request) const;

 private:
  std::vector<Picoseconds> computed(const Action& action, std::span<const Picoseconds> start);
  std::vector<Picoseconds> put_in_order(int number, std::span<const Picoseconds> start);
  const std::vector<std::int64_t>& moved(int task);
  std::string how_moved(int number);
  std::vector<Picoseconds> communicated(const Plan& plan, std::span<const Picoseconds> start);
  std::int64_t speed(const DeclaredTask& task, Rank member, std::int64_t items) const;
  double speed_together(const DeclaredTask& task) const;
  Picoseconds computing_together(const DeclaredTask& task) const;
  const DeclaredTask& task_of(int task) const { return program_.tasks[static_cast<std::size_t>(task)]; }

  const Declaration& program_;
  const Arrangement& arrangement_;
  const SpeedsByKernel& speeds_;
  Planner& planner_;
  bool native_;
  std::map<int, Plan> plans_;                       // of first panels, by task
  std::map<int, std::vector<std::int64_t>> moved_;  // elements that members pack, or unpack, by task
};

/// The size of the problem that a rank with so many items has, as the kernel of the task counts sizes.
std::int64_t problem_size(const DeclaredTask& task, std::int64_t items);

/// What MPI's own collective is taken to do: flat scatterv and gatherv, as the LMO paper (section 7) has them, and what
/// MPICH does in broadcasts, by size (Thakur, Rabenseifner and Gropp 2005), in rings and in direct exchanges.
const Algorithm& assumed_natively(const Request& request);

}  // namespace tombolo
