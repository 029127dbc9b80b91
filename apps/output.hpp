#pragma once

#include <string>
#include <string_view>

#include <tombolo/framework/mpi/session.hpp>

namespace tombolo {

/// Prints data on stdout, once, from rank 0. Throws AgreedError if it cannot be written in full. Collective.
void print(Session& session, std::string_view text);

/// Where the work stands, on one line at the end of a terminal; a file or a pipe gets nothing. The line vanishes when
/// this does, so that whatever is said next starts on an empty line.
class ProgressLine {
 public:
  explicit ProgressLine(const Session& session);
  ~ProgressLine() { show(""); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const char* what) const;

 private:
  bool shown_;
};

}  // namespace tombolo
