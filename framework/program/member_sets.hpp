#pragma once

#include <set>
#include <vector>

#include <tombolo/framework/program/shared_out.hpp>

namespace tombolo {

/// How many ranks the workers are.
int ranks_of(const Workers& workers);

/// Parts of the ranks on which a program may be faster than on all, each ascending: the fastest ranks, down to each
/// step in speed, of all and of the root's cluster; the fastest clusters; the roots alone. Roots are in all of them.
/// For programs with slices. Pure.
std::set<std::vector<Rank>> member_sets(const Declaration& program, const Workers& workers);

}  // namespace tombolo
