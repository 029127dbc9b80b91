#include <iterator>

#include <tombolo/collectives/accesses.hpp>

namespace tombolo {

void Accesses::split(Stretches& stretches, std::int64_t at) {
  auto next = stretches.upper_bound(at);
  if (next == stretches.begin()) return;
  const auto found = std::prev(next);
  if (found->first == at || found->second.end <= at) return;
  Stretch right = found->second;
  found->second.end = at;
  stretches.emplace_hint(next, at, std::move(right));
}

void Accesses::read(const Piece& piece, StepId step, std::vector<StepId>& after) {
  if (piece.count == 0) return;
  Stretches& stretches = buffers_[static_cast<std::size_t>(piece.buffer)];
  split(stretches, piece.offset);
  split(stretches, piece.end());
  // Gaps are elements that nobody touched yet; they become stretches without a writer.
  std::int64_t at = piece.offset;
  auto it = stretches.lower_bound(at);
  while (at < piece.end()) {
    if (it == stretches.end() || it->first > at) {
      const std::int64_t end = it == stretches.end() ? piece.end() : std::min(it->first, piece.end());
      it = stretches.emplace_hint(it, at, Stretch{end, no_step, {}});
    }
    Stretch& stretch = it->second;
    if (stretch.writer != no_step) after.push_back(stretch.writer);
    stretch.readers.push_back(step);
    at = stretch.end;
    ++it;
  }
}

void Accesses::write(const Piece& piece, StepId step, std::vector<StepId>& after) {
  if (piece.count == 0) return;
  Stretches& stretches = buffers_[static_cast<std::size_t>(piece.buffer)];
  split(stretches, piece.offset);
  split(stretches, piece.end());
  auto it = stretches.lower_bound(piece.offset);
  while (it != stretches.end() && it->first < piece.end()) {
    const Stretch& stretch = it->second;
    // Readers come after the writer already, so waiting for them is enough.
    if (stretch.readers.empty()) {
      if (stretch.writer != no_step) after.push_back(stretch.writer);
    } else {
      for (const StepId reader : stretch.readers) after.push_back(reader);
    }
    it = stretches.erase(it);
  }
  stretches.emplace_hint(it, piece.offset, Stretch{piece.end(), step, {}});
}

}  // namespace tombolo
