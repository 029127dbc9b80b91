#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tombolo/collectives/request/request.hpp>
#include <tombolo/framework/arrays/rank_move.hpp>
#include <tombolo/framework/program/declare/arrangement.hpp>
#include <tombolo/framework/program/declare/declaration.hpp>
#include <tombolo/framework/program/declare/newest_values.hpp>

namespace tombolo {

/// Part of an array that a task touches: the whole where a rank holds it, the ranks' slices, or the adjacent halo rows.
enum class Aspect { whole, slices, halo };

struct Touch {
  int array = 0;
  Aspect aspect = Aspect::whole;
  bool operator==(const Touch&) const = default;
};

/// Reads and writes of a task.
struct Touches {
  std::vector<Touch> reads;
  std::vector<Touch> writes;
};
Touches touches(const Declaration& program, const DeclaredTask& task);

/// True if the later task must wait for the earlier one: one of them writes what the other touches.
bool conflict(const Touches& one, const Touches& other);

/// Activity of a rank during a task: computation; a collective, which may overlap with computation; or communication by
/// the task itself, without overlap.
enum class Activity { computation, collective, own_communication };

/// Computation of a member in an action.
struct MemberWork {
  double each = 0;         ///< operations of a unit
  std::int64_t units = 0;  ///< units of work: weights of items, or elements moved
  std::int64_t items = 0;  ///< items of the member, for its problem size
  double operations() const { return each * static_cast<double>(units); }
};

/// Rules of a kind of task, apart from its execution (framework/mpi/program/tasks/): preconditions, accesses, newest
/// values, computation and requests. One object for each kind in tasks.def.
class TaskRules {
 public:
  virtual ~TaskRules() = default;

  virtual Activity activity() const = 0;
  /// Throws Error if arrays, sizes or work do not suit the kind.
  virtual void check(const Declaration& program, const DeclaredTask& task) const = 0;
  /// Returns the reads and writes of a task, from which dependences follow.
  virtual Touches touches(const Declaration& program, const DeclaredTask& task) const = 0;
  /// Updates the newest values after a task. Throws Error if the task reads stale values.
  virtual void follow(const Declaration& program, const DeclaredTask& task, NewestValues& values) const = 0;

  /// True if each rank computes its own items, in ranges of any length, so that the time follows from shares.
  virtual bool computes_items() const { return false; }
  /// True if items go to any rank that is ready, and results meanwhile to the root; all ranks end together.
  virtual bool hands_out() const { return false; }
  /// True if two arrays are swapped.
  virtual bool swaps() const { return false; }

  /// Returns the domain whose panels divide the task; none: the task is not divided.
  virtual int cut_along(const Declaration& /*program*/, const DeclaredTask& /*task*/) const {
    return DeclaredTask::none;
  }
  /// True if a domain that the task uses may be cut into panels.
  virtual bool allows_panels(const Declaration& /*program*/, const DeclaredTask& /*task*/, int /*domain*/) const {
    return true;
  }
  /// Returns the request of an action with the knowledge of `member`; none if the action has no collective.
  virtual std::optional<Request> request(const Declaration& /*program*/, const Arrangement& /*arrangement*/,
                                         const Action& /*action*/, Rank /*member*/) const {
    return std::nullopt;
  }
  /// Returns the computation of each member in an action, at the speed of the task's kernel; empty: none.
  virtual std::vector<MemberWork> work(const Declaration& /*program*/, const Arrangement& /*arrangement*/,
                                       const Action& /*action*/) const {
    return {};
  }
  /// Returns a short text on the method of a task without a collective.
  virtual std::string how(const Declaration& /*program*/, const Arrangement& /*arrangement*/,
                          const DeclaredTask& task) const {
    return task.kernel.empty() ? "the program's own" : task.kernel;
  }
};
const TaskRules& rules(TaskKind kind);

#define TOMBOLO_TASK(NAME) const TaskRules& NAME##_rules();
#include <tombolo/framework/program/declare/tasks/tasks.def>
#undef TOMBOLO_TASK

/// Returns the number of panels of a task.
int panels_of(const Declaration& program, const Arrangement& arrangement, const DeclaredTask& task);

// Helpers for the kinds of tasks.

inline const DeclaredArray& array_of(const Declaration& program, int array) {
  return program.arrays[static_cast<std::size_t>(array)];
}
[[noreturn]] void refuse(const Declaration& program, const std::string& cause, const std::string& remedy);
/// Throws Error unless `good`; the message says that array `of` of the task must be `what`.
void need(bool good, const Declaration& program, const DeclaredTask& task, int of, const std::string& what);
/// Checks the accesses of a task with a body: a written array is named once, combined arrays are partial values and
/// partial values are only combined, and an array that is read around a range has a halo.
void check_accesses(const Declaration& program, const DeclaredTask& task);
/// Throws Error if the cost of a task is unknown.
void check_cost(const Declaration& program, const DeclaredTask& task);
/// Appends the touched parts of an array: each rank's items, also as part of a whole that every rank holds; the whole
/// if the array is in no domain.
void add_items(const Declaration& program, int array, std::vector<Touch>& to);
/// Returns the work of each member's items in an action: weights multiplied by the operations of an item.
std::vector<MemberWork> work_of_items(const Declaration& program, const Arrangement& arrangement, const Action& action);

/// Returns the distribution of an array: its slices if the array is in a domain, else the whole.
Distribution distribution_of(const Declaration& program, const Arrangement& arrangement, int array);

/// Returns the redistribution of a move, or of the move to which a pack or unpack belongs.
Redistribution redistribution_of(const Declaration& program, const Arrangement& arrangement, const DeclaredTask& task);

/// True for a scatterv and a gatherv of one root: they use links and ports in opposite directions, so that one may be
/// under way beside the other.
bool are_opposite(const Request& one, const Request& other);

/// Returns the request of an action with the knowledge of `member`; none if the action has no collective.
std::optional<Request> request_of(const Declaration& program, const Arrangement& arrangement, const Action& action,
                                  Rank member);

}  // namespace tombolo
