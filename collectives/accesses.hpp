#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory_resource>
#include <vector>

#include <tombolo/collectives/schedule.hpp>

namespace tombolo {

/// Remembers which step last wrote and which have since read every element of a rank's buffers, and so says which steps
/// a new access has to wait for: a read for the write before it, a write for the reads and the write before it.
/// Schedules are written by the thousand where plans are compared, so this takes memory in one piece and looks first
/// where the last access ended.
class Accesses {  // NOLINT(cppcoreguidelines-pro-type-member-init): begin_ is room that is written before it is read
 public:
  Accesses() = default;
  Accesses(const Accesses&) = delete;  // maps name the memory
  Accesses& operator=(const Accesses&) = delete;
  ~Accesses() = default;

  /// Adds to `after` what a read of the piece by `step` has to wait for.
  void read(const Piece& piece, StepId step, std::vector<StepId>& after);
  /// The same for a write.
  void write(const Piece& piece, StepId step, std::vector<StepId>& after);

 private:
  // A list of steps; lists may end alike, so those of two halves of a stretch begin as one.
  struct Reader {
    StepId step;
    std::int32_t next;
  };
  static constexpr std::int32_t no_reader = -1;
  struct Stretch {
    std::int64_t end = 0;
    StepId writer = no_step;
    std::int32_t readers = no_reader;  // since that write
  };
  using Stretches = std::pmr::map<std::int64_t, Stretch>;  // by first element; they do not overlap
  struct Accessed {
    explicit Accessed(std::pmr::memory_resource* memory) : stretches(memory), hint(stretches.end()) {}
    Stretches stretches;
    Stretches::iterator hint;  // behind what was accessed last
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
