#pragma once

namespace tombolo {

/// Catches SIGTERM and SIGINT during its lifetime, so that a process can end at a point of its choice. A second signal
/// ends the process at once, as if nothing had caught it. Objects may overlap; the first one catches, the last one
/// restores.
class EndingSignals {
 public:
  EndingSignals();
  ~EndingSignals();
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;

  /// Returns the number of the signal that has arrived; 0 if there is none.
  static int arrived();
  /// Goes on catching when the last object is gone: a run that ends by a signal to one process is not to be killed by
  /// the one that reaches another process later.
  static void keep_catching();
};

}  // namespace tombolo
