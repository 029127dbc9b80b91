#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "declared.hpp"

namespace tombolo::fuzz {

namespace {

template <AccessKind Kind, class T, std::size_t D>
class ViewOf : public Views::Any {
  using Opening = Access<Kind, T, D>;

 public:
  ViewOf(const ViewedMemory& memory, std::int64_t halo)
      : memory_(memory), halo_(halo), opened_(Opening::open(memory)) {}

  std::uint64_t get(std::int64_t row, std::int64_t column) override { return number_of<T>(element(row, column)); }
  void put(std::int64_t row, std::int64_t column, std::uint64_t value) override {
    if constexpr (Kind == AccessKind::writes || Kind == AccessKind::updates || Kind == AccessKind::combines) {
      element(row, column) = element_of<T>(value);
    } else {
      throw std::logic_error("a body writes what it only reads");
    }
  }
  void close(const ViewedMemory& memory) override { Opening::close(opened_, memory); }
  Slots::Rows rows() const override { return {memory_.first, memory_.first + memory_.count}; }

 private:
  auto& element(std::int64_t row, std::int64_t column) {
    if constexpr (D == 0) {
      return opened_;
    } else {
      const std::int64_t first = memory_.first - halo_;
      if (row < first || row >= memory_.first + memory_.count + halo_) {
        throw std::logic_error(fmt::format("row {} of a view of {} rows from {}", row, memory_.count, memory_.first));
      }
      std::array<std::int64_t, D> index{row};
      for (std::size_t d = D; d-- > 1; column /= opened_.extent(d)) index[d] = column % opened_.extent(d);
      return std::apply([&](auto... i) -> auto& { return opened_(i...); }, index);
    }
  }

  ViewedMemory memory_;
  std::int64_t halo_;
  typename Opening::Opened opened_;
};

template <class T, std::size_t D>
std::unique_ptr<Views::Any> view_of(AccessKind kind, const ViewedMemory& memory, std::int64_t halo) {
  switch (kind) {
    case AccessKind::reads:
      return std::make_unique<ViewOf<AccessKind::reads, T, D>>(memory, 0);
    case AccessKind::around:
      return std::make_unique<ViewOf<AccessKind::around, T, D>>(memory, halo);
    case AccessKind::whole:
      return std::make_unique<ViewOf<AccessKind::whole, T, D>>(memory, 0);
    case AccessKind::writes:
      return std::make_unique<ViewOf<AccessKind::writes, T, D>>(memory, 0);
    case AccessKind::updates:
      return std::make_unique<ViewOf<AccessKind::updates, T, D>>(memory, 0);
    default:
      return std::make_unique<ViewOf<AccessKind::combines, T, D>>(memory, 0);
  }
}

}  // namespace

Views::Views(const AbstractProgram& program, const std::vector<AbstractAccess>& accesses,
             std::span<const ViewedMemory> memory, Collectives* collectives)
    : program_(program), accesses_(accesses), memory_(memory), collectives_(collectives) {
  for (std::size_t slot = 0; slot < accesses.size(); ++slot) {
    with_type_and_dimensions(array(slot), [&](auto element, auto dimensions) {
      views_.push_back(
          view_of<decltype(element), decltype(dimensions)::value>(accesses[slot].kind, memory[slot], array(slot).halo));
    });
  }
}

Views::~Views() {
  for (std::size_t slot = 0; slot < views_.size(); ++slot) views_[slot]->close(memory_[slot]);
}

std::uint64_t Views::get(std::size_t slot, std::int64_t row, std::int64_t column) {
  return views_[slot]->get(row, column);
}

void Views::put(std::size_t slot, std::int64_t row, std::int64_t column, std::uint64_t value) {
  views_[slot]->put(row, column, fitted(array(slot).type, value));
}

void Views::combine(std::size_t slot, std::int64_t row, std::int64_t column, std::uint64_t value) {
  const AbstractArray& partial = array(slot);
  const std::uint64_t before = views_[slot]->get(row, column);
  views_[slot]->put(row, column, combined(partial.type, partial.op, before, fitted(partial.type, value)));
}

Slots::Rows Views::own(std::size_t slot) {
  const AbstractArray& of = array(slot);
  const bool copies = of.domain < 0 && of.everywhere;
  return copies && !first() ? Rows{} : written(slot);
}

Slots::Rows Views::written(std::size_t slot) {
  return array(slot).extents.empty() ? Rows{0, 1} : views_[slot]->rows();
}

std::uint64_t Views::sum(std::uint64_t mine) {
  std::uint64_t all = 0;
  collectives_->allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM);
  return all;
}

bool Views::first() {
  return collectives_->rank() == 0;
}

}  // namespace tombolo::fuzz
