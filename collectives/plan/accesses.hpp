#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory_resource>
#include <vector>

#include <tombolo/collectives/plan/schedule.hpp>

namespace tombolo {

/// Tracks the last writer and the later readers of every element of a rank's buffers, and derives the steps that a new
/// access must wait for: a read waits for the write before it, a write for the reads and the write before it. Plan
/// comparisons write thousands of schedules, so memory comes from one pool and lookups start where the last access
/// ended.
class Accesses {  // NOLINT(cppcoreguidelines-pro-type-member-init): begin_ is uninitialised memory of the pool
 public:
  Accesses() = default;
  Accesses(const Accesses&) = delete;  // the maps point to memory_
  Accesses& operator=(const Accesses&) = delete;
  ~Accesses() = default;

  /// Appends to `after` the steps that a read of the buffer range by `step` must wait for.
  void read(const BufferRange& piece, StepId step, std::vector<StepId>& after);
  /// Appends to `after` the steps that a write of the buffer range by `step` must wait for.
  void write(const BufferRange& piece, StepId step, std::vector<StepId>& after);

 private:
  // A linked list of steps. Lists may share a tail, so the two halves of a split interval start with the same list.
  struct Reader {
    StepId step;
    std::int32_t next;
  };
  static constexpr std::int32_t no_reader = -1;
  struct Stretch {
    std::int64_t end = 0;
    StepId writer = no_step;
    std::int32_t readers = no_reader;  // since the write
  };
  using Stretches = std::pmr::map<std::int64_t, Stretch>;  // by first element; no overlaps
  struct Accessed {
    explicit Accessed(std::pmr::memory_resource* memory) : stretches(memory), hint(stretches.end()) {}
    Stretches stretches;
    Stretches::iterator hint;  // interval after the last access
  };

  static Stretches::iterator split(Stretches& stretches, Stretches::iterator at, std::int64_t where);
  static Stretches::iterator first_from(Accessed& buffer, std::int64_t offset);

  std::array<std::byte, 2048> begin_;
  std::pmr::monotonic_buffer_resource memory_{begin_.data(), begin_.size()};
  static_assert(buffer_kinds == 4);
  std::array<Accessed, buffer_kinds> buffers_{Accessed(&memory_), Accessed(&memory_), Accessed(&memory_),
                                              Accessed(&memory_)};
  std::vector<Reader> readers_;
};

}  // namespace tombolo
