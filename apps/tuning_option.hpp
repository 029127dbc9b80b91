#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace tombolo {

/// Adds --tuning FILE to a command that plans.
CLI::Option* add_tuning(CLI::App& command, std::string& tuning);

}  // namespace tombolo
