#pragma once

#include <span>
#include <vector>

#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/collectives/plan/schedule.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// Busy times of processors, shared cores, ports and network links. The busiest of all is a lower bound of any
/// prediction, and the time of a full pipeline.
class Load {
 public:
  /// The model has to outlive it.
  explicit Load(int ranks, const Model& model, Picoseconds limit = never);

  /// Sends of a window are synchronous, as in execute().
  void add_message(Rank from, Rank to, Bytes bytes, bool in_window);
  /// Adds a rank's sends and local steps.
  void add(Rank rank, const Schedule& schedule, Bytes element_bytes);
  /// Adds the messages of shares that go through trees, and what is combined at their ends.
  void add(const Plan& plan, std::span<const Share> shares);

  /// The busy time of a rank: of its processor or of a port.
  Picoseconds of(Rank rank) const;
  /// True once something is busy for longer than the limit.
  bool beyond() const { return beyond_; }
  /// The busy time of the busiest of all.
  Picoseconds heaviest() const;

 private:
  void add_local(Rank rank, Bytes bytes) { add_processing(rank, model_.local(bytes)); }
  void add_processing(Rank rank, Picoseconds more);
  void add(std::vector<Picoseconds>& times, Rank rank, Picoseconds more);

  const Model& model_;
  Picoseconds limit_;
  bool beyond_ = false;
  std::vector<Picoseconds> processors_, out_, in_;  // by rank
  const SharedCores* cores_;
  std::vector<Picoseconds> hosts_;         // whose cores are shared: the sum over their ranks' processors
  std::vector<Bytes> bytes_, most_bytes_;  // by link, in units of 1 / Network::whole bytes
  Network::Route route_;
};

}  // namespace tombolo
