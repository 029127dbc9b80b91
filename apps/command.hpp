#pragma once

#include <functional>

#include <tombolo/framework/mpi/session.hpp>

namespace CLI {
class App;
}

namespace tombolo {

/// What a command does once its options are read. Runs on all ranks; returns the exit status, the same on all.
using Run = std::function<int(Session&)>;

/// Adds one command with its options and help to the application; when it is chosen, sets `run`. Every command named in
/// commands.def is such a function, add_NAME.
using AddCommand = void(CLI::App& app, Run& run);

#define TOMBOLO_COMMAND(name) AddCommand add_##name;
#include "commands.def"
#undef TOMBOLO_COMMAND

}  // namespace tombolo
