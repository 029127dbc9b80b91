#pragma once

#include <string>
#include <vector>

#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// Some ranks of a platform about which one question is asked: how do collectives among them behave?
struct Scope {
  std::string name;
  std::vector<Rank> ranks;  ///< ascending
  bool operator==(const Scope&) const = default;
};

constexpr const char* between_clusters = "between clusters";
constexpr const char* all_ranks = "all";

/// The logical clusters of two ranks and more; where there are several clusters, their first ranks ("between clusters")
/// and all ranks ("all"). None for one rank.
std::vector<Scope> scopes_of(const Platform& platform);

/// The name of the scope to ask about collectives among these ranks: their cluster where all are of one, "between
/// clusters" where no two are, unless they are all ranks there are; else "all", whose ranks share more than these do.
std::string scope_among(const Platform& platform, const std::vector<Rank>& members);

/// So many of its ranks, spread evenly over them, the first among them.
std::vector<Rank> some_of(const Scope& scope, int ranks);

}  // namespace tombolo
