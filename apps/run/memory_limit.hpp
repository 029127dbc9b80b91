#pragma once

#include <string>

#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

#include "option_group.hpp"
#include "run/report.hpp"

namespace tombolo {

// Runs in parts, as what they work on does not fit in memory. All that a process takes counts, and the rank that takes
// the most. In a simulation, where all ranks are in one process, only what it holds of matrices does.

/// Adds --memory; `help` says what is done in parts, and the default.
void add_memory(OptionGroup& group, Bytes& memory, const std::string& help);

/// How much memory each rank may take.
struct MemoryLimit {
  Bytes bytes = 0;     ///< 0: no limit, as all fits
  bool asked = false;  ///< by --memory
  std::string why;     ///< a line, where nobody asked for it
};

/// A run, whether all at once or in parts.
struct WholeRun {
  double bytes = 0;           ///< that it needs on this rank if it is all at once
  bool in_parts = false;      ///< it is not, even if it fits
  const char* matrices = "";  ///< "A and B"
  const char* parts = "";     ///< "panels"
};

/// `asked`, what --memory says; else, where the whole does not fit in what is free on some host, or goes in parts
/// anyway, four fifths of what is, in equal parts for the ranks of a host. No limit in a simulation, unless it is asked
/// for. Collective.
MemoryLimit memory_limit(const Session& session, Bytes asked, const WholeRun& whole);

/// Returns the most bytes that a rank takes so far, with those of messages and files under way. Collective.
Bytes memory_before(const Session& session);

/// Returns the error of a limit without room for parts, the smallest of which take `least` bytes more than those taken
/// `before`.
Error no_room(const MemoryLimit& limit, const std::string& parts, Bytes before, double least);

/// The memory of a run in parts.
struct MemoryUse {
  MemoryLimit limit;
  Bytes predicted = 0;  ///< of the rank that takes the most
  Bytes free = 0;       ///< on rank 0's host

  /// A line, before the run.
  std::string text() const;
  /// Tells what it has taken at most. Collective.
  void add_to(const Session& session, Report& report) const;
};

/// Returns the memory of a run that takes `more` bytes from now on, on this rank. Collective.
MemoryUse predicted_use(const Session& session, MemoryLimit limit, Bytes more);

}  // namespace tombolo
