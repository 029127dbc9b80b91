#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// The name of a host and its ranks.
struct HostRanks {
  std::string name;
  std::vector<Rank> ranks;
};

/// Returns the hosts of the ranks, in the order of their first ranks.
std::vector<HostRanks> ranks_of_hosts(std::span<const Processor> processors);

/// Returns true if a host's name matches a pattern with the wildcards of fnmatch(3): *, ? and [...].
bool matches(const std::string& name, const std::string& pattern);

/// Parses the statements of the processes, as with MPICH-G2's environment variables: "grenoble/c21", the outermost
/// group first; empty for no statement. `texts`: by rank. The result is by host; a rank without a statement takes that
/// of its host. Throws Error for an empty name, a name with control characters or not in UTF-8, and a host whose ranks
/// state different groups.
StatedLevels stated_by_processes(std::span<const std::string> texts, std::span<const HostRanks> hosts);

/// Parses a list of groups, one per line: "orsay/c1: 0-19, 25" lists ranks, "grenoble/c21: c21-*" hosts, by the
/// wildcards of matches(); a line may mix both. An item of digits means ranks; # begins a comment. The result is by
/// host. Throws Error, with the line number, for syntax errors, unknown ranks or hosts, empty groups and hosts in two
/// groups.
StatedLevels stated_by_groups(std::string_view text, std::span<const HostRanks> hosts);

}  // namespace tombolo
