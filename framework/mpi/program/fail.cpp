#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include <tombolo/framework/mpi/program/fail.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/posix_file.hpp>

namespace tombolo {

void fail(Session& session, const std::string& program, const std::string& words) {
  constexpr Picoseconds ms = 1'000'000'000;
  constexpr Picoseconds reaching_mpiexec = 100 * ms;  // which may forget what it has not read when a rank ends
  // Where all ranks fail, the first one ends the others before they have said the same.
  constexpr Picoseconds step = 150 * ms;
  constexpr int most_steps = 20;
  const auto rank = static_cast<std::size_t>(session.rank());
  machine::sleep(step * std::min(session.rank(), most_steps));
  fmt::print(stderr, "tombolo: {}, rank {} on {}: {}\n", program, rank, session.processors()[rank].host,
             printable(words));
  std::fflush(stderr);
  machine::sleep(reaching_mpiexec);
  if (!machine::simulated()) ::close(STDERR_FILENO);  // MPI would add that it was asked to end the run
  machine::abort(1);
}

}  // namespace tombolo
