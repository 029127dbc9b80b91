#include <algorithm>
#include <iterator>

#include <tombolo/collectives/plan/accesses.hpp>

namespace tombolo {

// Splits an interval at `where`, which is after its beginning; returns the first interval that begins at `where` or
// later.
Accesses::Stretches::iterator Accesses::split(Stretches& stretches, Stretches::iterator at, std::int64_t where) {
  const auto next = std::next(at);
  if (at->second.end <= where) return next;
  Stretch right = at->second;
  at->second.end = where;
  return stretches.emplace_hint(next, where, right);
}

// Returns the first interval that begins at `offset` or later; splits an interval that contains `offset`.
Accesses::Stretches::iterator Accesses::first_from(Accessed& buffer, std::int64_t offset) {
  Stretches& stretches = buffer.stretches;
  auto next = buffer.hint;
  const bool behind = next == stretches.end() || next->first >= offset;
  if (!behind || (next != stretches.begin() && std::prev(next)->first >= offset)) next = stretches.lower_bound(offset);
  return next == stretches.begin() ? next : split(stretches, std::prev(next), offset);
}

void Accesses::read(const BufferRange& piece, StepId step, std::vector<StepId>& after) {
  if (piece.count == 0) return;
  Accessed& buffer = buffers_[static_cast<std::size_t>(piece.buffer)];
  Stretches& stretches = buffer.stretches;
  auto it = first_from(buffer, piece.offset);
  // Gaps are elements without an access so far; they become intervals without a writer.
  for (std::int64_t at = piece.offset; at < piece.end();) {
    if (it == stretches.end() || it->first > at) {
      const std::int64_t end = it == stretches.end() ? piece.end() : std::min(it->first, piece.end());
      it = stretches.emplace_hint(it, at, Stretch{end, no_step, no_reader});
    }
    const auto next = split(stretches, it, piece.end());
    Stretch& stretch = it->second;
    if (stretch.writer != no_step) after.push_back(stretch.writer);
    readers_.push_back({step, stretch.readers});
    stretch.readers = static_cast<std::int32_t>(readers_.size()) - 1;
    at = stretch.end;
    it = next;
  }
  buffer.hint = it;
}

void Accesses::write(const BufferRange& piece, StepId step, std::vector<StepId>& after) {
  if (piece.count == 0) return;
  Accessed& buffer = buffers_[static_cast<std::size_t>(piece.buffer)];
  Stretches& stretches = buffer.stretches;
  auto it = first_from(buffer, piece.offset);
  const bool known = it != stretches.end() && it->first == piece.offset;
  const auto kept = it;
  while (it != stretches.end() && it->first < piece.end()) {
    const auto next = split(stretches, it, piece.end());
    const Stretch& stretch = it->second;
    // Readers already wait for the writer, so the new step waits for the readers only.
    if (stretch.readers == no_reader && stretch.writer != no_step) after.push_back(stretch.writer);
    for (std::int32_t reader = stretch.readers; reader != no_reader;) {
      const Reader& one = readers_[static_cast<std::size_t>(reader)];
      after.push_back(one.step);
      reader = one.next;
    }
    if (!known || it != kept) stretches.erase(it);
    it = next;
  }
  const Stretch written{piece.end(), step, no_reader};
  if (known) {
    kept->second = written;
  } else {
    stretches.emplace_hint(it, piece.offset, written);
  }
  buffer.hint = it;
}

}  // namespace tombolo
