#include <algorithm>

#include <tombolo/framework/mpi/program/array_memory.hpp>
#include <tombolo/framework/program/array_room.hpp>

namespace tombolo {

void ArrayMemory::hold(const Session& session, const Arrangement& arrangement, Rank member, Bytes room) {
  const HeldPart part = held_part(declared_, arrangement, member);
  whole_ = part.whole;
  elements_ = part.elements;
  phantom_ = session.phantom();
  const Bytes bytes = std::max((part.elements + 2 * part.halo) * declared_.element, room);
  storage_ = std::make_shared<Storage<std::byte>>(session.storage<std::byte>(bytes));
}

void ArrayMemory::share(const ArrayMemory& other, const Arrangement& arrangement, Rank member) {
  const HeldPart part = held_part(declared_, arrangement, member);
  whole_ = part.whole;
  elements_ = part.elements;
  phantom_ = other.phantom_;
  storage_ = other.storage_;
}

}  // namespace tombolo
