#pragma once

#include <string>

#include <tombolo/session.hpp>

namespace tombolo {

/// Prints `line` and ends all ranks with status 1, for a failure on one rank while others may be waiting for it. If
/// several ranks call at about the same time, the line of one rank is printed.
[[noreturn]] void end_run(const Session& session, const std::string& line);

}  // namespace tombolo
