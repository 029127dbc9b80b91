#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include <tombolo/models/mpi/mpi_laboratory.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/mpi/broadcast_in_pieces.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// Synchronizes the start of this rank's turns: waits for the notification of earlier experiments and, on rank a of an
// experiment, for the other participants to be ready. Receives are posted some turns in advance, so that early
// notifications have arrived when needed: a message may not leave before its receive is posted.
class Meetings {
 public:
  // `turns` of `rank`; turns and experiments must outlive this.
  Meetings(Messenger& messenger, Rank rank, std::span<const Experiment> experiments, std::span<const Turn> turns)
      : messenger_(messenger), rank_(rank), experiments_(experiments), turns_(turns), words_(turns.size()) {}

  // Returns when this rank may begin `turn`. Called for every turn, in order.
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

constexpr std::size_t turns_ahead = 4;

void Meetings::post(std::size_t turn) {
  const Turn& mine = turns_[turn];
  for (const Rank from : mine.wait_for) words_[turn].push_back(messenger_.post_empty(from, Tag::turn));
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

using Kind = Experiment::Kind;

void wait_until(Picoseconds time) {
  const Picoseconds left = time - machine::now();
  if (machine::simulated() && left > 0) machine::sleep(left);
  while (!machine::simulated() && machine::now() < time) {
  }
}

// Starts two ranks at the same time despite different clocks: a tells b to start and starts itself after the time of an
// empty message, half of the shortest round trip so far.
class Alignment {
 public:
  void start_a(Messenger& messenger, Rank b) {
    const Picoseconds ping = machine::now();
    messenger.send(b, Tag::ping);
    messenger.receive(b, Tag::ping);
    const Picoseconds start = machine::now();
    crossing_ = std::min(crossing_, (start - ping) / 2);
    messenger.send(b, Tag::start);
    wait_until(start + crossing_);
  }
  // Called on b after receiving the ping.
  static void start_b(Messenger& messenger, Rank a) {
    messenger.send(a, Tag::ping);
    messenger.receive(a, Tag::start);
  }

 private:
  Picoseconds crossing_ = never;
};

int messages_there(const Experiment& experiment) {
  return experiment.kind == Kind::saturation || experiment.kind == Kind::train ? experiment.count : 1;
}

// The timed part of an aligned experiment on a.
Picoseconds as_a(Messenger& messenger, const Experiment& experiment) {
  const Picoseconds begin = machine::now();
  if (experiment.kind == Kind::exchange) {
    messenger.exchange(experiment.b, experiment.there);
    return machine::now() - begin;
  }
  for (int i = 0; i < messages_there(experiment); ++i) messenger.send(experiment.b, Tag::message, experiment.there);
  if (experiment.kind == Kind::train) messenger.receive(experiment.b, Tag::message);
  return machine::now() - begin;
}

Picoseconds as_b(Messenger& messenger, const Experiment& experiment) {
  if (experiment.kind == Kind::exchange) {
    messenger.exchange(experiment.a, experiment.there);
    return 0;
  }
  if (experiment.kind == Kind::train) {
    messenger.receive_all(experiment.a, Tag::message, experiment.there, experiment.count);
    messenger.send(experiment.a, Tag::message);
    return 0;
  }
  machine::sleep(experiment.delay);
  const Picoseconds begin = machine::now();
  messenger.receive(experiment.a, Tag::message, experiment.there);
  return machine::now() - begin;
}

// Makes an experiment that two ranks start at the same time: train, exchange, late_receive or late_arrival. Called on
// both; on a after b is ready, which b announces here. `series` receives the times on the measuring rank, and hurries
// after `until`.
void measure_aligned(Messenger& messenger, const Experiment& experiment, Rank rank, Picoseconds until, Series& series) {
  const bool measures = rank == measuring_rank(experiment);
  const Rank other = rank == experiment.a ? experiment.b : experiment.a;
  Alignment alignment;
  if (rank == experiment.b) messenger.send(other, Tag::ready);
  for (bool first = true;; first = false) {
    Picoseconds time = 0;
    if (rank == experiment.a) {
      alignment.start_a(messenger, other);
      time = as_a(messenger, experiment);
    } else {
      MPI_Request ping = messenger.post(other, 0);
      if (first) {
        messenger.wait_asleep(ping);
      } else {
        messenger.wait(ping);
      }
      Alignment::start_b(messenger, other);
      time = as_b(messenger, experiment);
    }
    // The rank that does not measure reports that no message is in flight, and is told whether to continue.
    if (!measures) {
      messenger.send(other, Tag::over);
      MPI_Request word = messenger.post(other, 0);
      if (messenger.wait(word) == Tag::over) return;
    } else {
      messenger.receive(other, Tag::over);
      series.add(time);
      if (machine::now() >= until) series.hurry();
      messenger.send(other, series.enough() ? Tag::over : Tag::again);
      if (series.enough()) return;
    }
  }
}

// True if the partners are told of the end: if they do not know the number of rounds, or if a large answer may still be
// in flight after their part.
bool says_over(const Experiment& experiment, const Series& series) {
  return series.known_rounds() == 0 || experiment.back > 0;
}

// Repeats one experiment; keeps the waiting time for an answer.
class Measuring {
 public:
  Measuring(Messenger& messenger, const Experiment& experiment) : messenger_(messenger), experiment_(experiment) {}

  Picoseconds once() {
    const auto& [kind, a, b, c, there, back, count, delay] = experiment_;
    if (kind == Kind::receive_overhead) return receive_overhead();
    const Picoseconds begin = machine::now();
    for (int i = 0; i < messages_there(experiment_); ++i) messenger_.send(b, Tag::message, there);
    if (kind == Kind::send_overhead) {
      const Picoseconds time = machine::now() - begin;
      messenger_.receive(b, Tag::message, back);
      return time;
    }
    if (kind == Kind::one_to_two) {
      messenger_.send(c, Tag::message, there);
      MPI_Request from_b = messenger_.post(b, back, 0);
      MPI_Request from_c = messenger_.post(c, back, 1);
      messenger_.wait(from_b);
      messenger_.wait(from_c);
    } else {
      messenger_.receive(b, Tag::message, back);
    }
    return machine::now() - begin;
  }

 private:
  // The first execution determines the time to wait for the answer.
  Picoseconds receive_overhead() {
    MPI_Request answer = messenger_.post(experiment_.b, experiment_.back, 1);
    Picoseconds begin = machine::now();
    messenger_.send(experiment_.b, Tag::message, experiment_.there);
    if (pause_ > 0) machine::sleep(pause_);
    if (pause_ > 0) begin = machine::now();
    messenger_.wait(answer);
    const Picoseconds time = machine::now() - begin;
    if (pause_ == 0) pause_ = 2 * time;
    return time;
  }

  Messenger& messenger_;
  const Experiment& experiment_;
  Picoseconds pause_ = 0;
};

// Experiments in which a's partners only answer: round_trip, one_to_two, saturation and the two overheads.
bool is_answered(Kind kind) {
  return kind == Kind::round_trip || kind == Kind::one_to_two || kind == Kind::saturation ||
         kind == Kind::send_overhead || kind == Kind::receive_overhead;
}

// Number of discarded timings at the beginning of a series of an answered experiment.
int untimed_rounds(Kind kind) {
  return machine::simulated() && kind != Kind::receive_overhead ? 0 : 1;
}

// The part of a, after its partners are ready: repeats the experiment until the series is complete.
void measure_answered(Messenger& messenger, const Experiment& experiment, Picoseconds until, Series& series) {
  const bool three = experiment.kind == Kind::one_to_two;
  Measuring measuring(messenger, experiment);
  while (!series.enough()) {
    series.add(measuring.once());
    if (machine::now() >= until) series.hurry();
  }
  if (!says_over(experiment, series)) return;
  messenger.send(experiment.b, Tag::over);
  if (three) messenger.send(experiment.c, Tag::over);
}

// The part of b and c: reports ready, then answers.
void answer(Messenger& messenger, const Experiment& experiment, const Series& series) {
  const bool told = says_over(experiment, series);
  MPI_Request next = messenger.post(experiment.a, experiment.there);
  messenger.send(experiment.a, Tag::ready);
  Tag tag = messenger.wait_asleep(next);
  for (int round = 1; tag != Tag::over; ++round) {
    for (int i = 1; i < messages_there(experiment); ++i) {
      messenger.receive(experiment.a, Tag::message, experiment.there);
    }
    // The next receive is posted before a can continue. A rank that is not told of the end counts the rounds.
    const bool last = !told && round == series.known_rounds();
    if (!last) next = messenger.post(experiment.a, experiment.there);
    messenger.send(experiment.a, Tag::message, experiment.back);
    if (last) return;
    tag = messenger.wait(next);
  }
}

// Broadcasts figures of rank 0. The others wait asleep for the first of them, as ranks that still measure need the
// cores.
void broadcast_asleep(MPI_Comm communicator, std::span<std::int64_t> figures) {
  constexpr std::size_t most = 250;
  const auto first = figures.first(std::min(most, figures.size()));
  MPI_Request come = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibcast(first.data(), static_cast<int>(first.size()), MPI_INT64_T, 0, communicator, &come),
            "MPI_Ibcast");
  machine::wait_asleep(come);
  const auto rest = std::as_writable_bytes(figures.subspan(first.size()));
  broadcast_in_pieces(communicator, 0, rest.data(), std::ssize(rest));
}

}  // namespace

// Sent to rank 0 as integers: all fields except `begin`, then value and error of each time, in the order of this rank's
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
    : communicator_(communicator),
      places_(platform),
      options_(std::move(options)),
      buffer_(communicator_, 2 * largest_message),
      messenger_(communicator_, buffer_.bytes()) {
  check_mpi(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator_, &ranks_), "MPI_Comm_size");
  if (platform.ranks() != ranks_) {
    throw Error(fmt::format("a platform of {} ranks for experiments of {}", platform.ranks(), ranks_),
                "give the platform of these ranks");
  }
}

bool MpiLaboratory::exact() const {
  return machine::simulated();
}

std::vector<Measured> MpiLaboratory::run(std::span<const Experiment> experiments, const Repeat& repeat) {
  check_experiments(experiments, ranks_, largest_message);
  if (experiments.empty()) return {};
  const ExperimentRounds rounds =
      options_.serial ? one_after_the_other(experiments) : experiment_rounds(experiments, places_);
  const std::vector<Turn> turns = turns_of(rank_, experiments, rounds, places_, options_.serial);
  const std::int64_t sent_before = messenger_.sent();
  // Rounds follow each other, and the experiments of a round overlap.
  const double left = std::max(0.0, options_.seconds - cost_.seconds);
  const double each = std::min(options_.seconds * repeat.part, left) / static_cast<double>(rounds.size());
  const Picoseconds longest = each < seconds(never) ? std::llround(each * picoseconds_per_second) : never;
  Part part;
  part.begin = machine::now();
  Meetings meetings(messenger_, rank_, experiments, turns);
  for (std::size_t at = 0; at < turns.size(); ++at) {
    const Turn& turn = turns[at];
    meetings.wait_for(at);
    const auto found = take_part(experiments[static_cast<std::size_t>(turn.experiment)], repeat, longest, part);
    if (found) part.figures.insert(part.figures.end(), {found->value, found->error});
    for (const Rank to : turn.tell) messenger_.send(to, Tag::turn);
    if (options_.progress) options_.progress(made_ + static_cast<std::int64_t>(at) + 1);
  }
  part.end = machine::now();
  part.messages = messenger_.sent() - sent_before;
  std::vector<Measured> results = collect(experiments, rounds, std::move(part));
  made_ += std::ssize(experiments);
  if (options_.progress) options_.progress(made_);
  return results;
}

std::optional<Measured> MpiLaboratory::take_part(const Experiment& experiment, const Repeat& repeat,
                                                 Picoseconds longest, Part& part) {
  const Picoseconds until = plus(machine::now(), longest);
  Series series(repeat, !machine::simulated(), untimed_rounds(experiment.kind));
  if (!is_answered(experiment.kind)) {
    measure_aligned(messenger_, experiment, rank_, until, series);
  } else if (rank_ == experiment.a) {
    measure_answered(messenger_, experiment, until, series);
  } else {
    answer(messenger_, experiment, series);
  }
  if (rank_ != measuring_rank(experiment)) return std::nullopt;
  part.measurements += series.timings();
  return series.result();
}

std::vector<Measured> MpiLaboratory::collect(std::span<const Experiment> experiments, const ExperimentRounds& rounds,
                                             Part part) {
  // The measuring rank of each experiment is known to all ranks, and thus the number of figures from each rank.
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
  // Straight to rank 0, which takes one of the longest latencies.
  constexpr int tag = static_cast<int>(Tag::figures);
  if (rank_ == 0) {
    std::ranges::copy(mine, gathered.begin());
    std::vector<MPI_Request> parts(counts.size(), MPI_REQUEST_NULL);
    for (std::size_t rank = 1; rank < parts.size(); ++rank) {
      check_mpi(MPI_Irecv(gathered.data() + offsets[rank], counts[rank], MPI_INT64_T, static_cast<int>(rank), tag,
                          communicator_, &parts[rank]),
                "MPI_Irecv");
    }
    for (MPI_Request& part_of_one : parts) machine::wait_asleep(part_of_one);
  } else {
    check_mpi(MPI_Send(mine.data(), static_cast<int>(mine.size()), MPI_INT64_T, 0, tag, communicator_), "MPI_Send");
  }

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
  broadcast_asleep(communicator_, known);
  cost_ += {.measurements = known[0], .messages = known[1], .seconds = seconds(known[2])};
  std::vector<Measured> results;
  for (std::size_t i = Part::head; i < known.size(); i += 2) results.push_back({known[i], known[i + 1]});
  return results;
}

Estimates estimate_models(MPI_Comm communicator, const Platform& platform, std::span<const ModelKind* const> kinds,
                          const LaboratoryOptions& options, const std::function<void(const ModelKind&)>& progress) {
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  Estimates estimates;
  double left = options.seconds;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const ModelKind* const kind = kinds[k];
    if (rank == 0 && progress) progress(*kind);
    LaboratoryOptions own = options;
    own.seconds = std::max(0.0, left) / static_cast<double>(kinds.size() - k);
    MpiLaboratory laboratory(communicator, platform, own);
    Json parameters = kind->estimate(platform, laboratory);
    estimates[std::string(kind->name)] = {.parameters = std::move(parameters), .cost = laboratory.cost()};
    left -= laboratory.cost().seconds;
  }
  return estimates;
}

}  // namespace tombolo
