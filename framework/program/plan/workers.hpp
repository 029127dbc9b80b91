#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include <tombolo/framework/program/declare/division.hpp>
#include <tombolo/framework/program/plan/costs.hpp>
#include <tombolo/shares.hpp>

namespace tombolo {

/// Speeds, clusters and memory of the ranks of a session.
struct Workers {
  SpeedsByKernel speeds;
  std::vector<std::vector<Rank>> clusters;  ///< outermost clusters; every rank is in one
  std::vector<double> memory = {};          ///< bytes available to each rank; empty: unlimited
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
/// to each step in speed; the fastest 1, 2, 4, ... ranks of all and of the root's cluster; the fastest clusters; the
/// roots alone. Roots are in every set. For programs with domains. Pure.
std::set<std::vector<Rank>> member_sets(const Declaration& program, const Workers& workers);

}  // namespace tombolo
