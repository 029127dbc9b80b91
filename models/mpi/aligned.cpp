#include <algorithm>

#include <tombolo/models/experiments.hpp>
#include <tombolo/models/mpi/aligned.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

namespace {

using Kind = Experiment::Kind;

void wait_until(Picoseconds time) {
  const Picoseconds left = time - machine::now();
  if (machine::simulated() && left > 0) machine::sleep(left);
  while (!machine::simulated() && machine::now() < time) {
  }
}

// Both go on at the same time. Clocks differ: a, having told b to start, starts itself as much later as an empty
// message takes, which is half of the shortest round trip so far.
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
  // Once the ping has come.
  static void start_b(Messenger& messenger, Rank a) {
    messenger.send(a, Tag::ping);
    messenger.receive(a, Tag::start);
  }

 private:
  Picoseconds crossing_ = never;
};

// What is timed, on the rank that measures.
Picoseconds as_a(Messenger& messenger, const Experiment& experiment) {
  const Picoseconds begin = machine::now();
  if (experiment.kind == Kind::exchange) {
    messenger.exchange(experiment.b, experiment.there);
  } else {
    messenger.send(experiment.b, Tag::message, experiment.there);
  }
  return machine::now() - begin;
}

Picoseconds as_b(Messenger& messenger, const Experiment& experiment) {
  if (experiment.kind == Kind::exchange) {
    messenger.exchange(experiment.a, experiment.there);
    return 0;
  }
  machine::sleep(experiment.delay);
  const Picoseconds begin = machine::now();
  messenger.receive(experiment.a, Tag::message, experiment.there);
  return machine::now() - begin;
}

}  // namespace

void measure_aligned(Messenger& messenger, const Experiment& experiment, Rank rank, Series& series) {
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
    // Whoever did not measure says that nothing is on its way any more, and hears whether to go on.
    if (!measures) {
      messenger.send(other, Tag::over);
      MPI_Request word = messenger.post(other, 0);
      if (messenger.wait(word) == Tag::over) return;
    } else {
      messenger.receive(other, Tag::over);
      series.add(time);
      messenger.send(other, series.enough() ? Tag::over : Tag::again);
      if (series.enough()) return;
    }
  }
}

}  // namespace tombolo
