#include <algorithm>
#include <array>
#include <utility>

#include <tombolo/framework/mpi/program/body.hpp>
#include <tombolo/framework/mpi/program/check_mode.hpp>
#include <tombolo/framework/program/plan/array_room.hpp>

namespace tombolo {

void ArrayMemory::take_pages(Bytes bytes) {
  pages_ = std::make_shared<GuardedMemory>(bytes, GuardedMemory::Edge::begin);
  storage_ = std::make_shared<Storage<std::byte>>(
      bytes, std::span<std::byte>(pages_->data(), static_cast<std::size_t>(bytes)));
}

void ArrayMemory::hold_number(bool in_pages) {
  whole_ = true;
  elements_ = 1;
  if (in_pages) return take_pages(declared_.element);
  storage_ = std::make_shared<Storage<std::byte>>(declared_.element);
}

void ArrayMemory::hold(const Session& session, const Arrangement& arrangement, Rank member, Bytes room, bool in_pages) {
  const HeldPart part = held_part(declared_, arrangement, member);
  whole_ = part.whole;
  elements_ = part.elements;
  phantom_ = session.phantom();
  const Bytes bytes = std::max((part.elements + 2 * part.halo) * declared_.element, room);
  if (in_pages) return take_pages(bytes);
  storage_ = std::make_shared<Storage<std::byte>>(session.storage<std::byte>(bytes));
}

void ArrayMemory::share(const ArrayMemory& other, const Arrangement& arrangement, Rank member) {
  const HeldPart part = held_part(declared_, arrangement, member);
  whole_ = part.whole;
  elements_ = part.elements;
  phantom_ = other.phantom_;
  storage_ = other.storage_;
  pages_ = other.pages_;
}

void ArrayMemory::have_own(const Session& session) {
  if (storage_.use_count() < 2) return;
  if (pages_ != nullptr) return take_pages(storage_->size());
  storage_ = std::make_shared<Storage<std::byte>>(session.storage<std::byte>(storage_->size()));
}

BodyCaller::BodyCaller(const ProgramBody& body, const std::vector<DeclaredAccess>& accesses, int task, CheckMode* check)
    : body_(body),
      accesses_(accesses),
      task_(task),
      check_(check),
      memory_(accesses.size()),
      accumulators_(accesses.size()) {}

// Returns an accumulator that holds the identity.
ViewedMemory BodyCaller::accumulator(std::size_t access) {
  const int number = accesses_[access].array.number;
  const ArrayMemory& partial = body_.array(number);
  const std::int64_t rows = partial.declared().shape.rows;
  std::vector<std::byte>& room = accumulators_[access];
  room.resize(static_cast<std::size_t>(rows * partial.row_bytes()));
  body_.reduction(number).begin(room.data(), rows * partial.declared().shape.columns);
  return {room.data(), 0, rows, partial.inner()};
}

ViewedMemory BodyCaller::viewed(const DeclaredAccess& access, const Slice& slice) {
  const ArrayMemory& array = body_.array(access.array.number);
  if (access.kind == AccessKind::combines) return accumulator(static_cast<std::size_t>(&access - accesses_.data()));
  if (access.kind == AccessKind::whole) return {array.data(), 0, array.declared().shape.rows, array.inner()};
  if (array.declared().placed) {
    static constexpr std::array<std::int64_t, 3> one_column{1, 1, 1};
    return {array.data(), 0, array.elements(), std::span(one_column).first(array.inner().size())};
  }
  return {array.at(slice), slice.first, slice.count, array.inner()};
}

void BodyCaller::combine() {
  for (std::size_t i = 0; i < accesses_.size(); ++i) {
    if (accesses_[i].kind != AccessKind::combines) continue;
    ArrayMemory& partial = body_.array(accesses_[i].array.number);
    const std::int64_t elements = partial.declared().shape.rows * partial.declared().shape.columns;
    body_.reduction(accesses_[i].array.number).combine(partial.data(), accumulators_[i].data(), elements);
  }
}

void BodyCaller::call(const std::function<void(std::span<const ViewedMemory>)>& body) {
  check_->call(task_, accesses_, memory_, body);
}

void BodyCaller::call(const BoundBody<const Range&>& bound, const DeclaredDomain& domain, const Slice& slice,
                      std::int64_t part, std::int64_t parts) {
  const auto view = [&](const Slice& piece) {
    for (std::size_t i = 0; i < accesses_.size(); ++i) memory_[i] = viewed(accesses_[i], piece);
  };
  if (check_ == nullptr) {
    view(slice);
    bound.call(range_of(domain, slice).part(part, parts), memory_);
    return combine();
  }
  // Contributions are combined in the order of items, for any order of calls.
  std::vector<std::pair<std::int64_t, std::vector<std::vector<std::byte>>>> combined;
  parts = check_->parts(body_.task(task_));
  for (const Slice& piece : check_->pieces(body_.task(task_), slice)) {
    view(piece);
    call([&](std::span<const ViewedMemory> memory) {
      for (part = 0; part < parts; ++part) bound.call(range_of(domain, piece).part(part, parts), memory);
    });
    combined.emplace_back(piece.first, accumulators_);
  }
  std::sort(combined.begin(), combined.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [first, accumulators] : combined) {
    accumulators_ = std::move(accumulators);
    combine();
  }
}

void BodyCaller::call(const BoundBody<Collectives&>& bound, Collectives& collectives, const Arrangement& arrangement,
                      Rank member) {
  for (std::size_t i = 0; i < accesses_.size(); ++i) {
    const ArrayMemory& array = body_.array(accesses_[i].array.number);
    const DeclaredArray& declared = array.declared();
    Slice all{0, array.whole() ? declared.shape.rows : 0, 0};
    if (declared.sliced()) all = arrangement.division(declared.slices).slice(0, member);
    memory_[i] = viewed(accesses_[i], all);
  }
  if (check_ == nullptr) {
    bound.call(collectives, memory_);
  } else {
    call([&](std::span<const ViewedMemory> memory) { bound.call(collectives, memory); });
  }
  combine();
}

}  // namespace tombolo
