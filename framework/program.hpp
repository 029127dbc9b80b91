#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tombolo {

/// What became of a program.
struct Ended {
  int status = 0;  ///< its exit status; 128 and more where a signal ended it
  std::string out;
  std::string err;
};

/// Runs a program found by the PATH, gives it `input` and takes what it says, without files. Throws Error where it
/// cannot be started, with `remedy` where there is none of this name.
Ended run_program(const std::vector<std::string>& words, std::string_view input, const std::string& remedy);

}  // namespace tombolo
