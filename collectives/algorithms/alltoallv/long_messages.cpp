#include <algorithm>

#include <tombolo/collectives/algorithms/alltoallv/long_messages.hpp>

namespace tombolo {

namespace {

// Part `which` of `parts` almost equal, consecutive parts.
std::span<const Rank> part(std::span<const Rank> ranks, int parts, int which) {
  const auto border = [&](int before) {
    return ranks.size() * static_cast<std::size_t>(before) / static_cast<std::size_t>(parts);
  };
  return ranks.subspan(border(which), border(which + 1) - border(which));
}

// The carrier of a part for a turn: a different rank in each turn, spread over the part as far as possible.
Rank backend(std::span<const Rank> part, const ClusterTurn& turn) {
  const auto now = static_cast<std::size_t>(turn.turn);
  const auto turns = static_cast<std::size_t>(turn.turns);
  return part[turns < part.size() ? now * part.size() / turns : now % part.size()];
}

}  // namespace

std::vector<LongMessage> long_messages(std::span<const Rank> from, std::span<const Rank> to, int carriers,
                                       const ClusterTurn& leaving, const ClusterTurn& arriving) {
  const int senders = std::min(carriers, static_cast<int>(from.size()));
  const int receivers = std::min(carriers, static_cast<int>(to.size()));
  const int messages = std::max(senders, receivers);
  std::vector<LongMessage> all;
  for (int message = 0; message < messages; ++message) {
    const int receiver = message % receivers;
    const std::span<const Rank> targets = part(to, receivers, receiver);
    // Number of messages to the same receiver.
    const int shares = (messages - receiver - 1) / receivers + 1;
    const int sender = senders < receivers ? (message + leaving.turn) % senders : message;
    all.push_back({.sender = backend(part(from, senders, sender), leaving),
                   .receiver = backend(targets, arriving),
                   .sources = part(from, shares, message / receivers),
                   .targets = targets});
  }
  return all;
}

}  // namespace tombolo
