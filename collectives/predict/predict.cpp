#include <algorithm>
#include <cstdint>
#include <memory>
#include <queue>
#include <stdexcept>

#include <tombolo/collectives/plan/matching.hpp>
#include <tombolo/collectives/plan/progress.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/models/network/flows.hpp>

namespace tombolo {

namespace {

class Simulation {
 public:
  Simulation(std::span<const Schedule> schedules, Bytes element_bytes, const Model& model, Sharing sharing)
      : schedules_(schedules), element_bytes_(element_bytes), model_(model), matching_(schedules) {
    if (const auto& fault = matching_.fault()) throw std::logic_error("predict: " + *fault);
    if (model.network() == nullptr) return;
    if (sharing == Sharing::queued) {
      flows_ = std::make_unique<Queues>(*model.network());
    } else {
      flows_ = std::make_unique<Flows>(*model.network());
    }
  }

  Prediction run(std::span<const Picoseconds> start, Picoseconds limit) {
    if (schedules_.size() > most_ranks) throw std::logic_error("predict: too many ranks");
    ranks_.reserve(schedules_.size());
    if (!start.empty() && start.size() != schedules_.size()) throw std::logic_error("predict: one start per rank");
    for (std::size_t r = 0; r < schedules_.size(); ++r) {
      const Picoseconds begin = start.empty() ? 0 : start[r];
      ranks_.emplace_back(schedules_[r]);
      result_.steps.emplace_back(schedules_[r].steps().size());
      result_.finish.push_back(begin);
      hand_out(static_cast<Rank>(r), begin);
    }
    while (next_event() || next_flow()) {
      if (now_ <= limit) continue;
      result_.makespan = never;
      return std::move(result_);
    }
    for (const RankState& rank : ranks_) {
      if (!rank.progress.done()) throw std::logic_error("predict: a schedule never ends");
    }
    result_.makespan = result_.finish.empty() ? 0 : *std::ranges::max_element(result_.finish);
    return std::move(result_);
  }

 private:
  static constexpr Picoseconds not_yet = -1;

  // A message with its send started or its receive posted; stored with its receive.
  struct Message {
    int index = -1;                // index of its send in sent_; -1: not sent yet
    Picoseconds posted = not_yet;  // time of its receive
    bool held = false;             // ready to leave, but awaits its receive
    bool there = false;            // passed the receiver's port
  };
  struct Sent {
    StepOf send;
    StepOf receive;
    MessageCost cost;
    Picoseconds left = 0;  // time of departure
  };

  struct RankState {
    explicit RankState(const Schedule& schedule) : progress(schedule), messages(schedule.steps().size()) {}
    Progress progress;
    std::vector<StepId> sends;  // queue of the outgoing port
    std::size_t begun = 0;      // sends started
    bool sending = false;       // outgoing port busy
    Picoseconds in_free = 0;
    Picoseconds processor_free = 0;
    std::vector<Message> messages;  // by receive step
  };

  // Order of events at the same time: events that free resources come first.
  enum class Kind : std::uint8_t { end, port_free, leave, arrive, there, ready };
  // Kept small and compared in two steps, since the queue holds many events.
  struct Event {
    Picoseconds time;
    std::uint64_t what;  // kind, rank (for messages, the receiver) and step, in that order
    Event(Picoseconds when, Kind kind, StepOf of)
        : time(when),
          what(static_cast<std::uint64_t>(kind) << 56U ^ static_cast<std::uint64_t>(of.rank) << 32U ^
               static_cast<std::uint64_t>(of.step)) {}
    Kind kind() const { return static_cast<Kind>(what >> 56U); }
    StepOf of() const { return {static_cast<Rank>(what >> 32U & 0xffffffU), static_cast<StepId>(what & 0xffffffffU)}; }
    bool operator>(const Event& other) const { return time != other.time ? time > other.time : what > other.what; }
  };
  static constexpr std::size_t most_ranks = std::size_t{1} << 24U;

  RankState& state(Rank rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  StepTime& time(StepOf of) {
    return result_.steps[static_cast<std::size_t>(of.rank)][static_cast<std::size_t>(of.step)];
  }
  const Step& step(StepOf of) const { return schedules_[static_cast<std::size_t>(of.rank)].step(of.step); }
  Message& message(StepOf receive) { return state(receive.rank).messages[static_cast<std::size_t>(receive.step)]; }
  Sent& sent(StepOf receive) { return sent_[static_cast<std::size_t>(message(receive).index)]; }
  void push(Picoseconds when, Kind kind, StepOf of) { events_.emplace(when, kind, of); }

  bool next_event() {
    if (events_.empty()) return false;
    const Event event = events_.top();
    // Flows that begin at the same time must all be known before rates are shared out.
    if (event.time > now_ && flows_ && !flows_->empty() && flows_->next_end() < event.time) return false;
    events_.pop();
    now_ = event.time;
    const StepOf of = event.of();
    switch (event.kind()) {
      case Kind::end:
        end(of);
        break;
      case Kind::port_free:
        port_free(of.rank);
        break;
      case Kind::leave:
        leave(of);
        break;
      case Kind::arrive:
        arrive(of, now_);
        break;
      case Kind::there:
        there(of);
        break;
      case Kind::ready:
        begin(of);
        break;
    }
    return true;
  }

  bool next_flow() {
    if (!flows_ || flows_->empty()) return false;
    now_ = flows_->next_end();
    for (const int index : flows_->end(now_)) {
      const Sent& message = sent_[static_cast<std::size_t>(index)];
      arrive(message.receive, std::max(plus(message.left, message.cost.wire), now_ - message.cost.receive));
    }
    return true;
  }

  void hand_out(Rank rank, Picoseconds now) {
    Progress& progress = state(rank).progress;
    for (StepId id = progress.next(); id != no_step; id = progress.next()) {
      push(now, Kind::ready, {rank, id});
    }
  }

  // Reserves the rank's processor, which works sequentially; returns the start.
  Picoseconds processed(RankState& rank, Picoseconds duration) {
    const Picoseconds start = std::max(now_, rank.processor_free);
    rank.processor_free = plus(start, duration);
    return start;
  }

  void begin(StepOf of) {
    const Step& s = step(of);
    RankState& rank = state(of.rank);
    if (s.kind == Step::Kind::send) {
      rank.sends.push_back(of.step);
      if (!rank.sending) start_send(of.rank);
    } else if (s.kind == Step::Kind::receive) {
      Message& m = message(of);
      m.posted = now_;
      if (m.held) leave(of);
      if (m.there) there(of);
    } else {
      const Picoseconds duration = model_.local(s.count * element_bytes_);
      time(of).start = processed(rank, duration);
      push(rank.processor_free, Kind::end, of);
    }
  }

  void start_send(Rank sender) {
    RankState& rank = state(sender);
    const StepOf of{sender, rank.sends[rank.begun++]};
    const Step& s = step(of);
    const StepOf receive = matching_.partner(of.rank, of.step);
    MessageCost cost = model_.message(sender, s.peer, s.count * element_bytes_);
    // As in execute(), so that the window limits the messages in flight.
    if (schedules_[static_cast<std::size_t>(sender)].window(s) > 0) cost.synchronous = true;
    message(receive).index = static_cast<int>(sent_.size());
    sent_.push_back({.send = of, .receive = receive, .cost = cost});
    const Picoseconds start = processed(rank, cost.overhead);
    time(of).start = start;
    rank.sending = true;
    const Picoseconds busy = plus(start, std::max(cost.overhead, cost.send));
    push(busy, Kind::port_free, of);
    if (!cost.synchronous) push(busy, Kind::end, of);
    push(plus(start, cost.transit), Kind::leave, receive);
  }

  void port_free(Rank sender) {
    RankState& rank = state(sender);
    rank.sending = false;
    if (rank.begun < rank.sends.size()) start_send(sender);
  }

  void leave(StepOf receive) {
    Message& m = message(receive);
    const MessageCost& cost = sent(receive).cost;
    m.held = cost.awaits_receive && m.posted == not_yet;
    if (m.held) return;
    const Picoseconds earliest = plus(m.posted, cost.transit_after_posting);
    if (cost.awaits_receive && earliest > now_) {
      push(earliest, Kind::leave, receive);
      return;
    }
    sent(receive).left = now_;
    if (cost.flow.bytes > 0) {
      flows_->start(m.index, sent(receive).send.rank, receive.rank, cost.flow, now_);
    } else {
      arrive(receive, plus(now_, cost.wire));
    }
  }

  // Arrival at the receiver's port at time `at`.
  void arrive(StepOf receive, Picoseconds at) {
    if (at > now_) {
      push(at, Kind::arrive, receive);
      return;
    }
    RankState& rank = state(receive.rank);
    time(receive).start = std::max(at, rank.in_free);
    rank.in_free = plus(time(receive).start, sent(receive).cost.receive);
    push(rank.in_free, Kind::there, receive);
    if (sent(receive).cost.synchronous) push(rank.in_free, Kind::end, sent(receive).send);
  }

  // A message that arrives before its receive is posted waits.
  void there(StepOf receive) {
    Message& m = message(receive);
    m.there = true;
    if (m.posted == not_yet) return;
    RankState& rank = state(receive.rank);
    processed(rank, sent(receive).cost.receive_overhead);
    push(rank.processor_free, Kind::end, receive);
  }

  void end(StepOf of) {
    time(of).end = now_;
    Picoseconds& finish = result_.finish[static_cast<std::size_t>(of.rank)];
    finish = std::max(finish, now_);
    state(of.rank).progress.complete(of.step);
    hand_out(of.rank, now_);
  }

  std::span<const Schedule> schedules_;
  Bytes element_bytes_;
  const Model& model_;
  Matching matching_;
  std::vector<RankState> ranks_;
  std::vector<Sent> sent_;
  std::unique_ptr<Traffic> flows_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  Picoseconds now_ = 0;
  Prediction result_;
};

/// A model in which every message takes one unit of time, without contention, and local work takes none.
class Counting final : public Model {
 public:
  std::string name() const override { return "counting"; }
  std::string describe() const override { return "every message takes one step"; }
  MessageCost message(Rank, Rank, Bytes) const override { return {.transit = 1}; }
  Picoseconds local(Bytes) const override { return 0; }
  Picoseconds longest_latency() const override { return 1; }
};

}  // namespace

Prediction predict(std::span<const Schedule> schedules, Bytes element_bytes, const Model& model,
                   std::span<const Picoseconds> start, Sharing sharing, Picoseconds limit) {
  return Simulation(schedules, element_bytes, model, sharing).run(start, limit);
}

Prediction predict(const Plan& plan, const Model& model, std::span<const Picoseconds> start, Sharing sharing,
                   Picoseconds limit) {
  const Request& request = plan.request();
  std::vector<Picoseconds> begin(start.begin(), start.end());
  std::vector<Schedule> schedules;
  if (plan.learns()) {
    constexpr Bytes count_bytes = sizeof(std::int64_t);
    for (Rank rank = 0; rank < request.ranks; ++rank) schedules.push_back(plan.learning(rank));
    begin = predict(schedules, count_bytes, model, start, sharing).finish;
    schedules.clear();
  }
  for (Rank rank = 0; rank < request.ranks; ++rank) schedules.push_back(plan.schedule(rank, request));
  return predict(schedules, request.element_bytes, model, begin, sharing, limit);
}

int longest_chain(const Plan& plan) {
  return static_cast<int>(predict(plan, Counting()).makespan);
}

}  // namespace tombolo
