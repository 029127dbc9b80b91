#pragma once

#include <vector>

#include <tombolo/collectives/plan/schedule.hpp>
#include <tombolo/collectives/topology/detours.hpp>

namespace tombolo {

/// Largest scratch of a relay for what it forwards. Messages beyond go directly.
constexpr Bytes most_forwarded = Bytes{64} << 20;
/// The same in elements.
constexpr std::int64_t most_forwarded_elements(Bytes element_bytes) {
  return most_forwarded / (element_bytes > 0 ? element_bytes : 1);
}

/// Rewrites the schedules of all ranks so that messages between clusters take the ways of `detours`. Where a pair of
/// clusters exchanges many messages, each takes one way; few messages are cut into parts, one for each way, in
/// proportion to the weights. What is forwarded is cut into segments, which alternate between the two or more slots of
/// a relay's scratch, in turn for each sender and receiver. Messages of one sender to one receiver take turns among the
/// relays of a cluster; the segments of few messages take several relays. All other steps and their orders stay.
std::vector<Schedule> detoured(const std::vector<Schedule>& direct, const Detours& detours, Bytes element_bytes);

}  // namespace tombolo
