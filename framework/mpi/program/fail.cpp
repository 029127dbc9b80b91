#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include <tombolo/framework/mpi/program/fail.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/posix_file.hpp>

namespace tombolo {

void fail(Session& session, const std::string& program, const std::string& words) {
  // Where all ranks fail, the first one ends the others before they have said the same.
  constexpr Picoseconds step = 20'000'000'000;
  constexpr int most_steps = 50;
  const auto rank = static_cast<std::size_t>(session.rank());
  machine::sleep(step * std::min(session.rank(), most_steps));
  fmt::print(stderr, "tombolo: {}, rank {} on {}: {}\n", program, rank, session.processors()[rank].host,
             printable(words));
  std::fflush(stderr);
  machine::abort(1);
}

}  // namespace tombolo
