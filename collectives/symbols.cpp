#include <algorithm>
#include <iterator>

#include <tombolo/collectives/symbols.hpp>

namespace tombolo {

Symbol advanced(const Symbol& symbol, std::int64_t by) {
  return {symbol.index + by, symbol.ranks};
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

void SymbolicMemory::write(const Piece& piece, const Symbol& first) {
  if (piece.count == 0) return;
  Stretches& stretches = buffers_[static_cast<std::size_t>(piece.buffer)];
  cut(stretches, piece.offset);
  cut(stretches, piece.end());
  stretches.erase(stretches.lower_bound(piece.offset), stretches.lower_bound(piece.end()));
  stretches[piece.offset] = {piece.end(), first};
}

void SymbolicMemory::write(std::span<const Piece> pieces, const std::vector<SymbolRun>& runs) {
  auto run = runs.begin();
  std::int64_t used = 0;  // of the run
  for (const Piece& piece : pieces) {
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

std::vector<SymbolRun> SymbolicMemory::read(std::span<const Piece> pieces) const {
  std::vector<SymbolRun> runs;
  for (const Piece& piece : pieces) {
    const Stretches& stretches = buffers_[static_cast<std::size_t>(piece.buffer)];
    auto next = stretches.upper_bound(piece.offset);
    if (next != stretches.begin()) --next;
    for (std::int64_t at = piece.offset; at < piece.end();) {
      while (next != stretches.end() && next->second.end <= at) ++next;
      const bool gap = next == stretches.end() || next->first > at;
      std::int64_t end = piece.end();
      if (next != stretches.end()) end = std::min(end, gap ? next->first : next->second.end);
      runs.push_back({end - at, gap ? Symbol{} : advanced(next->second.first, at - next->first)});
      at = end;
    }
  }
  return runs;
}

namespace {

// Walks two contents of the same length in the longest common stretches.
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

}  // namespace

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
      result.runs.push_back({count, {l.index, std::move(both.ranks)}});
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

}  // namespace tombolo
