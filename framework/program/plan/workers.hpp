#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <vector>

#include <tombolo/framework/program/declare/division.hpp>
#include <tombolo/framework/program/plan/costs.hpp>
#include <tombolo/platform.hpp>
#include <tombolo/shares.hpp>

namespace tombolo {

/// Ranks in parts; every rank is in one.
using RankParts = std::vector<std::vector<Rank>>;

/// Returns the groups and clusters of each depth of a platform, the outermost first; one part of all ranks where there
/// are no others. A cluster is its own part at greater depths than its own.
std::vector<RankParts> parts_by_depth(const Level& levels);

/// Returns the parts of the greatest depth: the root's own first, then those of its groups, inner ones before outer
/// ones, as they are nearer; then the fastest group's, of these the fastest first, and so on.
RankParts nearest_first(const std::vector<RankParts>& parts, const std::set<Rank>& roots,
                        const std::function<double(Rank)>& speed);

/// Speeds, clusters and memory of the ranks of a session.
struct Workers {
  SpeedsByKernel speeds;
  std::vector<RankParts> parts;     ///< parts_by_depth(): at least one depth
  std::vector<double> memory = {};  ///< bytes available to each rank; empty: unlimited
};

/// Returns a division of a domain among members, in proportion to the speed of the work over it, within their memory.
Division shared_out(const Declaration& program, int slices, const Workers& workers, std::span<const Rank> members,
                    SharePolicy policy, int panels);

/// Returns the relative speed of each member, in items per unit of time, for all tasks over a domain together on large
/// problems.
std::vector<std::int64_t> speeds_over(const Declaration& program, int slices, const SpeedsByKernel& speeds,
                                      std::span<const Rank> members);

/// Returns the number of ranks of the workers.
int ranks_of(const Workers& workers);

/// Returns the sets of ranks on which a program may be faster than on all ranks, each ascending: the fastest ranks down
/// to each step in speed; the fastest 1, 2, 4, ... ranks of all and of the root's cluster; clusters, that of the root
/// first, then those of its groups, inner ones before outer ones, and then by speed; the roots alone. Roots are in
/// every set. For programs with domains. Pure.
std::set<std::vector<Rank>> member_sets(const Declaration& program, const Workers& workers);

/// Returns those of the sets that are the root's cluster, or a group around it, with all roots.
std::set<std::vector<Rank>> sets_near_roots(const Declaration& program, const Workers& workers);

}  // namespace tombolo
