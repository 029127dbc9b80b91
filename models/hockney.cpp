#include <algorithm>

#include <fmt/format.h>

#include <tombolo/models/hockney.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo {

Hockney::Hockney(Parameters parameters) : parameters_(parameters) {
  if (parameters.latency < 0) {
    throw Error(fmt::format("a latency of {} s", seconds(parameters.latency)), "a latency is 0 or more");
  }
  if (parameters.longest_latency < 0) {
    throw Error(fmt::format("a longest latency of {} s", seconds(parameters.longest_latency)),
                "a latency is 0 or more");
  }
  if (parameters.rate <= 0 || parameters.memory_rate <= 0) {
    throw Error(fmt::format("a rate of {} B/s and a memory rate of {} B/s", parameters.rate, parameters.memory_rate),
                "rates are positive");
  }
}

Picoseconds Hockney::time(Bytes bytes) const {
  return plus(parameters_.latency, transfer_time(bytes, parameters_.rate));
}

std::string Hockney::describe() const {
  return fmt::format("Hockney: {} + bytes / {:.4g} GB/s", readable(parameters_.latency),
                     static_cast<double>(parameters_.rate) * 1e-9);
}

MessageCost Hockney::message(Rank, Rank, Bytes bytes) const {
  const Picoseconds busy = time(bytes);
  return {.send = busy, .receive = busy};
}

Picoseconds Hockney::longest_latency() const {
  return std::max(parameters_.latency, parameters_.longest_latency);
}

Picoseconds Hockney::local(Bytes bytes) const {
  return transfer_time(bytes, parameters_.memory_rate);
}

}  // namespace tombolo
