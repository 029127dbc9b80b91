#pragma once

#include <string>

#include <tombolo/framework/arrays/transpose/panel_plan.hpp>
#include <tombolo/framework/mpi/session.hpp>

#include "transpose/options.hpp"

namespace tombolo::transposition {

/// What a rank takes besides buffers while messages and files are under way.
inline constexpr Bytes taken_by_mpi = Bytes{16} << 20;

/// How much memory each rank may take where a run goes from file to file in panels.
struct PanelLimit {
  Bytes bytes = 0;  ///< 0: no panels
  std::string why;  ///< where nobody asked for it
};

/// What --memory says; else, where `needed` bytes for this rank's run in memory and what others need are not free on
/// some host, four fifths of what is. Nothing in a simulation, and for matrices without files. Collective.
PanelLimit panel_limit(Session& session, const Options& options, double needed);

/// What a run from file to file takes, in bytes.
struct PanelMemory {
  PanelLimit limit;
  Bytes predicted = 0;  ///< of the rank that takes the most
  Bytes free = 0;       ///< on rank 0's host

  /// A line, before the run.
  std::string text() const;
};

/// What the rank that takes the most will have taken, with buffers of so many bytes from now on. Collective.
Bytes predicted_peak(const Session& session, Bytes buffers);

/// Panels of this many lines by width within the limit. Throws AgreedError where it leaves no room. Collective.
PanelPlan plan_within(const Session& session, const Part& all, Bytes element, Bytes limit);

}  // namespace tombolo::transposition
