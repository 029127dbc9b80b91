#pragma once

#include <cstdint>
#include <string>

#include <tombolo/session.hpp>

#include "abstract_program.hpp"

namespace tombolo::fuzz {

/// What came of a program, the same on all ranks.
struct Outcome {
  std::string failure = {};    ///< how it differs from the interpreter's; empty where it does not
  std::uint64_t digest = 0;    ///< of its values after each run
  std::int64_t changes = 0;    ///< of shares
  std::int64_t left_out = 0;   ///< ranks
  std::int64_t came_back = 0;  ///< runs in which some of them did
  std::int64_t several_panels = 0;
};

/// Runs a program that is accepted, as often as it says, and compares all that can be read of its arrays after each run
/// with what the interpreter has. Files go to that folder. Collective.
Outcome execute(Session& session, const AbstractProgram& program, const std::string& folder);

/// Runs one that is not accepted: all ranks must hear of that.
Outcome execute_refused(Session& session, const AbstractProgram& program);

}  // namespace tombolo::fuzz
