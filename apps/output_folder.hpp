#pragma once

#include <string>

namespace tombolo {

/// Makes a folder for files of a command, and those above it, where they are not there yet. Throws Error where it
/// cannot be, or what is there is none.
void make_output_folder(const std::string& folder);

}  // namespace tombolo
