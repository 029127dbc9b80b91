#pragma once

#include <tombolo/collectives/plan.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// A plan over one tree (Parameters::trees), with ranks that have changed places where that is predicted to be faster:
/// pairs of places are tried in turn, but for the root's, the larger subtrees first, and a swap is kept if the makespan
/// is less, until none helps or so many predictions have been made. Whatever decides is an integer, so all ranks that
/// know all counts end with the same plan.
Plan with_ranks_swapped(const Plan& plan, const Model& model, int predictions);

}  // namespace tombolo
