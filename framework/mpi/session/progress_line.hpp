#pragma once

#include <string>

#include <tombolo/framework/mpi/session.hpp>

namespace tombolo {

/// A progress line at the end of a terminal; a file or a pipe gets no output. Destruction clears the line, so that
/// later output starts on an empty line.
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
