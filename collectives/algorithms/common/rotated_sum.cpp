#include <algorithm>

#include <tombolo/collectives/algorithms/common/rotated_sum.hpp>

namespace tombolo {

namespace {

bool is_output(const BufferRange& area) {
  return area.buffer == Buffer::output;
}

}  // namespace

void VectorAreas::add_scratch(std::int64_t vectors, std::int64_t count, ScheduleWriter& writer) {
  for (std::int64_t i = 0; i < vectors; ++i) add({Buffer::scratch, writer.scratch(count), count});
}

BufferRange VectorAreas::taken(std::size_t index) {
  const BufferRange area = free_.at(index);
  free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(index));
  return area;
}

BufferRange VectorAreas::take() {
  const auto found = std::ranges::find_if_not(free_, is_output);
  return taken(found == free_.end() ? 0 : static_cast<std::size_t>(found - free_.begin()));
}

BufferRange VectorAreas::take_output() {
  const auto found = std::ranges::find_if(free_, is_output);
  return found == free_.end() ? take() : taken(static_cast<std::size_t>(found - free_.begin()));
}

void RotatedSum::add_above(const BufferRange& arrived) {
  writer_.reduce({above_}, {arrived});
  if (above_ != own_) areas_.give_back(above_);
  above_ = arrived;
}

void RotatedSum::add_below(const BufferRange& arrived) {
  if (below_) {
    writer_.reduce({*below_}, {arrived});
    areas_.give_back(*below_);
  }
  below_ = arrived;
}

BufferRange RotatedSum::finish() {
  if (!below_) return above_;
  if (above_.buffer == Buffer::input) {  // the input is read-only
    above_ = areas_.take_output();
    writer_.copy({own_}, {above_});
  }
  writer_.reduce({*below_}, {above_});
  areas_.give_back(*below_);
  return above_;
}

}  // namespace tombolo
