#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/platform/clustering.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// A host by its name, and the ranks that run on it.
struct HostRanks {
  std::string name;
  std::vector<Rank> ranks;
};

/// From what each process states of itself, as with MPICH-G2's environment variables: "grenoble/c21", the outermost
/// group first; empty where nothing is stated. `texts`: by rank. The result is by host; a rank that states nothing goes
/// with its host. Throws Error for an empty name, and for a host whose ranks state different groups.
StatedLevels stated_by_processes(std::span<const std::string> texts, std::span<const HostRanks> hosts);

/// From a list of groups, one a line: "orsay/c1: 0-19, 25" has ranks, "grenoble/c21: c21-*" hosts, whose names may have
/// * and ?; both may be mixed, what consists of digits is ranks, and # begins a comment. The result is by host. Throws
/// Error, with the number of the line, for what cannot be read, ranks or hosts that do not exist, groups without any,
/// and hosts in two groups.
StatedLevels stated_by_groups(std::string_view text, std::span<const HostRanks> hosts);

}  // namespace tombolo
