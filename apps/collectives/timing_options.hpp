#pragma once

#include <string>

#include <tombolo/models/experiments/laboratory.hpp>

#include "option_group.hpp"

namespace tombolo::timing {

// Options of every command that times collectives.

/// OP,...; whether they must be given.
void add_operations(CLI::App& command, std::string& operations, bool required);
void add_bytes(OptionGroup& group, std::string& bytes);
void add_platform_and_model(OptionGroup& group, std::string& platform, std::string& model);
/// --least, --most (0: `none_timed` says what for; not allowed where that is empty), --precision.
void add_repeat(OptionGroup& group, Repeat& repeat, const std::string& none_timed);

}  // namespace tombolo::timing
