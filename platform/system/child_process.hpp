#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tombolo {

/// The result of a child process.
struct Ended {
  int status = 0;  ///< exit status; 128 and the signal's number if ended by a signal
  std::string out;
  std::string err;
};

/// Runs a program (a path, or a name found by the PATH) with arguments, with `input` on its standard input, and
/// captures its output, without files. Throws Error if the program cannot be started, with `remedy` if there is no such
/// program.
Ended run_program(const std::vector<std::string>& words, std::string_view input, const std::string& remedy);

}  // namespace tombolo
