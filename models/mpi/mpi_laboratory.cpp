#include <algorithm>
#include <bit>
#include <cstdint>

#include <fmt/format.h>

#include <tombolo/models/experiment_turns.hpp>
#include <tombolo/models/experiments.hpp>
#include <tombolo/models/mpi/aligned.hpp>
#include <tombolo/models/mpi/answered.hpp>
#include <tombolo/models/mpi/meetings.hpp>
#include <tombolo/models/mpi/mpi_laboratory.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

namespace {

// Messages of two experiments that follow each other never mix with those of anybody else.
MPI_Comm duplicate(MPI_Comm communicator) {
  MPI_Comm own = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(communicator, &own), "MPI_Comm_dup");
  check_mpi(MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  return own;
}

// Ranks that are done leave the cores to those that measure; simulated ones that wait take nothing from anybody.
void wait_for_all(MPI_Comm communicator) {
  if (machine::simulated()) return;
  MPI_Request done = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(communicator, &done), "MPI_Ibarrier");
  machine::wait_asleep(done);
}

}  // namespace

// Travels to rank 0 as integers: all but the beginning, then value and error of each time, in the order of this rank's
// turns.
struct MpiLaboratory::Part {
  static constexpr std::size_t head = 3;
  Picoseconds begin = 0;
  Picoseconds end = 0;
  std::int64_t measurements = 0;
  std::int64_t messages = 0;
  std::vector<std::int64_t> figures;
};

MpiLaboratory::MpiLaboratory(MPI_Comm communicator, const Platform& platform, LaboratoryOptions options)
    : communicator_(duplicate(communicator)),
      host_of_(hosts_of_ranks(platform)),
      options_(options),
      buffer_(communicator_, 2 * largest_message),
      messenger_(communicator_, buffer_.bytes()) {
  check_mpi(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator_, &ranks_), "MPI_Comm_size");
  if (platform.ranks() != ranks_) {
    throw Error(fmt::format("a platform of {} ranks for experiments of {}", platform.ranks(), ranks_),
                "give the platform of these ranks");
  }
}

MpiLaboratory::~MpiLaboratory() {
  MPI_Comm_free(&communicator_);
}

std::vector<Measured> MpiLaboratory::run(std::span<const Experiment> experiments, const Repeat& repeat) {
  check_experiments(experiments, ranks_, largest_message);
  if (experiments.empty()) return {};
  const ExperimentRounds rounds =
      options_.serial ? one_after_the_other(experiments) : experiment_rounds(experiments, host_of_);
  const std::vector<Turn> turns = turns_of(rank_, experiments, rounds, host_of_, options_.serial);
  const std::int64_t sent_before = messenger_.sent();
  Part part;
  part.begin = machine::now();
  Meetings meetings(messenger_, rank_, experiments, turns);
  for (std::size_t at = 0; at < turns.size(); ++at) {
    const Turn& turn = turns[at];
    meetings.wait_for(at);
    const auto found = take_part(experiments[static_cast<std::size_t>(turn.experiment)], repeat, part);
    if (found) part.figures.insert(part.figures.end(), {found->value, found->error});
    for (const Rank to : turn.tell) messenger_.send(to, Tag::turn);
  }
  part.end = machine::now();
  part.messages = messenger_.sent() - sent_before;
  return collect(experiments, rounds, std::move(part));
}

std::optional<Measured> MpiLaboratory::take_part(const Experiment& experiment, const Repeat& repeat, Part& part) {
  Series series(repeat, !machine::simulated(), untimed_rounds(experiment.kind));
  if (!is_answered(experiment.kind)) {
    measure_aligned(messenger_, experiment, rank_, series);
  } else if (rank_ == experiment.a) {
    measure_answered(messenger_, experiment, series);
  } else {
    answer(messenger_, experiment, series);
  }
  if (rank_ != measuring_rank(experiment)) return std::nullopt;
  part.measurements += series.timings();
  return series.result();
}

std::vector<Measured> MpiLaboratory::collect(std::span<const Experiment> experiments, const ExperimentRounds& rounds,
                                             Part part) {
  // Who measures what is known to all, and so is how many figures each rank brings.
  std::vector<std::vector<std::size_t>> measured_by(static_cast<std::size_t>(ranks_));
  for (const std::vector<int>& round : rounds) {
    for (const int e : round) {
      const auto at = static_cast<std::size_t>(e);
      measured_by[static_cast<std::size_t>(measuring_rank(experiments[at]))].push_back(at);
    }
  }
  std::vector<int> counts;
  std::vector<int> offsets;
  int all = 0;
  for (const auto& measured : measured_by) {
    offsets.push_back(all);
    counts.push_back(static_cast<int>(Part::head + 2 * measured.size()));
    all += counts.back();
  }
  std::vector<std::int64_t> mine = {part.measurements, part.messages, part.end};
  mine.insert(mine.end(), part.figures.begin(), part.figures.end());
  std::vector<std::int64_t> gathered(rank_ == 0 ? static_cast<std::size_t>(all) : 0);
  wait_for_all(communicator_);
  check_mpi(MPI_Gatherv(mine.data(), static_cast<int>(mine.size()), MPI_INT64_T, gathered.data(), counts.data(),
                        offsets.data(), MPI_INT64_T, 0, communicator_),
            "MPI_Gatherv");

  std::vector<std::int64_t> known(Part::head + 2 * experiments.size());  // the sums, then figures by experiment
  if (rank_ == 0) {
    Picoseconds end = machine::simulated() ? part.end : machine::now();
    for (std::size_t rank = 0; rank < measured_by.size(); ++rank) {
      const std::int64_t* from = gathered.data() + offsets[rank];
      known[0] += from[0];
      known[1] += from[1];
      if (machine::simulated()) end = std::max(end, from[2]);  // one clock for all
      from += Part::head;
      for (const std::size_t e : measured_by[rank]) {
        known[Part::head + 2 * e] = *from++;
        known[Part::head + 2 * e + 1] = *from++;
      }
    }
    known[2] = end - part.begin;
  }
  check_mpi(MPI_Bcast(known.data(), static_cast<int>(known.size()), MPI_INT64_T, 0, communicator_), "MPI_Bcast");
  cost_ += {.measurements = known[0], .messages = known[1], .seconds = seconds(known[2])};
  std::vector<Measured> results;
  for (std::size_t i = Part::head; i < known.size(); i += 2) results.push_back({known[i], known[i + 1]});
  return results;
}

}  // namespace tombolo
