#include <algorithm>
#include <cmath>

#include <tombolo/platform/mpi/discovery/rate.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

namespace {

// Above the rendezvous threshold of MPI libraries, since a rendezvous changes the fixed time.
constexpr Bytes small = Bytes{128} * 1024;
constexpr Bytes growth = 4;
// The additional time of the larger message must exceed this part of the fixed time, and its noise must be below this
// part of the difference.
constexpr double stands_out = 0.05;
constexpr double noise_of_rate = 0.05;

}  // namespace

LargeMessage measure_large_message(Team& team, int partner) {
  const Repetition repetition = team.repetition();
  const auto time_of = [&](Bytes bytes) { return team.probe.round_trips(partner, bytes, repetition); };
  const Measured less = time_of(small);
  LargeMessage found{.rate = {}, .fixed = 0, .bytes = small};
  bool clear = false;
  while (!clear && found.bytes < team.probe.largest()) {
    found.bytes = std::min(growth * found.bytes, team.probe.largest());
    const Measured more = time_of(found.bytes);
    const auto difference = static_cast<double>(more.value - less.value);
    const auto noise = static_cast<double>(more.error + less.error);
    // If the noise hides the transfer time, only an upper bound is known: the transfer ended before the reply came.
    const bool hidden = difference <= noise;
    const double time = hidden ? static_cast<double>(std::max<Picoseconds>(more.value, 1)) : difference;
    const double rate = static_cast<double>(hidden ? found.bytes : found.bytes - small) / time * picoseconds_per_second;
    found.rate = {.value = std::max<std::int64_t>(std::llround(rate), 1),
                  .error = std::llround(rate * (hidden ? 1 : noise / difference))};
    // The next size takes `growth` times as long, at least `least` times.
    const auto next_takes = static_cast<Picoseconds>(repetition.least) * growth * more.value;
    clear = (difference > stands_out * static_cast<double>(less.value) && noise < noise_of_rate * difference) ||
            machine::now() + next_takes > team.until;
  }
  found.fixed = std::max<Picoseconds>(less.value - transfer_time(small, found.rate.value), 0);
  return found;
}

}  // namespace tombolo::discovery
