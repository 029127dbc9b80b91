#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace tombolo {

/// An error that a user can act on: the cause, with the offending value, and the remedy. Printed as one line, "tombolo:
/// CAUSE; REMEDY".
class Error : public std::runtime_error {
 public:
  /// Example: Error("cannot open a.npy: No such file or directory", "check the path given to --a")
  Error(const std::string& cause, const std::string& remedy) : std::runtime_error(cause + "; " + remedy) {}
};

}  // namespace tombolo
