#pragma once

#include <string>

#include <tombolo/framework/mpi/session.hpp>

namespace tombolo {

/// One rank cannot go on, and the others may be waiting for it: says why in one line and ends all ranks, with status 1.
[[noreturn]] void fail(Session& session, const std::string& program, const std::string& words);

}  // namespace tombolo
