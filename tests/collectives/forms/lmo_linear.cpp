#include "collectives/forms/lmo_linear.hpp"

#include <algorithm>

namespace tombolo::forms {

namespace {

// e_i(M).
Picoseconds time_of(const LmoLinear::Other& other, Bytes bytes) {
  return plus(plus(other.delay, other.latency), time_for(bytes, other.per_byte + other.wire));
}

}  // namespace

Picoseconds LmoLinear::root(Bytes bytes) const {
  return times(std::ssize(others), plus(root_delay, time_for(bytes, root_per_byte)));
}

Picoseconds LmoLinear::slowest(Bytes bytes) const {
  Picoseconds most = 0;
  for (const Other& other : others) most = std::max(most, time_of(other, bytes));
  return most;
}

Picoseconds LmoLinear::all(Bytes bytes) const {
  Picoseconds sum = 0;
  for (const Other& other : others) sum = plus(sum, time_of(other, bytes));
  return sum;
}

Picoseconds LmoLinear::scatter(Bytes bytes) const {
  return plus(root(bytes), bytes <= serial_scatter ? slowest(bytes) : all(bytes));
}

std::optional<Picoseconds> LmoLinear::gather(Bytes bytes) const {
  if (bytes < small_gather) return plus(root(bytes), slowest(bytes)) + time_for(bytes, slope_small);
  if (bytes > large_gather) return plus(root(bytes), all(bytes)) + time_for(bytes, slope_large);
  return std::nullopt;
}

PerMegabyte LmoLinear::kappa_small(PerMegabyte measured_slope) const {
  PerMegabyte most = 0;
  for (const Other& other : others) most = std::max(most, other.per_byte + other.wire);
  return measured_slope - std::ssize(others) * root_per_byte - most;
}

PerMegabyte LmoLinear::kappa_large(PerMegabyte measured_slope) const {
  PerMegabyte sum = 0;
  for (const Other& other : others) sum += other.per_byte + other.wire;
  return measured_slope - std::ssize(others) * root_per_byte - sum;
}

}  // namespace tombolo::forms
