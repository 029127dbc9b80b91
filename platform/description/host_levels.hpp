#pragma once

#include <span>
#include <string>

#include <tombolo/platform.hpp>

namespace tombolo {

/// Returns the levels inside a host: packages, inside them memory nodes, then caches, then cores that several ranks
/// share, each only if it separates ranks from others. The leaves are the ranks, named "rank 3". `places`: the place of
/// each of `ranks`, in the same, ascending order. A rank that may use several objects of a kind is a direct child of
/// the enclosing level. A host of one rank has no children. Rates are left unset.
Level host_level(std::string name, std::span<const Rank> ranks, std::span<const Place> places);

/// Finds the place of this process with hwloc, from its CPU binding. Never fails: an unknown number is -1. Takes some
/// milliseconds; keep the result.
Place find_place();

}  // namespace tombolo
