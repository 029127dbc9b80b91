#pragma once

#include <string>

#include <tombolo/framework/mpi/session.hpp>

namespace tombolo::discovering {

/// The levels that the user states, by host: in this file, or, where it is empty, in the variable TOMBOLO_LEVELS of
/// each process; none where nothing is stated. Throws AgreedError for what cannot be read or is wrong. Collective.
StatedLevels stated_levels(Session& session, const std::string& file);

}  // namespace tombolo::discovering
