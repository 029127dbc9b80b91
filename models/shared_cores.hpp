#pragma once

#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// The cores that ranks of one host share, where ranks outnumber them. A rank's processor is busy only while it has one
/// of the cores; ranks get them in the order in which they ask. A rank that waits sleeps, and a message to it is later
/// by the time that waking up takes.
class SharedCores {
 public:
  struct Host {
    std::vector<Rank> ranks;
    int cores = 1;
    Picoseconds wake_up = 0;
    bool operator==(const Host&) const = default;
  };
  /// Every rank has a core.
  SharedCores() = default;
  /// Keeps the hosts that have fewer cores than ranks, of so many ranks in all.
  SharedCores(std::vector<Host> hosts, int ranks);
  /// Those of a platform whose hosts were measured with all ranks at work (Host::message).
  explicit SharedCores(const Platform& platform);

  bool any() const { return !hosts_.empty(); }
  const std::vector<Host>& hosts() const { return hosts_; }
  /// Returns the index in hosts() of a rank's host; -1 if the rank has a core.
  int host_of(Rank rank) const { return host_of_[static_cast<std::size_t>(rank)]; }
  /// The cores that some of the ranks share while the others sleep, rank r being members[r] here.
  SharedCores among(const std::vector<Rank>& members) const;

 private:
  std::vector<Host> hosts_;
  std::vector<int> host_of_;  // by rank
};

}  // namespace tombolo
