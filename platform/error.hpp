#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace tombolo {

/// An error a user can act on: what happened, with the offending value, and what to do about it.
/// Printed as one line, "tombolo: CAUSE; REMEDY".
class Error : public std::runtime_error {
 public:
  /// Error("cannot open a.npy: No such file or directory", "check the path given to --a")
  Error(const std::string& cause, const std::string& remedy) : std::runtime_error(cause + "; " + remedy) {}
};

}  // namespace tombolo
