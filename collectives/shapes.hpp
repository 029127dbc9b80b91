#pragma once

#include <tombolo/collectives/parameters.hpp>
#include <tombolo/collectives/tree.hpp>

namespace tombolo {

/// A kind of shape: what it is with these parameters. Those below are some, and template arguments of what writes an
/// algorithm over a tree.
using ShapeOf = Shape (*)(const Parameters&);

constexpr int k_nomial_radix = 4;  ///< where Parameters::radix is 0
constexpr int k_ary_radix = 3;     ///< where Parameters::radix is 0
constexpr int postal_delay = 2;    ///< where Parameters::delay is 0

/// The top serves every other place itself. Depth 1.
Shape flat_shape(const Parameters& = {});
/// Each place serves the next. Depth size - 1, one child each.
Shape chain_shape(const Parameters& = {});
/// Two halves. Depth floor(log2(size)), at most two children each.
Shape binary_shape(const Parameters& = {});
/// As many parts of equal size as the radix says. Depth about log(size) to that base.
Shape k_ary_shape(const Parameters& parameters);
/// The far half first, then the half of what remains: depth ceil(log2(size)), and the place that has been served does
/// the same with its part at the same time.
Shape binomial_shape(const Parameters& = {});
/// Cut into as many parts as the radix says; all but the nearest are served, then the nearest is cut again. Depth
/// ceil(log(size)) to that base, radix - 1 children for each level: fewer levels than binomial, more messages of a
/// place.
Shape k_nomial_shape(const Parameters& parameters);
/// The tree that informs most places in any time where a place can begin to send once a unit and what it sends can be
/// passed on `delay` units later (Bar-Noy and Kipnis 1992, Karp et al. 1993): in t units N(t) = N(t-1) + N(t-delay)
/// places know. Binomial for a delay of 1, flat for one of size - 1.
Shape postal_shape(const Parameters& parameters);

}  // namespace tombolo
