#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>
#include <tuple>

#include <tombolo/collectives/matching.hpp>
#include <tombolo/collectives/predict.hpp>
#include <tombolo/collectives/progress.hpp>

namespace tombolo {

namespace {

class Simulation {
 public:
  Simulation(std::span<const Schedule> schedules, Bytes element_bytes, const Model& model)
      : schedules_(schedules), element_bytes_(element_bytes), model_(model), matching_(schedules) {
    if (const auto& fault = matching_.fault()) throw std::logic_error("predict: " + *fault);
  }

  Prediction run(std::span<const Picoseconds> start) {
    if (!start.empty() && start.size() != schedules_.size()) throw std::logic_error("predict: one start per rank");
    for (std::size_t r = 0; r < schedules_.size(); ++r) {
      const Picoseconds begin = start.empty() ? 0 : start[r];
      ranks_.push_back({Progress(schedules_[r]), 0, 0, 0, {}, {}});
      ranks_.back().arrived.assign(schedules_[r].steps().size(), not_yet);
      ranks_.back().posted.assign(schedules_[r].steps().size(), false);
      result_.steps.emplace_back(schedules_[r].steps().size());
      result_.finish.push_back(begin);
      hand_out(static_cast<Rank>(r), begin);
    }
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      if (event.kind == Event::Kind::ready) begin(event);
      if (event.kind == Event::Kind::arrive) arrive(event);
      if (event.kind == Event::Kind::end) end(event);
    }
    for (const RankState& rank : ranks_) {
      if (!rank.progress.done()) throw std::logic_error("predict: a schedule never ends");
    }
    result_.makespan = result_.finish.empty() ? 0 : *std::max_element(result_.finish.begin(), result_.finish.end());
    return std::move(result_);
  }

 private:
  static constexpr Picoseconds not_yet = -1;

  struct RankState {
    Progress progress;
    Picoseconds out_free;  // when the outgoing port is free next
    Picoseconds in_free;
    Picoseconds cpu_free;
    std::vector<Picoseconds> arrived;  // per receive step: when its message is all there
    std::vector<bool> posted;          // per receive step
  };

  struct Event {
    enum class Kind { end, arrive, ready };
    Picoseconds time;
    Kind kind;  // of events at one time, completions go first: they free what others wait for
    Rank rank;
    StepId step;
    bool operator>(const Event& other) const {
      return std::tie(time, kind, rank, step) > std::tie(other.time, other.kind, other.rank, other.step);
    }
  };

  RankState& state(Rank rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  StepTime& time(Rank rank, StepId step) {
    return result_.steps[static_cast<std::size_t>(rank)][static_cast<std::size_t>(step)];
  }
  const Step& step(const Event& event) const {
    return schedules_[static_cast<std::size_t>(event.rank)].step(event.step);
  }

  void hand_out(Rank rank, Picoseconds now) {
    Progress& progress = state(rank).progress;
    for (StepId id = progress.next(); id != no_step; id = progress.next()) {
      events_.push({now, Event::Kind::ready, rank, id});
    }
  }

  void begin(const Event& event) {
    const Step& s = step(event);
    RankState& rank = state(event.rank);
    StepTime& when = time(event.rank, event.step);
    const Bytes bytes = s.count * element_bytes_;
    if (s.kind == Step::Kind::send) {
      const MessageCost cost = model_.message(event.rank, s.peer, bytes);
      const StepOf receive = matching_.partner(event.rank, event.step);
      when.start = std::max(event.time, rank.out_free);
      rank.out_free = plus(when.start, cost.send);
      events_.push({rank.out_free, Event::Kind::end, event.rank, event.step});
      events_.push({plus(when.start, cost.transit), Event::Kind::arrive, receive.rank, receive.step});
    } else if (s.kind == Step::Kind::receive) {
      rank.posted[static_cast<std::size_t>(event.step)] = true;
      const Picoseconds arrived = rank.arrived[static_cast<std::size_t>(event.step)];
      if (arrived != not_yet) {
        events_.push({std::max(arrived, event.time), Event::Kind::end, event.rank, event.step});
      }
    } else {
      when.start = std::max(event.time, rank.cpu_free);
      rank.cpu_free = plus(when.start, model_.local(bytes));
      events_.push({rank.cpu_free, Event::Kind::end, event.rank, event.step});
    }
  }

  void arrive(const Event& event) {
    const Step& s = step(event);
    RankState& rank = state(event.rank);
    const MessageCost cost = model_.message(s.peer, event.rank, s.count * element_bytes_);
    const Picoseconds from = std::max(event.time, rank.in_free);
    const Picoseconds there = plus(from, cost.receive);
    time(event.rank, event.step).start = from;
    rank.in_free = there;
    rank.arrived[static_cast<std::size_t>(event.step)] = there;
    if (rank.posted[static_cast<std::size_t>(event.step)])
      events_.push({there, Event::Kind::end, event.rank, event.step});
  }

  void end(const Event& event) {
    time(event.rank, event.step).end = event.time;
    Picoseconds& finish = result_.finish[static_cast<std::size_t>(event.rank)];
    finish = std::max(finish, event.time);
    state(event.rank).progress.complete(event.step);
    hand_out(event.rank, event.time);
  }

  std::span<const Schedule> schedules_;
  Bytes element_bytes_;
  const Model& model_;
  Matching matching_;
  std::vector<RankState> ranks_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  Prediction result_;
};

}  // namespace

Prediction predict(std::span<const Schedule> schedules, Bytes element_bytes, const Model& model,
                   std::span<const Picoseconds> start) {
  return Simulation(schedules, element_bytes, model).run(start);
}

Prediction predict(const Plan& plan, const Model& model, std::span<const Picoseconds> start) {
  const Request& request = plan.request();
  std::vector<Picoseconds> begin(start.begin(), start.end());
  std::vector<Schedule> schedules;
  if (plan.learns()) {
    constexpr Bytes count_bytes = sizeof(std::int64_t);
    for (Rank rank = 0; rank < request.ranks; ++rank) schedules.push_back(plan.learning(rank));
    begin = predict(schedules, count_bytes, model, start).finish;
    schedules.clear();
  }
  for (Rank rank = 0; rank < request.ranks; ++rank) schedules.push_back(plan.schedule(rank, request));
  return predict(schedules, request.element_bytes, model, begin);
}

}  // namespace tombolo
