#include <algorithm>
#include <cmath>

#include <tombolo/platform/mpi/discovery/rate.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/sample.hpp>

namespace tombolo::discovery {

namespace {

// Beyond the size from which MPI libraries meet before they send (rendezvous), as that changes what is fixed.
constexpr Bytes small = 256 * 1024;
constexpr Bytes growth = 4;
// What the larger message takes longer must stand out from the noise of what is fixed.
constexpr double stands_out = 0.4;

}  // namespace

LargeMessage measure_large_message(Team& team, int partner) {
  Repetition repetition = team.repetition();
  const auto time_of = [&](Bytes bytes) {
    return median_of(team.probe.round_trips(partner, bytes, Probe::Reply::empty, repetition));
  };
  const Measured less = time_of(std::min(small, team.probe.largest()));
  Bytes bytes = std::min(small, team.probe.largest());
  Measured more = less;
  do {
    bytes = std::min(growth * bytes, team.probe.largest());
    more = time_of(bytes);
  } while (static_cast<double>(more.value - less.value) < stands_out * static_cast<double>(less.value) &&
           bytes < team.probe.largest() && machine::now() < team.until);
  const Picoseconds difference = std::max<Picoseconds>(more.value - less.value, 1);
  const double rate = static_cast<double>(bytes - small) / seconds(difference);
  const double error = rate * static_cast<double>(more.error + less.error) / static_cast<double>(difference);
  LargeMessage found;
  found.rate = {.value = std::max<std::int64_t>(std::llround(rate), 1), .error = std::llround(std::min(error, rate))};
  found.fixed = std::max<Picoseconds>(less.value - transfer_time(small, found.rate.value), 0);
  found.bytes = bytes;
  return found;
}

}  // namespace tombolo::discovery
