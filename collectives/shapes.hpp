#pragma once

#include <vector>

#include <tombolo/collectives/tree.hpp>

namespace tombolo {

/// The top serves every other place itself. Depth 1.
std::vector<Subtree> flat_shape(Subtree whole);
/// Each place serves the next. Depth size - 1, one child each.
std::vector<Subtree> chain_shape(Subtree whole);
/// Two halves. Depth floor(log2(size)), at most two children each.
std::vector<Subtree> binary_shape(Subtree whole);
/// The far half first, then the half of what remains: depth ceil(log2(size)), and the place that has been served does
/// the same with its part at the same time.
std::vector<Subtree> binomial_shape(Subtree whole);

}  // namespace tombolo
