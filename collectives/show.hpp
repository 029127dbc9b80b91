#pragma once

#include <string>

#include <tombolo/collectives/plan.hpp>
#include <tombolo/collectives/predict.hpp>

namespace tombolo {

/// Who gives to whom, as an indented tree from the root; where the messages form no tree, every rank's peers in order.
std::string show_tree(const Plan& plan);

/// The steps of one rank, a line each: number, what it does, peer, pieces, lane, and the steps it comes after.
std::string show_table(const Plan& plan, Rank rank);

/// When each rank sends (s), receives (r), does both (b) or works locally (l), on a common scale of that many columns.
std::string show_timeline(const Plan& plan, const Prediction& prediction, int columns = 64);

}  // namespace tombolo
