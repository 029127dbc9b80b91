#pragma once

#include <string>

#include <mpi.h>

#include <tombolo/units.hpp>

namespace tombolo {

/// Throws Error with MPI's message unless the call returned MPI_SUCCESS. For communicators with MPI_ERRORS_RETURN.
inline void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char words[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, words, &length);
  std::string line(words, static_cast<std::size_t>(length));
  for (char& c : line) c = c == '\n' ? ' ' : c;
  throw Error(std::string(call) + " failed: " + line, "look at the ranks that ended first");
}

}  // namespace tombolo
