#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <tombolo/collectives/prove/symbolic_run.hpp>

namespace tombolo {

namespace {

// Visits two contents of the same length in the longest intervals without a boundary in either.
template <class Visit>
void walk(const std::vector<SymbolRun>& a, const std::vector<SymbolRun>& b, Visit visit) {
  std::size_t i = 0;
  std::size_t j = 0;
  std::int64_t in_a = 0;
  std::int64_t in_b = 0;
  for (std::int64_t at = 0; i < a.size() && j < b.size();) {
    const std::int64_t count = std::min(a[i].count - in_a, b[j].count - in_b);
    if (!visit(at, count, advanced(a[i].first, in_a), advanced(b[j].first, in_b))) return;
    at += count;
    in_a += count;
    in_b += count;
    if (in_a == a[i].count) ++i, in_a = 0;
    if (in_b == b[j].count) ++j, in_b = 0;
  }
}

bool continues(const Symbol& first, std::int64_t count, const Symbol& next) {
  return next.index == first.index + count && next.ranks == first.ranks;
}

}  // namespace

Union unite(const RankSet& a, const RankSet& b) {
  RankSet sorted;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(sorted),
             [](RankRange x, RankRange y) { return x.first < y.first; });
  Union result;
  for (const RankRange range : sorted) {
    if (result.ranks.empty() || range.first > result.ranks.back().last + 1) {
      result.ranks.push_back(range);
      continue;
    }
    RankRange& last = result.ranks.back();
    result.overlapped = result.overlapped || range.first <= last.last;
    last.last = std::max(last.last, range.last);
  }
  return result;
}

Symbol advanced(const Symbol& symbol, std::int64_t by) {
  return {symbol.index + by, symbol.ranks};
}

void append(std::vector<SymbolRun>& runs, SymbolRun run) {
  if (!runs.empty() && !run.first.ranks.empty() && continues(runs.back().first, runs.back().count, run.first)) {
    runs.back().count += run.count;
  } else {
    runs.push_back(std::move(run));
  }
}

void SymbolicMemory::cut(Stretches& stretches, std::int64_t at) {
  const auto next = stretches.upper_bound(at);
  if (next == stretches.begin()) return;
  const auto found = std::prev(next);
  if (found->first == at || found->second.end <= at) return;
  Stretch right{found->second.end, advanced(found->second.first, at - found->first)};
  found->second.end = at;
  stretches.emplace_hint(next, at, std::move(right));
}

void SymbolicMemory::write(const BufferRange& piece, const Symbol& first) {
  if (piece.count == 0) return;
  Stretches& stretches = buffers_[static_cast<std::size_t>(piece.buffer)];
  cut(stretches, piece.offset);
  cut(stretches, piece.end());
  stretches.erase(stretches.lower_bound(piece.offset), stretches.lower_bound(piece.end()));
  const auto written = stretches.insert_or_assign(piece.offset, Stretch{piece.end(), first}).first;
  join_before(stretches, std::next(written));
  join_before(stretches, written);
}

void SymbolicMemory::join_before(Stretches& stretches, Stretches::iterator right) {
  if (right == stretches.begin() || right == stretches.end()) return;
  const auto left = std::prev(right);
  if (left->second.end != right->first) return;
  if (!continues(left->second.first, right->first - left->first, right->second.first)) return;
  left->second.end = right->second.end;
  stretches.erase(right);
}

void SymbolicMemory::write(std::span<const BufferRange> pieces, const std::vector<SymbolRun>& runs) {
  auto run = runs.begin();
  std::int64_t used = 0;  // elements of the run written so far
  for (const BufferRange& piece : pieces) {
    for (std::int64_t at = piece.offset; at < piece.end() && run != runs.end();) {
      const std::int64_t count = std::min(piece.end() - at, run->count - used);
      write({piece.buffer, at, count}, advanced(run->first, used));
      at += count;
      used += count;
      if (used == run->count) {
        ++run;
        used = 0;
      }
    }
  }
}

std::vector<SymbolRun> SymbolicMemory::read(std::span<const BufferRange> pieces) const {
  std::vector<SymbolRun> runs;
  for (const BufferRange& piece : pieces) {
    const Stretches& stretches = buffers_[static_cast<std::size_t>(piece.buffer)];
    auto next = stretches.upper_bound(piece.offset);
    if (next != stretches.begin()) --next;
    for (std::int64_t at = piece.offset; at < piece.end();) {
      while (next != stretches.end() && next->second.end <= at) ++next;
      const bool gap = next == stretches.end() || next->first > at;
      std::int64_t end = piece.end();
      if (next != stretches.end()) end = std::min(end, gap ? next->first : next->second.end);
      append(runs, {end - at, gap ? Symbol{} : advanced(next->second.first, at - next->first)});
      at = end;
    }
  }
  return runs;
}

Combined combine(const std::vector<SymbolRun>& left, const std::vector<SymbolRun>& right, bool commutative) {
  Combined result;
  walk(left, right, [&](std::int64_t, std::int64_t count, const Symbol& l, const Symbol& r) {
    if (l.ranks.empty() || r.ranks.empty()) {
      result.fault = "an operand that was never written";
    } else if (l.index != r.index) {
      result.fault = "elements of different indices";
    } else if (!commutative && l.ranks.back().last + 1 != r.ranks.front().first) {
      result.fault = "operands that do not follow each other, though the operation does not commute";
    } else {
      Union both = unite(l.ranks, r.ranks);
      if (both.overlapped) result.fault = "a rank's contribution twice";
      append(result.runs, {count, {l.index, std::move(both.ranks)}});
    }
    return result.fault == nullptr;
  });
  return result;
}

std::int64_t first_difference(const std::vector<SymbolRun>& a, const std::vector<SymbolRun>& b) {
  std::int64_t position = -1;
  walk(a, b, [&](std::int64_t at, std::int64_t, const Symbol& x, const Symbol& y) {
    if (x == y) return true;
    position = at;
    return false;
  });
  return position;
}

SymbolicRun::SymbolicRun(std::span<const Schedule> schedules, ContractOf contract, bool commutative)
    : schedules_(schedules), contract_(std::move(contract)), commutative_(commutative), matching_(schedules) {
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
  if (schedules_.empty()) return;
  const Contract of_first = contract_(0);
  memories_.resize(schedules_.size());
  for (const Schedule& each : schedules_) progress_.emplace_back(each);
  heard_.resize(schedules_.size());
  // Counts keep their ranks, which those who learn them must know.
  const bool one_vector = !of_first.reduces && of_first.counts_size == 0;
  if (one_vector) first_element_.push_back(0);
  for (std::size_t r = 0; r < schedules_.size(); ++r) {
    const Contract own = contract_(static_cast<Rank>(r));
    std::int64_t elements = 0;
    for (const Content& content : own.before) elements = std::max(elements, content.first.index + content.piece.count);
    if (one_vector) first_element_.push_back(plus(first_element_.back(), elements));
    for (const Content& content : own.before) memories_[r].write(content.piece, in_memory(content.first));
    finished_.emplace_back(schedules_[r].steps().size());
    if (of_first.synchronises) heard_[r].resize(schedules_[r].steps().size());
    hand_out(static_cast<Rank>(r));
  }
}

Symbol SymbolicRun::in_memory(const Symbol& symbol) const {
  if (first_element_.empty()) return symbol;
  const Rank owner = symbol.ranks.front().first;
  return {first_element_[static_cast<std::size_t>(owner)] + symbol.index, {{0, 0}}};
}

void SymbolicRun::hand_out(Rank rank) {
  Progress& progress = progress_[static_cast<std::size_t>(rank)];
  for (StepId id = progress.next(); id != no_step; id = progress.next()) work_.push_back({rank, id});
}

// A message is transferred once both its sides have started: the strictest behaviour that MPI allows. The set of steps
// that can start does not depend on the order of steps, so one run covers all orders of arrival.
void SymbolicRun::carry_out(StepOf at) {
  const Schedule& s = schedule(at.rank);
  const Step& step = s.step(at.step);
  if (finished_[static_cast<std::size_t>(at.rank)][static_cast<std::size_t>(at.step)])
    return;  // completed by its other side
  SymbolicMemory& memory = memories_[static_cast<std::size_t>(at.rank)];
  if (step.is_message()) {
    const StepOf other = matching_.partner(at.rank, at.step);
    if (!progress_[static_cast<std::size_t>(other.rank)].started(other.step))
      return;  // the other side will execute both
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

// Ranks known to have begun at a step: its own rank, those known to its predecessors, and those in its message.
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
  const Contract contract = contract_(rank);
  for (const Content& promised : contract.after) {
    const std::vector<SymbolRun> want{{promised.piece.count, in_memory(promised.first)}};
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
