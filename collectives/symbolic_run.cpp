#include <algorithm>

#include <fmt/format.h>

#include <tombolo/collectives/symbolic_run.hpp>

namespace tombolo {

SymbolicRun::SymbolicRun(std::span<const Schedule> schedules, std::span<const Contract> contracts, bool commutative)
    : schedules_(schedules), contracts_(contracts), commutative_(commutative), matching_(schedules) {
  fault_ = matching_.fault();
  if (fault_) return;
  start();
  while (!work_.empty() && !fault_) {
    const StepOf at = work_.back();
    work_.pop_back();
    carry_out(at);
  }
  if (!fault_) check_done();
  for (std::size_t r = 0; r < schedules_.size() && !fault_; ++r) check_result(static_cast<Rank>(r));
}

void SymbolicRun::start() {
  const bool synchronises = !contracts_.empty() && contracts_.front().synchronises;
  memories_.resize(schedules_.size());
  for (const Schedule& each : schedules_) progress_.emplace_back(each);
  heard_.resize(schedules_.size());
  for (std::size_t r = 0; r < schedules_.size(); ++r) {
    for (const Content& content : contracts_[r].before) memories_[r].write(content.piece, content.first);
    finished_.emplace_back(schedules_[r].steps().size());
    if (synchronises) heard_[r].resize(schedules_[r].steps().size());
    hand_out(static_cast<Rank>(r));
  }
}

void SymbolicRun::hand_out(Rank rank) {
  Progress& progress = progress_[static_cast<std::size_t>(rank)];
  for (StepId id = progress.next(); id != no_step; id = progress.next()) work_.push_back({rank, id});
}

// A message happens when both its sides have started: the strictest that MPI allows. What can start never depends on
// which of several startable steps goes first, so one run stands for all orders of arrival.
void SymbolicRun::carry_out(StepOf at) {
  const Schedule& s = schedule(at.rank);
  const Step& step = s.step(at.step);
  if (finished_[static_cast<std::size_t>(at.rank)][static_cast<std::size_t>(at.step)]) return;  // with its other side
  SymbolicMemory& memory = memories_[static_cast<std::size_t>(at.rank)];
  if (step.is_message()) {
    const StepOf other = matching_.partner(at.rank, at.step);
    if (!progress_[static_cast<std::size_t>(other.rank)].started(other.step)) return;  // the other side will come here
    const StepOf send = step.kind == Step::Kind::send ? at : other;
    const StepOf receive = step.kind == Step::Kind::send ? other : at;
    const Schedule& from = schedule(send.rank);
    const Schedule& into = schedule(receive.rank);
    memories_[static_cast<std::size_t>(receive.rank)].write(
        into.into(into.step(receive.step)),
        memories_[static_cast<std::size_t>(send.rank)].read(from.from(from.step(send.step))));
    hear(send, nullptr);
    if (!heard_[static_cast<std::size_t>(send.rank)].empty()) {
      hear(receive, &heard_[static_cast<std::size_t>(send.rank)][static_cast<std::size_t>(send.step)]);
    }
    complete(send);
    complete(receive);
    return;
  }
  const std::vector<SymbolRun> left = memory.read(s.from(step));
  if (step.kind == Step::Kind::copy) {
    memory.write(s.into(step), left);
  } else {
    const Combined combined = combine(left, memory.read(s.into(step)), commutative_);
    if (combined.fault) fault_ = fmt::format("{} combines {}", describe(s, at.rank, at.step), combined.fault);
    memory.write(s.into(step), combined.runs);
  }
  complete(at);
}

void SymbolicRun::complete(StepOf at) {
  finished_[static_cast<std::size_t>(at.rank)][static_cast<std::size_t>(at.step)] = true;
  progress_[static_cast<std::size_t>(at.rank)].complete(at.step);
  hand_out(at.rank);
}

// What a step knows: its own rank has begun, what the steps before it knew, and what its message says.
void SymbolicRun::hear(StepOf at, const RankSet* message) {
  auto& steps = heard_[static_cast<std::size_t>(at.rank)];
  if (steps.empty()) return;
  RankSet knows{{at.rank, at.rank}};
  if (message) knows = unite(knows, *message).ranks;
  for (const StepId before : schedule(at.rank).after(schedule(at.rank).step(at.step))) {
    knows = unite(knows, steps[static_cast<std::size_t>(before)]).ranks;
  }
  steps[static_cast<std::size_t>(at.step)] = std::move(knows);
}

void SymbolicRun::check_done() {
  for (std::size_t r = 0; r < schedules_.size(); ++r) {
    if (progress_[r].done()) continue;
    StepId stuck = 0;
    while (progress_[r].started(stuck) && !schedules_[r].step(stuck).is_message()) ++stuck;
    for (StepId id = 0; id < schedules_[r].size(); ++id) {
      const StepOf other = matching_.partner(static_cast<Rank>(r), id);
      if (progress_[r].started(id) && other.rank >= 0 &&
          !progress_[static_cast<std::size_t>(other.rank)].started(other.step)) {
        stuck = id;
        break;
      }
    }
    fault_ = fmt::format("{} waits for ever", describe(schedules_[r], static_cast<Rank>(r), stuck));
    return;
  }
}

void SymbolicRun::check_result(Rank rank) {
  const Contract& contract = contracts_[static_cast<std::size_t>(rank)];
  for (const Content& promised : contract.after) {
    const std::vector<SymbolRun> want{{promised.piece.count, promised.first}};
    const std::int64_t at = first_difference(memory(rank).read({&promised.piece, 1}), want);
    if (at < 0) continue;
    fault_ = fmt::format("rank {} ends with the wrong element at {}[{}]", rank, name(promised.piece.buffer),
                         promised.piece.offset + at);
    return;
  }
  if (!contract.synchronises) return;
  RankSet knows{{rank, rank}};
  for (const RankSet& step : heard_[static_cast<std::size_t>(rank)]) knows = unite(knows, step).ranks;
  const Rank last = static_cast<Rank>(schedules_.size()) - 1;
  if (knows == RankSet{{0, last}}) return;
  const Rank missing = knows.front().first > 0 ? 0 : knows.front().last + 1;
  fault_ = fmt::format("rank {} may end before rank {} has begun", rank, missing);
}

}  // namespace tombolo
