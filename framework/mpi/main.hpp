#pragma once

#include <functional>
#include <string>

#include <tombolo/framework/mpi/session.hpp>

namespace tombolo {

/// Implements main() of an MPI program: starts a session, calls `program` and ends MPI. Returns the exit status, 0 on
/// success. An exception prints one line on stderr, "NAME: cause; remedy", and gives status 1. An AgreedError, known to
/// all ranks, is printed once; any other exception is printed by the rank that threw, which then ends all ranks, since
/// these may be waiting for it.
///
///     int main(int argc, char** argv) { return tombolo::run_main(argc, argv, "waves", waves); }
int run_main(int argc, char** argv, const std::string& name, const std::function<void(Session&)>& program);

}  // namespace tombolo
