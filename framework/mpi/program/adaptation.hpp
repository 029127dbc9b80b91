#pragma once

#include <vector>

#include <tombolo/framework/mpi/program/runner.hpp>
#include <tombolo/framework/program/adapt/rebalance.hpp>
#include <tombolo/framework/program/declare/newest_values.hpp>

namespace tombolo {

/// Compares the computing times of members between passes of a loop, and changes the shares of domains with `adapts` if
/// that pays for moving their arrays.
class Adaptation {
 public:
  /// `begins`: newest values before the first pass; `passes`: passes that are complete already.
  Adaptation(const RunContext& run, Runner& runner, int loop, NewestValues begins, std::int64_t passes);

  /// Checks the shares after `passes` passes, if a check is due. Collective if so.
  void after(std::int64_t passes);
  std::int64_t changes() const { return changes_; }

 private:
  struct Watched {
    int slices = 0;
    Rebalance rebalance;
    double until = 0;  // computing seconds up to the last check
  };
  double computing(const Watched& watched) const;
  double move_seconds(int slices, const Division& next) const;
  void look(std::int64_t passes);
  void change(int slices, Division division, std::int64_t passes);
  void move_array(ArrayMemory& array, const Arrangement& next, Bytes room, bool items);

  const RunContext& run_;
  Runner& runner_;
  int loop_;
  NewestValues begins_;  // newest values before the first pass
  std::vector<Watched> watched_;
  std::int64_t looked_;     // passes at the last check
  std::int64_t next_look_;  // passes at the next check
  double looked_at_ = 0;    // time of the last check
  std::int64_t changes_ = 0;
};

}  // namespace tombolo
