#pragma once

#include <functional>
#include <string>

#include <tombolo/framework/mpi/session.hpp>

namespace tombolo {

/// What main() of a program under MPI does: starts a session, calls `program` with it and ends MPI; returns the exit
/// status, 0. What `program` throws is said in one line on stderr, "NAME: cause; remedy", and the status is 1: an
/// AgreedError, of which all ranks know, once; anything else by the rank that threw it, which then ends all ranks, as
/// they may be waiting for it.
///
///     int main(int argc, char** argv) { return tombolo::run_main(argc, argv, "waves", waves); }
int run_main(int argc, char** argv, const std::string& name, const std::function<void(Session&)>& program);

}  // namespace tombolo
