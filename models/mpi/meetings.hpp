#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <mpi.h>

#include <tombolo/models/experiment_turns.hpp>
#include <tombolo/models/mpi/messenger.hpp>

namespace tombolo {

/// How a rank gets to its experiments: by word from those that must be through before, and, where it begins the
/// experiment, from the others who take part, that they are there. Receives are posted some turns in advance, so that
/// the word of those who come first is there when it is wanted: a message may not leave before its receive is posted.
class Meetings {
 public:
  /// Of `rank`, with these turns, which outlive this as the experiments do.
  Meetings(Messenger& messenger, Rank rank, std::span<const Experiment> experiments, std::span<const Turn> turns)
      : messenger_(messenger), rank_(rank), experiments_(experiments), turns_(turns), words_(turns.size()) {}

  /// Returns when this rank may begin that turn. Turns come in order, all of them.
  void wait_for(std::size_t turn);

 private:
  void post(std::size_t turn);

  Messenger& messenger_;
  Rank rank_;
  std::span<const Experiment> experiments_;
  std::span<const Turn> turns_;
  std::vector<std::vector<MPI_Request>> words_;  // by turn
  std::size_t posted_ = 0;
};

}  // namespace tombolo
