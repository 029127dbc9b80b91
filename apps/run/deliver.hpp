#pragma once

#include <functional>

#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/platform/error.hpp>

#include "run/report.hpp"

namespace tombolo {

/// Ends a run: writes the JSON report if it was asked for, lets the application write its result, and prints the text.
/// `write_result` is called on every rank, may communicate, and throws AgreedError where it fails; a wrong result is
/// not written, and `if_wrong` is then thrown last. Throws AgreedError on all ranks. Collective.
void deliver(Session& session, const Report& report, const std::function<void()>& write_result, const Error& if_wrong);

}  // namespace tombolo
