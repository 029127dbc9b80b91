#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace tombolo {

/// Permutes the rows of a matrix in place: row r becomes the former row source(r), where source is a permutation of 0
/// to rows - 1. Each row is moved once, along cycles. Takes memory for one row and one bit per row.
template <class T, class Source>
void permute_rows(std::int64_t rows, std::int64_t width, T* matrix, Source source) {
  constexpr std::int64_t line = 64;  // bytes of a cache line
  constexpr std::int64_t most_ahead = 1024;
  const std::int64_t bytes = width * std::int64_t{sizeof(T)};
  auto* const base = reinterpret_cast<std::byte*>(matrix);
  const auto move = [bytes](const std::byte* from, std::byte* to) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  };
  if (rows == 0 || bytes == 0) return;
  std::vector<bool> placed(static_cast<std::size_t>(rows));
  const auto kept = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
  for (std::int64_t first = 0; first < rows; ++first) {
    if (placed[static_cast<std::size_t>(first)]) continue;
    std::int64_t at = first;
    std::int64_t from = source(at);
    if (from != first) move(base + first * bytes, kept.get());
    while (from != first) {
      const std::int64_t next = source(from);
      for (std::int64_t ahead = 0; ahead < bytes && ahead < most_ahead; ahead += line) {
        __builtin_prefetch(base + next * bytes + ahead);
      }
      move(base + from * bytes, base + at * bytes);
      placed[static_cast<std::size_t>(at)] = true;
      at = from;
      from = next;
    }
    if (at != first) move(kept.get(), base + at * bytes);
    placed[static_cast<std::size_t>(at)] = true;
  }
}

}  // namespace tombolo
