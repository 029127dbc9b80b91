#pragma once

#include <span>
#include <string>

#include <tombolo/platform/level.hpp>
#include <tombolo/platform/place.hpp>

namespace tombolo {

/// What is inside a host: the packages, in them memory nodes, in them caches, in them cores that several of its ranks
/// share, as far as each separates ranks from others; ranks, named "rank 3", are the leaves. `places` has a place for
/// each of `ranks`, in the same order, which is ascending. A rank that may use several of what others share one of
/// stands directly below what is around. A host of one rank has no children. Rates are not filled in.
Level host_level(std::string name, std::span<const Rank> ranks, std::span<const Place> places);

}  // namespace tombolo
