#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "abstract_program.hpp"

namespace tombolo::fuzz {

/// Does a program as if nothing was distributed: every array has one value, which tasks read and write in their order.
class Interpreter {
 public:
  explicit Interpreter(const AbstractProgram& program);

  void fill(int array, std::uint64_t seed);
  void copy(int from, int to) { values_[index(to)] = values_[index(from)]; }
  /// Returns the passes of each loop.
  std::vector<std::int64_t> run();

  const std::vector<std::uint64_t>& values(int array) const { return values_[index(array)]; }

 private:
  friend class GlobalSlots;
  static std::size_t index(int array) { return static_cast<std::size_t>(array); }
  void run(const AbstractTask& task);
  std::uint64_t& element(int array, std::int64_t row, std::int64_t column);

  const AbstractProgram& program_;
  std::vector<std::vector<std::uint64_t>> values_;
  std::vector<std::optional<std::vector<std::uint64_t>>> parts_;  // of partial values, until they are reduced
};

}  // namespace tombolo::fuzz
