#pragma once

#include <string>

#include <tombolo/framework/mpi/session.hpp>

namespace tombolo {

/// Where the work stands, on one line at the end of a terminal; a file or a pipe gets nothing. The line vanishes when
/// this does, so that whatever is said next starts on an empty line.
class ProgressLine {
 public:
  explicit ProgressLine(const Session& session);
  ~ProgressLine() { show(""); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& what) const;
  bool shown() const { return shown_; }

 private:
  bool shown_;
};

}  // namespace tombolo
