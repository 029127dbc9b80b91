#pragma once

#include <span>
#include <string>

#include <mpi.h>

#include <tombolo/units.hpp>

namespace tombolo {

/// An error that MPI has reported.
class MpiError : public Error {
 public:
  MpiError(const std::string& cause, const std::string& remedy, int code) : Error(cause, remedy), code_(code) {}
  /// The code that MPI returned.
  int code() const { return code_; }

 private:
  int code_;
};

/// Throws MpiError with MPI's message unless the call returned MPI_SUCCESS. For communicators with MPI_ERRORS_RETURN.
inline void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char words[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, words, &length);
  std::string line(words, static_cast<std::size_t>(length));
  for (char& c : line) c = c == '\n' ? ' ' : c;
  throw MpiError(std::string(call) + " failed: " + line, "look at the ranks that ended first", code);
}

/// Returns the error of the first of these messages that has failed, by the code and the statuses of a call that waits
/// for several. Open MPI returns that error itself.
inline int error_of_messages(int code, std::span<const MPI_Status> statuses) {
  int kind = MPI_SUCCESS;
  MPI_Error_class(code, &kind);
  if (kind != MPI_ERR_IN_STATUS) return code;
  for (const MPI_Status& status : statuses) {
    if (status.MPI_ERROR != MPI_SUCCESS && status.MPI_ERROR != MPI_ERR_PENDING) return status.MPI_ERROR;
  }
  return code;
}

}  // namespace tombolo
