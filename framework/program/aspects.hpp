#pragma once

#include <vector>

#include <tombolo/framework/program/declaration.hpp>

namespace tombolo {

/// What a task touches of an array: all of it where that is held, the slices of the ranks, the rows next to these.
enum class Aspect { whole, slices, halo };

struct Touch {
  int array = 0;
  Aspect aspect = Aspect::whole;
  bool operator==(const Touch&) const = default;
};

/// What a task reads and what it writes.
struct Touches {
  std::vector<Touch> reads;
  std::vector<Touch> writes;
};
Touches touches(const Declaration& program, const DeclaredTask& task);

/// Whether the one that stands later has to wait for the other: one of them writes what the other touches.
bool conflict(const Touches& one, const Touches& other);

}  // namespace tombolo
