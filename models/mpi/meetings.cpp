#include <algorithm>

#include <tombolo/models/experiments.hpp>
#include <tombolo/models/mpi/meetings.hpp>

namespace tombolo {

namespace {

constexpr std::size_t turns_ahead = 4;

}  // namespace

void Meetings::post(std::size_t turn) {
  const Turn& mine = turns_[turn];
  if (mine.wait_for >= 0) words_[turn].push_back(messenger_.post_empty(mine.wait_for, Tag::turn));
  const Experiment& experiment = experiments_[static_cast<std::size_t>(mine.experiment)];
  if (experiment.a != rank_) return;
  for (const Rank other : Participants(experiment)) {
    if (other != rank_) words_[turn].push_back(messenger_.post_empty(other, Tag::ready));
  }
}

void Meetings::wait_for(std::size_t turn) {
  for (; posted_ < std::min(turns_.size(), turn + turns_ahead); ++posted_) post(posted_);
  for (MPI_Request& word : words_[turn]) messenger_.wait_asleep(word);
  words_[turn] = {};
}

}  // namespace tombolo
