#pragma once

#include <optional>
#include <vector>

#include <tombolo/collectives/plan/schedule_writer.hpp>

namespace tombolo {

/// A pool of buffers for vectors of one size. ScheduleWriter finds the dependencies of steps that reuse a buffer.
class VectorAreas {
 public:
  void add(const BufferRange& area) { free_.push_back(area); }
  /// Adds areas for `vectors` vectors of `count` elements in scratch.
  void add_scratch(std::int64_t vectors, std::int64_t count, ScheduleWriter& writer);

  /// Takes the area that has been free for the longest time; the output only if no other area is free.
  BufferRange take();
  /// Takes the output if it is free; otherwise as take().
  BufferRange take_output();
  void give_back(const BufferRange& area) { free_.push_back(area); }

 private:
  BufferRange taken(std::size_t index);
  std::vector<BufferRange> free_;
};

/// Combines a virtual rank's own vector with the vectors of all others, which arrive in the order own + 1, own + 2,
/// ..., last, 0, ..., own - 1. In this rotated order no two ranks send to the same target at a time. Operands still
/// keep the order of virtual ranks: vectors from lower ones are combined separately and joined with the rest at the
/// end. Arriving vectors must be in areas of `areas`; each area is returned once its vector has been combined.
class RotatedSum {
 public:
  RotatedSum(const BufferRange& own, VectorAreas& areas, ScheduleWriter& writer)
      : own_(own), above_(own), areas_(areas), writer_(writer) {}

  /// Adds the vector of a higher virtual rank, or of any virtual rank if operands may be reordered.
  void add_above(const BufferRange& arrived);
  void add_below(const BufferRange& arrived);
  /// The sum of the vectors from lower virtual ranks, until finish().
  const std::optional<BufferRange>& below() const { return below_; }
  /// Returns the total sum: in an area, or in the buffer range of the own vector.
  BufferRange finish();

 private:
  BufferRange own_;
  BufferRange above_;  // sum of the own vector and of those above
  std::optional<BufferRange> below_;
  VectorAreas& areas_;
  ScheduleWriter& writer_;
};

}  // namespace tombolo
