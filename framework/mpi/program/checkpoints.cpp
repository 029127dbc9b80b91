#include <algorithm>
#include <array>
#include <cmath>

#include <tombolo/framework/mpi/program/checkpoints.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

namespace {

constexpr double between_talks = 0.25;  // s
constexpr std::int64_t most_points = 10'000;

}  // namespace

CheckpointSchedule::CheckpointSchedule(const CheckpointOptions& options, MPI_Comm members, Rank member,
                                       std::int64_t passes)
    : options_(options),
      members_(members),
      member_(member),
      since_saved_(options.every_passes > 0 ? passes % options.every_passes : 0),
      saved_at_(MPI_Wtime()),
      talked_at_(saved_at_) {}

CheckpointSchedule::Due CheckpointSchedule::at_point() {
  if (put_off_) return due_;
  const bool counted = options_.every_passes > 0 && ++since_saved_ >= options_.every_passes;
  if (++since_talk_ < next_talk_ && !counted) return Due::nothing;
  const double now = MPI_Wtime();
  const bool by_time = member_ == 0 && options_.every_passes == 0 && options_.every_minutes > 0 &&
                       now - saved_at_ >= 60 * options_.every_minutes;
  const double each = (now - talked_at_) / static_cast<double>(since_talk_);
  // At most twice as many as before, since later passes may take longer.
  const auto next = std::clamp<std::int64_t>(std::llround(between_talks / std::max(each, 1e-9)), 1,
                                             std::min(most_points, 2 * next_talk_));
  std::array<std::int64_t, 3> words{EndingSignals::arrived(), by_time ? 1 : 0, member_ == 0 ? next : 0};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, words.data(), words.size(), MPI_INT64_T, MPI_MAX, members_), "MPI_Allreduce");
  signal_ = static_cast<int>(words[0]);
  next_talk_ = words[2];
  since_talk_ = 0;
  talked_at_ = now;
  due_ = signal_ != 0 ? Due::save_and_end : counted || words[1] != 0 ? Due::save : Due::nothing;
  return due_;
}

void CheckpointSchedule::saved() {
  put_off_ = false;
  since_saved_ = 0;
  since_talk_ = 0;
  saved_at_ = MPI_Wtime();
  talked_at_ = saved_at_;
}

}  // namespace tombolo
