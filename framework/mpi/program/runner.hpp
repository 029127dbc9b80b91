#pragma once

#include <memory>
#include <vector>

#include <tombolo/framework/mpi/program/recorder.hpp>
#include <tombolo/framework/mpi/program/tasks/task_runner.hpp>

namespace tombolo {

/// Runs the actions of a program on one rank. With overlap, collectives and computations are two queues: while a
/// collective is under way, the rank computes in pieces and progresses the collective between the pieces. Collectives
/// begin in order; one goes beside another that is under way if they are opposite (are_opposite()).
class Runner {
 public:
  /// Orders the actions and creates their runners, before the clock starts. `run` must outlive the object. The recorder
  /// keeps pointers to the actions: Recorder::finish() must come before the destructor.
  explicit Runner(const RunContext& run);

  const std::vector<Section>& sections() const { return sections_; }
  /// Runs one pass over the actions of a section.
  void pass(std::size_t section);
  /// Discards the runners after a change of shares.
  void forget();

 private:
  void in_order();
  void in_lanes();
  TaskRunner& runner(std::size_t action);
  Activity activity(std::size_t action) const;
  void begin_talks();
  bool see_to_talks();  // false: no collective is under way
  void end_talk(std::size_t talk);
  bool may_begin(std::size_t action) const;
  bool may_talk(std::size_t action);
  void look() { run_.recorder.look(); }
  void start(std::size_t action) { done_[action].start = run_.recorder.looked(); }
  void end(std::size_t action);

  struct SectionActions {
    std::vector<Action> actions;
    std::vector<std::unique_ptr<TaskRunner>> runners;  // by action; null: not yet created
  };
  const RunContext& run_;
  std::vector<Section> sections_;
  std::vector<SectionActions> of_sections_;

  // State of the current pass.
  SectionActions* now_ = nullptr;
  std::vector<Done> done_;
  std::vector<bool> complete_;
  std::vector<std::size_t> talks_;  // actions that communicate, in order
  std::size_t next_talk_ = 0;
  struct Talk {
    std::size_t action;
    Pending pending;
  };
  std::vector<Talk> under_way_;
};

}  // namespace tombolo
