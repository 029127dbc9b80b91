#pragma once

#include <span>

#include <tombolo/matrix.hpp>

namespace tombolo {

/// Returns a distribution in which every group of ranks holds once what its ranks have in `to`, for a move in two
/// steps: from `from` to these copies, where an element enters each group that needs it once, and from the copies to
/// `to`, within groups. What a rank of the group has in `from` stays there, unless one rank has the whole matrix. The
/// rest is shared out: ranks of another group send to as many ranks of this one as there are in proportion, so that all
/// of them receive at the same time.
///
/// groups[rank] is the group of a rank. A source in groups, such as copies for larger groups, is read within its
/// groups, each of which consists of some of these. Throws Error unless `from` has every element once or is in groups,
/// and the shapes and numbers of ranks match.
///
///     2 x 2 on ranks 0, 1 | 2, 3; rank 0 has all; in `to` ranks 2 and 3 have all:  row 0 at rank 2, row 1 at rank 3
Distribution copies_by_group(const Distribution& from, const Distribution& to, std::span<const int> groups);

}  // namespace tombolo
