#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tombolo/framework/mpi/arrays/panel_file.hpp>
#include <tombolo/platform/system/ending_signals.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

#include "option_group.hpp"
#include "run/report.hpp"

namespace tombolo {

/// Whether finished panels of a result are recorded, so that a later run can go on (docs/checkpoints.md).
struct RecordingOptions {
  bool resume = false;
  double every_s = 0;  ///< 0: not given

  bool wanted() const { return resume || every_s > 0; }
  PanelFile::Records records() const;
  /// The option that asked for it.
  const char* option() const { return resume ? "--resume" : "--checkpoint-every"; }
};

/// Adds --checkpoint-every and --resume; `every` and `resume` are their help.
void add_recording(CLI::App& command, RecordingOptions& options, const std::string& every, const std::string& resume);

/// The result of so many bytes must be writable, now and without anything of an earlier run being lost. Throws Error on
/// the rank that finds something.
void check_result(const std::string& path, Bytes bytes, const RecordingOptions& options);

/// "the file does not hold rows 10 to 19 and columns 0 to 4 of B as rank 2 wrote them; --resume does their panel again"
std::string words_of(const PanelFile::Wrong& wrong, const std::string& matrix);
/// "rows 10 to 19 and columns 0 to 4"
std::string rows_and_columns(const Part& part);
/// Returns the error of a run with recorded panels whose result is wrong.
Error did_not_get_its_name(const std::string& cause);

/// Adds to a report: panels, those of earlier runs among them, and the seconds that recording and reading the result
/// once more took.
void add_recorded(std::int64_t panels, std::int64_t finished_before, double seconds, Report& report);

/// Decides between two panels whether to record, and ends the run after a signal.
class BetweenPanels {
 public:
  /// Catches SIGTERM and SIGINT from now on, if panels are recorded. To be made first, so that no signal ends the run
  /// without a word.
  BetweenPanels(Session& session, const RecordingOptions& options);
  /// Goes on catching: the run is at its end.
  ~BetweenPanels();
  BetweenPanels(const BetweenPanels&) = delete;
  BetweenPanels& operator=(const BetweenPanels&) = delete;

  /// Returns true if the finished panels are to be recorded now. Collective.
  bool is_due();
  /// Ends the run if a signal has arrived on any rank, which is_due() has found: throws AgreedError on all. `finished`
  /// of all `panels` of the result are recorded.
  void end_if_told(const std::string& result, std::int64_t finished, const std::string& panels) const;
  /// Both, before the first panel. Collective.
  void begin(const std::string& result, std::int64_t finished, const std::string& panels);

 private:
  Session& session_;
  const RecordingOptions& options_;
  std::optional<EndingSignals> signals_;
  int signal_ = 0;
  double recorded_at_;
};

}  // namespace tombolo
