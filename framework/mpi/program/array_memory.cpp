#include <algorithm>

#include <tombolo/framework/mpi/program/array_memory.hpp>

namespace tombolo {

namespace {

bool holds_all(const DeclaredArray& array, const Arrangement& arrangement, Rank member) {
  return array.everywhere || (array.root && arrangement.member(*array.root) == member);
}

std::int64_t rows_of(const DeclaredArray& array, const Arrangement& arrangement, Rank member) {
  if (holds_all(array, arrangement, member)) return array.shape.rows;
  return array.sliced() ? std::max(arrangement.division(array.slices).items_of(member), array.least) : 0;
}

std::int64_t halo_of(const DeclaredArray& array, const Arrangement& arrangement, Rank member) {
  return holds_all(array, arrangement, member) ? 0 : array.halo;
}

}  // namespace

double ArrayMemory::bytes(const DeclaredArray& array, const Arrangement& arrangement, Rank member) {
  const std::int64_t rows = rows_of(array, arrangement, member) + 2 * halo_of(array, arrangement, member);
  return static_cast<double>(rows) * static_cast<double>(array.shape.columns) * static_cast<double>(array.element);
}

void ArrayMemory::hold(const Session& session, const Arrangement& arrangement, Rank member) {
  whole_ = holds_all(declared_, arrangement, member);
  phantom_ = session.phantom();
  const std::int64_t rows = rows_of(declared_, arrangement, member);
  elements_ = rows * declared_.shape.columns;
  storage_ = session.storage<std::byte>((rows + 2 * halo_of(declared_, arrangement, member)) * row_bytes());
}

}  // namespace tombolo
