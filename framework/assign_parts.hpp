#pragma once

#include <tombolo/framework/matrix_layout.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// The layout of B = A^T with its parts handed to the ranks that have most of them already: what has to move, counted
/// in elements and how slow the link is that they take, is the least. `platform`, if not null, says how slow. A rank
/// gets no part that is more than an eighth larger than what it has without: it has room for that, and time. Stays as
/// it is where less than 1 in 64 would be saved. Among more than most_solved ranks owners are only found where every
/// part can have the cheapest of all, as where a grid is turned; above most_assigned ranks nothing is tried.
Layout assign_parts(const Layout& a, const Layout& b, const Platform* platform);
inline constexpr int most_solved = 128;  // GLPK takes half a second for these, six for twice as many
inline constexpr int most_assigned = 1024;

}  // namespace tombolo
