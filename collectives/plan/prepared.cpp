#include <algorithm>
#include <utility>

#include <tombolo/collectives/plan/prepared.hpp>

namespace tombolo {

namespace {

// Above these limits, packing takes longer than a derived datatype, or too much memory.
constexpr Bytes most_staged_in_message = 16384;
constexpr Bytes most_staged = 1 << 20;

}  // namespace

PreparedSchedule::PreparedSchedule(Schedule schedule, Bytes element_bytes)
    : schedule_(std::move(schedule)), dependencies_(schedule_) {
  for (const Step& step : schedule_.steps()) {
    if (!step.is_message()) continue;
    tags_ = std::max<std::int64_t>(tags_, std::int64_t{step.tag} + 1);
    largest_ = std::max(largest_, step.count);
  }
  find_rounds();
  stage(element_bytes);
}

void PreparedSchedule::stage(Bytes element_bytes) {
  const Bytes each = std::max<Bytes>(element_bytes, 1);
  std::int64_t room = most_staged / each;
  std::int64_t end = schedule_.scratch();
  for (StepId id = 0; id < schedule_.size(); ++id) {
    const Step& step = schedule_.step(id);
    if (!step.is_message() || step.from.size + step.into.size < 2) continue;
    if (step.count > most_staged_in_message / each || step.count > room) continue;
    if (staged_.empty())
      staged_.assign(static_cast<std::size_t>(schedule_.size()), BufferRange{.buffer = Buffer::scratch});
    staged_[static_cast<std::size_t>(id)] = {Buffer::scratch, end, step.count};
    room -= step.count;
    end += step.count;
  }
  if (!staged_.empty()) scratch_with_staged_ = end;
}

void PreparedSchedule::find_rounds() {
  Round last;
  for (StepId id = 0; id < schedule_.size(); ++id) {
    const Step& step = schedule_.step(id);
    if (step.is_message() && step.from.size + step.into.size > 1) return;
    if (!follows(id, last)) return;
    Round now{.first = id};
    if (id + 1 < schedule_.size() && makes_pair(id, id + 1) && follows(id + 1, last)) now.second = ++id;
    rounds_.push_back(now);
    last = now;
  }
  in_rounds_ = true;
}

bool PreparedSchedule::follows(StepId id, const Round& round) const {
  const auto after = schedule_.after(schedule_.step(id));
  const auto comes_after = [&](StepId before) {
    return before == no_step || std::ranges::find(after, before) != after.end();
  };
  return comes_after(round.first) && comes_after(round.second);
}

// MPI has no combined call with a synchronous send.
bool PreparedSchedule::makes_pair(StepId first, StepId second) const {
  const Step& one = schedule_.step(first);
  const Step& other = schedule_.step(second);
  const Step& send = one.kind == Step::Kind::send ? one : other;
  return one.is_message() && other.is_message() && one.kind != other.kind && schedule_.window(send) == 0 &&
         other.from.size + other.into.size <= 1 && !follows(second, {.first = first});
}

std::shared_ptr<const PreparedSchedule> PreparedPlan::learned(const std::vector<std::int64_t>& counts) const {
  if (learned_ == nullptr || counts != counts_) {
    Request known = plan.request();
    known.blocks = Blocks(counts);
    learned_ = std::make_shared<const PreparedSchedule>(all(known));
    counts_ = counts;
  }
  return learned_;
}

}  // namespace tombolo
