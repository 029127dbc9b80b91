#pragma once

#include <string_view>

namespace tombolo {

/// Opens the streams among stdin, stdout and stderr that the caller of the program has closed. Otherwise another file
/// would get the descriptor and the printed text. Reading and writing on these streams fails as before. Call first in
/// the program.
void open_standard_streams();

/// Prints to stderr. Text that cannot be written is lost, since no other channel exists.
void say(std::string_view text);

/// Waits until the text printed to stdout and stderr has been read, if they are pipes, but not much longer than a
/// second: mpiexec discards unread output when it ends ranks.
void let_be_read();

}  // namespace tombolo
