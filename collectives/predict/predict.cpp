#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>

#include <tombolo/collectives/plan/matching.hpp>
#include <tombolo/collectives/plan/progress.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/models/network/flows.hpp>

namespace tombolo {

namespace {

// Steps of all ranks are numbered consecutively.
class Simulation {
 public:
  Simulation(std::span<const Schedule> schedules, Bytes element_bytes, const Model& model, Sharing sharing)
      : element_bytes_(element_bytes), model_(model), dependencies_(schedules), ranks_(schedules.size()) {
    const Matching matching(schedules);
    if (const auto& fault = matching.fault()) throw std::logic_error("predict: " + *fault);
    steps_.reserve(static_cast<std::size_t>(dependencies_.size()));
    for (std::size_t r = 0; r < schedules.size(); ++r) {
      ranks_[r].first = static_cast<StepId>(steps_.size());
      for (const Step& step : schedules[r].steps()) steps_.push_back({.step = &step, .rank = static_cast<Rank>(r)});
    }
    for (State& here : steps_) {
      if (!here.step->is_message()) continue;
      const RankState& own = state(here.rank);
      const auto id = static_cast<StepId>(&here - steps_.data());
      const StepOf other = matching.partner(here.rank, id - own.first);
      here.other = state(other.rank).first + other.step;
    }
    if (const SharedCores* cores = model.shared_cores()) share(*cores);
    if (model.network() == nullptr) return;
    if (sharing == Sharing::queued) {
      queues_.emplace(*model.network());
    } else {
      flows_.emplace(*model.network());
    }
  }

  // Returns the makespan.
  Picoseconds run(std::span<const Picoseconds> start, Picoseconds limit) {
    if (!start.empty() && start.size() != ranks_.size()) throw std::logic_error("predict: one start per rank");
    for (std::size_t r = 0; r < start.size(); ++r) ranks_[r].finish = start[r];
    progress_.restart(dependencies_);
    for (StepId id = progress_.next(); id != no_step; id = progress_.next()) {
      push(state(at(id).rank).finish, Kind::ready, id);
    }
    while (next_event() || next_flow()) {
      if (now_ > limit) return never;
    }
    if (!progress_.done()) throw std::logic_error("predict: a schedule never ends");
    Picoseconds makespan = 0;
    for (const RankState& rank : ranks_) makespan = std::max(makespan, rank.finish);
    return makespan;
  }

  Prediction times(Picoseconds makespan) const {
    Prediction result{.steps = std::vector<std::vector<StepTime>>(ranks_.size()), .finish = {}, .makespan = makespan};
    for (const State& each : steps_) result.steps[static_cast<std::size_t>(each.rank)].push_back(each.time);
    for (const RankState& rank : ranks_) result.finish.push_back(rank.finish);
    return result;
  }

 private:
  static constexpr Picoseconds not_yet = -1;

  struct State {
    const Step* step;
    Rank rank;
    StepId other = no_step;  // the other side of a message
    StepTime time = {};
    // Of a send: the next one in the queue of the outgoing port.
    StepId behind = no_step;
    // Of a receive:
    int index = -1;                // of its message in sent_; -1: not sent yet
    Picoseconds posted = not_yet;  // time of the receive
    bool held = false;             // the message is ready to leave, but awaits its receive
    bool there = false;            // the message has passed the receiver's port
  };
  struct Sent {
    StepId receive;
    MessageCost cost;
    Picoseconds left = 0;  // time of departure
  };
  struct HostState {
    std::vector<Picoseconds> free;  // by core
    Picoseconds wake_up = 0;
  };
  struct RankState {
    StepId first = 0;          // of its steps
    StepId sending = no_step;  // the last send that the outgoing port began
    StepId next = no_step;     // queue of the outgoing port
    StepId last = no_step;
    Picoseconds out_free = 0;
    Picoseconds in_free = 0;
    Picoseconds processor_free = 0;
    HostState* host = nullptr;  // whose cores the rank shares; null: it has one of its own
    Picoseconds awake = 0;      // when the last wake-up is over
    Picoseconds finish = 0;
  };

  // Order of events at the same time: events that free resources come first.
  enum class Kind : std::uint8_t { end, port_free, leave, arrive, there, acknowledged, awake, ready, flowed };
  // Kept small, and compared as one number, without a branch that processors cannot foresee.
  struct Event {
    __extension__ unsigned __int128 key;  // time, kind, and step (of the receiver for messages) or index in sent_
    Event(Picoseconds when, Kind kind, std::int32_t of)
        : key(static_cast<decltype(key)>(when) << 64U | static_cast<std::uint64_t>(kind) << 32U |
              static_cast<std::uint32_t>(of)) {}
    Picoseconds time() const { return static_cast<Picoseconds>(key >> 64U); }
    Kind kind() const { return static_cast<Kind>(static_cast<std::uint64_t>(key) >> 32U); }
    std::int32_t of() const { return static_cast<std::int32_t>(key & 0xffffffffU); }
    bool operator>(const Event& other) const { return key > other.key; }
  };
  // A binary heap like std::priority_queue's, whose search for the lesser child has no branch: half of such branches
  // would be predicted wrongly.
  class Events {
   public:
    bool empty() const { return heap_.empty(); }
    const Event& top() const { return heap_.front(); }
    void push(Event event) {
      heap_.push_back(event);
      std::ranges::push_heap(heap_, std::greater<>());
    }
    void pop() {
      std::size_t hole = 0;
      for (std::size_t child = 1; child + 1 < heap_.size(); child = 2 * hole + 1) {
        child += static_cast<std::size_t>(heap_[child] > heap_[child + 1]);
        heap_[hole] = heap_[child];
        hole = child;
      }
      heap_[hole] = heap_.back();
      heap_.pop_back();
      if (hole < heap_.size())
        std::push_heap(heap_.begin(), heap_.begin() + static_cast<std::ptrdiff_t>(hole) + 1, std::greater<>());
    }

   private:
    std::vector<Event> heap_;
  };

  State& at(StepId id) { return steps_[static_cast<std::size_t>(id)]; }
  RankState& state(Rank rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  Sent& sent(const State& receive) { return sent_[static_cast<std::size_t>(receive.index)]; }
  // Most events occur at once; a heap of their own keeps both heaps small.
  void push(Picoseconds when, Kind kind, std::int32_t of) { (when == now_ ? at_once_ : later_).push({when, kind, of}); }

  bool next_event() {
    if (at_once_.empty() && later_.empty()) return false;
    Events& events = at_once_.empty() || (!later_.empty() && at_once_.top() > later_.top()) ? later_ : at_once_;
    const Event event = events.top();
    // Flows that begin at the same time must all be known before rates are shared out.
    if (event.time() > now_ && flows_ && !flows_->empty() && flows_->next_end() < event.time()) return false;
    events.pop();
    now_ = event.time();
    switch (event.kind()) {
      case Kind::end:
        end(event.of());
        break;
      case Kind::port_free:
        start_send(state(at(event.of()).rank));
        break;
      case Kind::leave:
        leave(event.of());
        break;
      case Kind::arrive:
        arrive(event.of(), now_);
        break;
      case Kind::there:
        there(event.of());
        break;
      case Kind::acknowledged:
        wake(event.of(), false);
        break;
      case Kind::awake:
        process(event.of());
        break;
      case Kind::ready:
        begin(event.of());
        break;
      case Kind::flowed:
        flowed(event.of());
        while (!later_.empty() && later_.top().time() == now_ && later_.top().kind() == Kind::flowed) {
          const int next = later_.top().of();
          later_.pop();
          flowed(next);
        }
        break;
    }
    return true;
  }

  bool next_flow() {
    if (!flows_ || flows_->empty()) return false;
    now_ = flows_->next_end();
    for (const int index : flows_->end(now_)) flowed(index);
    return true;
  }

  void flowed(int index) {
    const Sent& message = sent_[static_cast<std::size_t>(index)];
    arrive(message.receive, std::max(plus(message.left, message.cost.wire), now_ - message.cost.receive));
  }

  void share(const SharedCores& cores) {
    for (const SharedCores::Host& host : cores.hosts()) {
      hosts_.push_back(
          {.free = std::vector<Picoseconds>(static_cast<std::size_t>(host.cores), 0), .wake_up = host.wake_up});
    }
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      const int host = cores.host_of(static_cast<Rank>(r));
      if (host >= 0) ranks_[r].host = &hosts_[static_cast<std::size_t>(host)];
    }
  }

  // The core that is free by a time, of several the last to become so; if none is, the first to become free.
  static Picoseconds& core_for(HostState& host, Picoseconds time) {
    return *std::ranges::min_element(host.free, {}, [time](Picoseconds free) {
      return free <= time ? std::pair(Picoseconds{0}, time - free) : std::pair(free - time, Picoseconds{0});
    });
  }

  // Reserves the rank's processor, which works sequentially, and a core for it; returns the start.
  Picoseconds processed(RankState& rank, Picoseconds duration) {
    Picoseconds start = std::max(now_, rank.processor_free);
    if (rank.host != nullptr && duration > 0) {
      Picoseconds& core = core_for(*rank.host, start);
      start = std::max(start, core);
      core = plus(start, duration);
    }
    rank.processor_free = plus(start, duration);
    return start;
  }

  void begin(StepId id) {
    State& here = at(id);
    RankState& rank = state(here.rank);
    if (here.step->kind == Step::Kind::send) {
      queue(rank, id);
    } else if (here.step->kind == Step::Kind::receive) {
      here.posted = now_;
      if (here.held) leave(id);
      if (here.there) there(id);
    } else {
      here.time.start = processed(rank, model_.local(here.step->count * element_bytes_));
      push(rank.processor_free, Kind::end, id);
    }
  }

  void queue(RankState& rank, StepId send) {
    const bool first = rank.next == no_step;
    (first ? rank.next : at(rank.last).behind) = send;
    rank.last = send;
    if (rank.out_free <= now_) {
      start_send(rank);
    } else if (first) {
      push(rank.out_free, Kind::port_free, rank.sending);
    }
  }

  // Starts the first send of the queue.
  void start_send(RankState& rank) {
    const StepId send = rank.next;
    State& here = at(send);
    rank.sending = send;
    rank.next = here.behind;
    MessageCost cost = model_.message(here.rank, here.step->peer, here.step->count * element_bytes_);
    // As in execute(), so that the window limits the messages in flight.
    if (dependencies_.channel(send) >= 0) cost.make_synchronous();
    at(here.other).index = static_cast<int>(sent_.size());
    sent_.push_back({.receive = here.other, .cost = cost});
    const Picoseconds start = processed(rank, cost.overhead);
    here.time.start = start;
    rank.out_free = plus(start, std::max(cost.overhead, cost.send));
    if (rank.next != no_step) push(rank.out_free, Kind::port_free, send);
    if (!cost.synchronous) push(rank.out_free, Kind::end, send);
    push(plus(start, cost.transit), Kind::leave, here.other);
  }

  void leave(StepId receive) {
    State& here = at(receive);
    Sent& message = sent(here);
    const MessageCost& cost = message.cost;
    here.held = cost.awaits_receive && here.posted == not_yet;
    if (here.held) return;
    const Picoseconds earliest = plus(here.posted, cost.transit_after_posting);
    if (cost.awaits_receive && earliest > now_) {
      push(earliest, Kind::leave, receive);
      return;
    }
    message.left = now_;
    const Rank sender = at(here.other).rank;
    if (cost.flow.bytes == 0) {
      arrive(receive, plus(now_, cost.wire));
    } else if (queues_) {
      push(queues_->start(sender, here.rank, cost.flow, now_), Kind::flowed, here.index);
    } else {
      flows_->start(here.index, sender, here.rank, cost.flow, now_);
    }
  }

  // Arrival at the receiver's port at time `when`.
  void arrive(StepId receive, Picoseconds when) {
    if (when > now_) {
      push(when, Kind::arrive, receive);
      return;
    }
    State& here = at(receive);
    RankState& rank = state(here.rank);
    const MessageCost& cost = sent(here).cost;
    here.time.start = std::max(when, rank.in_free);
    rank.in_free = plus(here.time.start, cost.receive);
    push(rank.in_free, Kind::there, receive);
    if (!cost.synchronous) return;
    const bool has_core = state(at(here.other).rank).host == nullptr;
    push(rank.in_free, has_core ? Kind::end : Kind::acknowledged, here.other);
  }

  // A message that arrives before its receive is posted waits.
  void there(StepId receive) {
    State& here = at(receive);
    here.there = true;
    if (here.posted != not_yet) wake(receive, here.posted == now_);
  }

  // Lets a rank deal with what has come for a step: a message, or the acknowledgement of one. A rank without a core of
  // its own that has nothing to do sleeps, unless it has just asked.
  void wake(StepId id, bool asks) {
    RankState& rank = state(at(id).rank);
    if (rank.host == nullptr || asks || rank.processor_free > now_) {
      process(id);
      return;
    }
    if (rank.awake <= now_) rank.awake = plus(now_, rank.host->wake_up);
    push(rank.awake, Kind::awake, id);
  }

  void process(StepId id) {
    State& here = at(id);
    RankState& rank = state(here.rank);
    const bool receives = here.step->kind == Step::Kind::receive;
    const MessageCost& cost = sent(receives ? here : at(here.other)).cost;
    // Acknowledgements are messages too, which cores in short supply must send.
    const bool acknowledges = receives && cost.synchronous && rank.host != nullptr;
    processed(rank, acknowledges ? plus(cost.receive_overhead, cost.overhead) : cost.receive_overhead);
    push(rank.processor_free, Kind::end, id);
  }

  void end(StepId id) {
    State& here = at(id);
    here.time.end = now_;
    Picoseconds& finish = state(here.rank).finish;
    finish = std::max(finish, now_);
    progress_.complete(id);
    for (StepId next = progress_.next(); next != no_step; next = progress_.next()) push(now_, Kind::ready, next);
  }

  Bytes element_bytes_;
  const Model& model_;
  Dependencies dependencies_;
  Progress progress_;
  std::vector<HostState> hosts_;  // whose cores are shared
  std::vector<RankState> ranks_;
  std::vector<State> steps_;
  std::vector<Sent> sent_;
  std::optional<Queues> queues_;
  std::optional<Flows> flows_;
  Events at_once_, later_;
  Picoseconds now_ = 0;
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

// Returns when each rank knows the counts that it must learn.
std::vector<Picoseconds> after_learning(const Plan& plan, const Model& model, std::span<const Picoseconds> start,
                                        Sharing sharing) {
  if (!plan.learns()) return {start.begin(), start.end()};
  constexpr Bytes count_bytes = sizeof(std::int64_t);
  std::vector<Schedule> schedules;
  for (Rank rank = 0; rank < plan.request().ranks; ++rank) schedules.push_back(plan.learning(rank));
  return predict(schedules, count_bytes, model, start, sharing).finish;
}

}  // namespace

Prediction predict(std::span<const Schedule> schedules, Bytes element_bytes, const Model& model,
                   std::span<const Picoseconds> start, Sharing sharing, Picoseconds limit) {
  Simulation simulation(schedules, element_bytes, model, sharing);
  const Picoseconds makespan = simulation.run(start, limit);
  return simulation.times(makespan);
}

Picoseconds makespan(std::span<const Schedule> schedules, Bytes element_bytes, const Model& model,
                     std::span<const Picoseconds> start, Sharing sharing, Picoseconds limit) {
  return Simulation(schedules, element_bytes, model, sharing).run(start, limit);
}

Prediction predict(const Plan& plan, const Model& model, std::span<const Picoseconds> start, Sharing sharing,
                   Picoseconds limit) {
  const std::vector<Picoseconds> begin = after_learning(plan, model, start, sharing);
  return predict(plan.schedules(), plan.request().element_bytes, model, begin, sharing, limit);
}

Picoseconds makespan(const Plan& plan, const Model& model, Sharing sharing, Picoseconds limit) {
  const std::vector<Picoseconds> begin = after_learning(plan, model, {}, sharing);
  return makespan(plan.schedules(), plan.request().element_bytes, model, begin, sharing, limit);
}

int longest_chain(const Plan& plan) {
  return static_cast<int>(makespan(plan, Counting()));
}

}  // namespace tombolo
