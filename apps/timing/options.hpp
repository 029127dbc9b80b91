#pragma once

#include <string>

#include <tombolo/models/experiments/laboratory.hpp>

namespace CLI {
class App;
}

namespace tombolo {

/// Who reads what a command shows.
enum class Format { text, csv, json };

namespace timing {

// Options of every command that times collectives, each in a group of its --help.

/// OP,...; whether they must be given.
void add_operations(CLI::App& command, std::string& operations, bool required);
void add_bytes(CLI::App& command, std::string& bytes, const std::string& group);
void add_platform_and_model(CLI::App& command, std::string& platform, std::string& model, const std::string& group);
/// --least, --most (0: `none_timed` says what for; not allowed where that is empty), --precision.
void add_repeat(CLI::App& command, Repeat& repeat, const std::string& none_timed, const std::string& group);
void add_format(CLI::App& command, Format& format, const std::string& group);

}  // namespace timing
}  // namespace tombolo
