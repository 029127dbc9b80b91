#pragma once

#include <optional>
#include <vector>

#include <tombolo/collectives/schedule_writer.hpp>

namespace tombolo {

/// Working memory for several vectors of one size, to be taken and given back. What a vector has to wait for when its
/// memory is used again, ScheduleWriter finds.
class VectorAreas {
 public:
  void add(const Piece& area) { free_.push_back(area); }
  /// For so many vectors of `count` elements in scratch.
  void add_scratch(std::int64_t vectors, std::int64_t count, ScheduleWriter& writer);

  /// The one longest free, but the output only where nothing else is.
  Piece take();
  /// The output where it is free.
  Piece take_output();
  void give_back(const Piece& area) { free_.push_back(area); }

 private:
  Piece taken(std::size_t index);
  std::vector<Piece> free_;
};

/// Combines a place's own vector with those of places that arrive in the order own + 1, own + 2, ... to the last, then
/// from 0 to own - 1, the order of an exchange in which no two send to the same place at a time. Operands keep the
/// order of places all the same: what comes from below is combined apart, and joined with the rest at the end. What
/// arrives must stand in areas; each is given back once it has been combined, the own vector is not.
class RotatedSum {
 public:
  RotatedSum(const Piece& own, VectorAreas& areas, ScheduleWriter& writer)
      : own_(own), above_(own), areas_(areas), writer_(writer) {}

  /// From a place above the own, or from any place where operands may be reordered.
  void add_above(const Piece& arrived);
  void add_below(const Piece& arrived);
  /// Where those from below stand, combined, until finish().
  const std::optional<Piece>& below() const { return below_; }
  /// Where all of them together stand: in an area, or in place of the own vector.
  Piece finish();

 private:
  Piece own_;
  Piece above_;  // the own vector and those above it
  std::optional<Piece> below_;
  VectorAreas& areas_;
  ScheduleWriter& writer_;
};

}  // namespace tombolo
