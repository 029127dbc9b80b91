#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "command.hpp"

namespace tombolo {

// Every option of a path says by one of these, passed to option->transform(), what happens there. Neither takes the
// empty string, which an unset variable of a script leaves.

/// The path of a file that is read.
CLI::Validator input_file();

/// The path of a file, or of a folder of files, that is written.
CLI::Validator output_file();

/// An option of a file that is written, and one of a file that it may take the place of.
struct MayReplace {
  std::string output;
  std::string input;
};

/// When the command is chosen, `run` does `what`, once no file that it is to write is one that it reads, but for those
/// that it may replace, or writes as well: the Error "--c x and --report ./x are the same file" on all ranks, where it
/// is so on any.
void when_chosen(CLI::App& command, Run& run, Run what, std::vector<MayReplace> allowed = {});

}  // namespace tombolo
