#pragma once

#include <tombolo/collectives/schedule_writer.hpp>

namespace tombolo {

/// A rank's scratch by offsets: it grows to what is used of it. Nothing else may take scratch of the same writer
/// meanwhile.
class ScratchRoom {
 public:
  explicit ScratchRoom(ScheduleWriter& writer) : writer_(writer) {}

  Piece at(std::int64_t offset, std::int64_t count) {
    if (count > 0 && offset + count > size_) {
      writer_.scratch(offset + count - size_);
      size_ = offset + count;
    }
    return {Buffer::scratch, offset, count};
  }

 private:
  ScheduleWriter& writer_;
  std::int64_t size_ = 0;
};

}  // namespace tombolo
