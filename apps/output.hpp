#pragma once

#include <string>
#include <string_view>

#include <tombolo/framework/mpi/session.hpp>

namespace tombolo {

/// Prints data on stdout, once, from rank 0. Throws AgreedError if it cannot be written in full. Collective.
void print(Session& session, std::string_view text);

}  // namespace tombolo
