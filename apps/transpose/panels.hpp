#pragma once

#include <tombolo/session.hpp>

#include "transpose/options.hpp"
#include "transpose/problem.hpp"

namespace tombolo::transposition {

/// How much memory each rank may take where a run goes from file to file in panels.
struct PanelLimit {
  Bytes bytes = 0;  ///< 0: no panels
  std::string why;  ///< where nobody asked for it
};

/// What --memory says; else, where `needed` bytes for this rank's run in memory and what others need are not free on
/// some host, four fifths of what is. Nothing in a simulation, and for matrices without files. Collective.
PanelLimit panel_limit(Session& session, const Options& options, double needed);

/// Transposes options.in to options.out within that limit, B in the order of A's file, verifies, and reports: panels of
/// A's lines are read by all ranks together, turned across them, and written into the lines of B. Throws AgreedError.
/// Collective.
template <Element T>
void transpose_in_panels(Session& session, const Options& options, const Problem& problem, const PanelLimit& limit);

/// Whether B in the order of --out is A's bytes as they are.
bool is_view_of_file(const Options& options, const Problem& problem);

/// Then that is what is copied, by all ranks and 16 MiB at a time on each, verified and reported. Throws AgreedError.
/// Collective.
template <Element T>
void copy_as_view(Session& session, const Options& options, const Problem& problem);

}  // namespace tombolo::transposition
