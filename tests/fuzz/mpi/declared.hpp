#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <tombolo/program.hpp>

#include "abstract_program.hpp"

namespace tombolo::fuzz {

/// An abstract program as the framework's, on the ranks of a session.
class Declared {
 public:
  /// Throws what Program does.
  Declared(Session& session, const AbstractProgram& abstract);

  Program& program() { return program_; }
  Domain domain(int number) const { return domains_[static_cast<std::size_t>(number)]; }
  AnyArray array(int number) const { return arrays_[static_cast<std::size_t>(number)]; }
  Rank root(const AbstractArray& array) const { return array.root % ranks_; }
  /// Of the loops that have tasks: the number that they have in the abstract program.
  const std::vector<int>& loops() const { return loops_; }

 private:
  Distributed distributed(const AbstractArray& array) const;
  AnyArray declare(const AbstractArray& array);
  void declare(const AbstractTask& task);
  void declare_work(const AbstractTask& task);
  LoopRule rule(const AbstractLoop& loop) const;

  const AbstractProgram& abstract_;
  int ranks_;
  Program program_;
  std::vector<Domain> domains_;
  std::vector<AnyArray> arrays_;
  std::vector<int> loops_;
};

/// Whether the framework accepts it.
bool accepted(Session& session, const AbstractProgram& abstract);

/// Calls what(T{}) with the type of elements.
template <class What>
auto with_type(Type type, const What& what) {
  if (type == Type::u64) return what(std::uint64_t{});
  if (type == Type::u32) return what(std::uint32_t{});
  return what(double{});
}
/// what(T{}, D) with a constant number of dimensions too.
template <class What>
auto with_type_and_dimensions(const AbstractArray& array, const What& what) {
  return with_type(array.type, [&](auto element) {
    switch (array.extents.size()) {
      case 0:
        return what(element, std::integral_constant<std::size_t, 0>());
      case 1:
        return what(element, std::integral_constant<std::size_t, 1>());
      case 2:
        return what(element, std::integral_constant<std::size_t, 2>());
      case 3:
        return what(element, std::integral_constant<std::size_t, 3>());
      default:
        return what(element, std::integral_constant<std::size_t, 4>());
    }
  });
}

template <class T>
std::uint64_t number_of(T element) {
  if constexpr (std::is_floating_point_v<T>) return from_double(element);
  return static_cast<std::uint64_t>(element);
}
template <class T>
T element_of(std::uint64_t number) {
  if constexpr (std::is_floating_point_v<T>) return as_double(number);
  return static_cast<T>(number);
}

/// The views of one call of a body.
class Views : public Slots {
 public:
  Views(const AbstractProgram& program, const std::vector<AbstractAccess>& accesses,
        std::span<const ViewedMemory> memory, Collectives* collectives);
  ~Views() override;  ///< closes them
  Views(const Views&) = delete;
  Views& operator=(const Views&) = delete;

  std::uint64_t get(std::size_t slot, std::int64_t row, std::int64_t column) override;
  void put(std::size_t slot, std::int64_t row, std::int64_t column, std::uint64_t value) override;
  void combine(std::size_t slot, std::int64_t row, std::int64_t column, std::uint64_t value) override;
  Rows own(std::size_t slot) override;
  Rows written(std::size_t slot) override;
  std::uint64_t sum(std::uint64_t mine) override;
  bool first() override;

  /// One view, whatever its type.
  class Any {
   public:
    Any() = default;
    virtual ~Any() = default;
    Any(const Any&) = delete;
    Any& operator=(const Any&) = delete;
    virtual std::uint64_t get(std::int64_t row, std::int64_t column) = 0;
    virtual void put(std::int64_t row, std::int64_t column, std::uint64_t value) = 0;
    virtual void close(const ViewedMemory& memory) = 0;
    virtual Rows rows() const = 0;
  };

 private:
  const AbstractArray& array(std::size_t slot) const { return program_.array(accesses_[slot].array); }

  const AbstractProgram& program_;
  const std::vector<AbstractAccess>& accesses_;
  std::span<const ViewedMemory> memory_;
  Collectives* collectives_;
  std::vector<std::unique_ptr<Any>> views_;
};

}  // namespace tombolo::fuzz
