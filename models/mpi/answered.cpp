#include <tombolo/models/mpi/answered.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

namespace {

using Kind = Experiment::Kind;

// Where the partners do not know beforehand when it is over, or where a big answer may be on its way when they have
// done their part, they are told.
bool says_over(const Experiment& experiment, const Series& series) {
  return series.known_rounds() == 0 || experiment.back > 0;
}

int messages_there(const Experiment& experiment) {
  return experiment.kind == Kind::saturation ? experiment.count : 1;
}

// One experiment after the other; remembers how long an answer may take.
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
  // The first time shows how long to wait for the answer.
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

}  // namespace

bool is_answered(Kind kind) {
  return kind == Kind::round_trip || kind == Kind::one_to_two || kind == Kind::saturation ||
         kind == Kind::send_overhead || kind == Kind::receive_overhead;
}

int untimed_rounds(Kind kind) {
  return machine::simulated() && kind != Kind::receive_overhead ? 0 : 1;
}

void measure_answered(Messenger& messenger, const Experiment& experiment, Series& series) {
  const bool three = experiment.kind == Kind::one_to_two;
  Measuring measuring(messenger, experiment);
  while (!series.enough()) series.add(measuring.once());
  if (!says_over(experiment, series)) return;
  messenger.send(experiment.b, Tag::over);
  if (three) messenger.send(experiment.c, Tag::over);
}

void answer(Messenger& messenger, const Experiment& experiment, const Series& series) {
  const bool told = says_over(experiment, series);
  MPI_Request next = messenger.post(experiment.a, experiment.there);
  messenger.send(experiment.a, Tag::ready);
  Tag tag = messenger.wait_asleep(next);
  for (int round = 1; tag != Tag::over; ++round) {
    for (int i = 1; i < messages_there(experiment); ++i) {
      messenger.receive(experiment.a, Tag::message, experiment.there);
    }
    // The next receive is posted before a knows that it may go on. A rank that is not told goes on by itself.
    const bool last = !told && round == series.known_rounds();
    if (!last) next = messenger.post(experiment.a, experiment.there);
    messenger.send(experiment.a, Tag::message, experiment.back);
    if (last) return;
    tag = messenger.wait(next);
  }
}

}  // namespace tombolo
