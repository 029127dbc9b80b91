#pragma once

#include <vector>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// What concurrent experiments would disturb each other on: hosts, of which each takes part in one experiment at a
/// time, and uplinks and backbones of a limited rate, which carry the messages of a few at a time.
class ExperimentPlaces {
 public:
  /// An uplink or a backbone.
  struct Shared {
    std::vector<bool> inside;  ///< by rank: below its level
    bool crossed = true;  ///< carries messages between ranks inside and outside (an uplink), or all of ranks inside
    Bytes noticed = 0;    ///< messages of fewer bytes take no time there
    int most = 1;         ///< experiments at a time
  };

  /// Hosts alone. `host_of`: the host of each rank, numbered from 0.
  explicit ExperimentPlaces(std::vector<int> host_of, std::vector<Shared> shared = {});
  /// The hosts of the platform, numbered in the order of their first ranks, its uplinks and the backbones of its
  /// clusters.
  explicit ExperimentPlaces(const Platform& platform);

  int hosts() const { return hosts_; }
  int host_of(Rank rank) const { return host_of_[static_cast<std::size_t>(rank)]; }
  /// The hosts of the participants, ascending, each once.
  std::vector<int> hosts_of(const Experiment& experiment) const;
  const std::vector<Shared>& shared() const { return shared_; }
  /// Indices in shared(), ascending, of those that carry the messages of the experiment and are noticed.
  std::vector<int> shared_by(const Experiment& experiment) const;

 private:
  std::vector<int> host_of_;
  int hosts_ = 0;
  std::vector<Shared> shared_;
};

}  // namespace tombolo
