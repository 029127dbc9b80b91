#pragma once

#include <string>
#include <vector>

#include <tombolo/platform.hpp>

namespace tombolo {

/// A set of ranks of a platform with common models and measurements of collectives.
struct Scope {
  std::string name;
  std::vector<Rank> ranks;  ///< ascending
  bool operator==(const Scope&) const = default;
};

constexpr const char* between_clusters = "between clusters";
constexpr const char* all_ranks = "all";

/// Returns the logical clusters of at least two ranks; with several clusters also their first ranks ("between
/// clusters") and all ranks ("all"). Empty for one rank.
std::vector<Scope> scopes_of(const Platform& platform);

/// Returns the name of the scope for collectives among these ranks: their cluster if all are in one; "between clusters"
/// if no two share one, unless they are all ranks of the platform; else "all".
std::string scope_among(const Platform& platform, const std::vector<Rank>& members);

/// Returns `ranks` of the scope's ranks, evenly spread, the first one included.
std::vector<Rank> some_of(const Scope& scope, int ranks);

}  // namespace tombolo
