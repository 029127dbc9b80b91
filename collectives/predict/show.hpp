#pragma once

#include <string>

#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/collectives/predict/predict.hpp>

namespace tombolo {

/// The messages as an indented tree from the root; if they form no tree, each rank's destinations in order.
std::string show_tree(const Plan& plan);

/// The steps of one rank, one line each: number, kind, peer, buffer ranges, channel and predecessors.
std::string show_table(const Plan& plan, Rank rank);

/// Timeline of each rank: sends (s), receives (r), both (b), local work (l); all ranks share one scale of `columns`
/// columns.
std::string show_timeline(const Plan& plan, const Prediction& prediction, int columns = 64);

}  // namespace tombolo
