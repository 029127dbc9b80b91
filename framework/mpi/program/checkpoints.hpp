#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

#include <tombolo/framework/program/declare/saved_state.hpp>
#include <tombolo/platform/system/ending_signals.hpp>
#include <tombolo/session.hpp>

namespace tombolo {

/// Decides at the points of a run whether a checkpoint is due: by time on the first member, by passes, or since a
/// signal has arrived on any member. Members talk about four times a second at most, so that short passes cost nothing.
class CheckpointSchedule {
 public:
  enum class Due { nothing, save, save_and_end };

  /// `passes`: those that the run has made already, on other members.
  CheckpointSchedule(const CheckpointOptions& options, MPI_Comm members, Rank member, std::int64_t passes);

  /// Returns what to do at this point; the same on all members. Collective.
  Due at_point();
  /// Asks again at the next point, since the program cannot be saved at this one.
  void put_off() { put_off_ = true; }
  /// Starts the next interval.
  void saved();
  /// The signal behind save_and_end.
  int signal() const { return signal_; }

 private:
  const CheckpointOptions options_;
  const MPI_Comm members_;
  const Rank member_;
  const EndingSignals signals_;
  Due due_ = Due::nothing;
  bool put_off_ = false;
  int signal_ = 0;
  std::int64_t since_saved_;  // points
  std::int64_t since_talk_ = 0;
  std::int64_t next_talk_ = 1;
  double saved_at_;
  double talked_at_;
};

/// The checkpoints of a program: two generations in a folder, of which the older one is written anew.
struct Checkpoints {
  static constexpr int generations = 2;

  /// A generation on the disk.
  struct Found {
    int generation = 0;
    SavedState state = {};
  };

  CheckpointOptions options;
  std::filesystem::path folder;                              ///< of the program
  int next = 0;                                              ///< generation to be written
  std::int64_t number = 0;                                   ///< of the newest checkpoint
  std::string newest = {};                                   ///< its point in words; empty: none
  std::vector<Found> found = {};                             ///< to go on from, newest first; empty once that is done
  bool resumed = false;                                      ///< this run goes on from a checkpoint
  std::string resumed_from = {};                             ///< in words
  std::vector<std::optional<std::uint64_t>> constants = {};  ///< hashes, by array
  std::int64_t saves = 0;                                    ///< of this process
  double seconds = 0;
  Bytes bytes = 0;  ///< of the last one

  std::filesystem::path generation(int which) const { return folder / std::to_string(which); }
};

/// Name of the text of a checkpoint, beside the files of arrays.
inline constexpr const char* saved_text = "state.json";

}  // namespace tombolo
