#pragma once

#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// Improves a plan over one tree (Parameters::trees) by swapping the virtual ranks of pairs of ranks. Tries pairs in
/// turn, without the root, larger subtrees first; keeps a swap that reduces the predicted makespan. Stops when no swap
/// helps or after `predictions` predictions. Every comparison is one of integers, so all ranks that know all counts get
/// the same plan.
Plan with_ranks_swapped(const Plan& plan, const Model& model, int predictions);

}  // namespace tombolo
