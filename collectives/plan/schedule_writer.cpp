#include <algorithm>
#include <utility>

#include <tombolo/collectives/plan/schedule_writer.hpp>

namespace tombolo {

Step::Span ScheduleWriter::keep(std::span<const BufferRange> pieces) {
  auto& pool = parts_.pieces;
  Step::Span span{static_cast<std::int32_t>(pool.size()), 0};
  for (const BufferRange& piece : pieces) {
    if (piece.count == 0) continue;
    const bool joins = span.size > 0 && pool.back().buffer == piece.buffer && pool.back().end() == piece.offset;
    if (joins) {
      pool.back().count += piece.count;
      ++parts_.joined;
    } else {
      pool.push_back(piece);
      ++span.size;
    }
  }
  return span;
}

std::int32_t ScheduleWriter::next_tag(std::vector<std::int32_t>& tags, Rank peer) {
  const auto at = static_cast<std::size_t>(peer);
  if (at >= tags.size()) tags.resize(at + 1, 0);
  return tags[at]++;
}

StepId ScheduleWriter::add(Step step, std::span<const BufferRange> from, std::span<const BufferRange> into,
                           std::span<const StepId> after) {
  const auto id = static_cast<StepId>(parts_.steps.size());
  step.from = keep(from);
  step.into = keep(into);
  step.count = elements(from.empty() ? into : from);
  waits_.clear();
  std::ranges::copy_if(after, std::back_inserter(waits_), [](StepId s) { return s != no_step; });
  for (const BufferRange& piece : from) accesses_.read(piece, id, waits_);
  for (const BufferRange& piece : into) accesses_.write(piece, id, waits_);
  std::erase(waits_, id);  // a reduce step reads and writes `into`
  if (waits_.size() > 1) {
    std::ranges::sort(waits_);
    waits_.erase(std::unique(waits_.begin(), waits_.end()), waits_.end());
  }
  step.after = {static_cast<std::int32_t>(parts_.after.size()), static_cast<std::int32_t>(waits_.size())};
  parts_.after.insert(parts_.after.end(), waits_.begin(), waits_.end());
  parts_.steps.push_back(step);
  return id;
}

StepId ScheduleWriter::send(Rank to, std::span<const BufferRange> from, const How& how) {
  if (elements(from) == 0) return no_step;
  return add({.kind = Step::Kind::send, .peer = to, .tag = next_tag(sent_, to), .channel = how.channel}, from, {},
             how.after);
}

StepId ScheduleWriter::receive(Rank from, std::span<const BufferRange> into, const How& how) {
  if (elements(into) == 0) return no_step;
  return add({.kind = Step::Kind::receive, .peer = from, .tag = next_tag(received_, from), .channel = how.channel}, {},
             into, how.after);
}

StepId ScheduleWriter::signal(Rank to, const std::vector<StepId>& after) {
  return add({.kind = Step::Kind::send, .peer = to, .tag = next_tag(sent_, to)}, {}, {}, after);
}

StepId ScheduleWriter::await(Rank from, const std::vector<StepId>& after) {
  return add({.kind = Step::Kind::receive, .peer = from, .tag = next_tag(received_, from)}, {}, {}, after);
}

StepId ScheduleWriter::copy(std::span<const BufferRange> from, std::span<const BufferRange> into) {
  if (elements(from) == 0 || std::ranges::equal(from, into)) return no_step;
  return add({.kind = Step::Kind::copy}, from, into, {});
}

StepId ScheduleWriter::reduce(std::span<const BufferRange> from, std::span<const BufferRange> into) {
  if (elements(from) == 0) return no_step;
  return add({.kind = Step::Kind::reduce}, from, into, {});
}

int ScheduleWriter::channel(int window) {
  if (window <= 0) return 0;
  parts_.windows.push_back(window);
  return static_cast<int>(parts_.windows.size()) - 1;
}

std::int64_t ScheduleWriter::scratch(std::int64_t elements) {
  return std::exchange(parts_.scratch, parts_.scratch + elements);
}

// Moves messages of a window that never fills to channel 0. The window has no effect, but its sends would be
// synchronous and the last one complete a latency after arrival.
void ScheduleWriter::leave_wide_lanes() {
  std::vector<int> messages(parts_.windows.size(), 0);
  for (const Step& step : parts_.steps) ++messages[static_cast<std::size_t>(step.channel)];
  for (Step& step : parts_.steps) {
    const auto channel = static_cast<std::size_t>(step.channel);
    if (messages[channel] <= parts_.windows[channel]) step.channel = 0;
  }
}

Schedule ScheduleWriter::finish() && {
  leave_wide_lanes();
  return Schedule(std::move(parts_));
}

}  // namespace tombolo
