#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <tombolo/framework/mpi/session/same_call.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/stable_hash.hpp>
#include <tombolo/platform/system/attempt.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

void check_same_call(MPI_Comm communicator, const std::string& call) {
  agree_on_call(communicator, [&] { return call; });
}

void agree_on_call(MPI_Comm communicator, const std::function<std::string()>& work) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::string call;
  const std::string failure = attempt([&] { call = work(); });
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  StableHash hash;
  hash.add_text(call);
  const auto mine = static_cast<std::int64_t>(hash.value());
  // The lowest rank that failed, the minimum and, by the complement, the maximum in one reduction.
  std::array<std::int64_t, 3> least{failure.empty() ? none : rank, mine, ~mine};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, least.data(), 3, MPI_INT64_T, MPI_MIN, communicator), "MPI_Allreduce");
  if (least[0] != none) throw AgreedError(text_from(communicator, static_cast<int>(least[0]), failure));
  if (least[1] == ~least[2]) return;
  const std::string first = text_from(communicator, 0, call);
  const int other = lowest_rank(communicator, call != first).value();  // some rank's hash differs from another's
  throw Error(fmt::format("rank {} {} where rank 0 {}", other, text_from(communicator, other, call), first),
              "make collective calls on all ranks, in the same order");
}

namespace {

// Terminator of each argument; arguments contain no zero byte.
constexpr char behind_each = '\0';

std::string joined(int argc, const char* const* argv) {
  std::string text;
  for (int i = 1; i < argc; ++i) text.append(argv[i]).push_back(behind_each);
  return text;
}

// Returns the argument of `text` at offset `place`, the first difference from another command line.
std::string argument_at(std::string_view text, std::size_t place) {
  if (place >= text.size()) return "nothing more";
  const std::size_t before = place == 0 ? std::string_view::npos : text.rfind(behind_each, place - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return quoted(text.substr(begin, text.find(behind_each, place) - begin));
}

}  // namespace

void check_same_arguments(MPI_Comm communicator, int argc, const char* const* argv) {
  const std::string mine = joined(argc, argv);
  const std::string first = text_from(communicator, 0, mine);
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  agree(communicator, [&] {
    if (mine == first) return;
    const auto place = static_cast<std::size_t>(std::ranges::mismatch(mine, first).in1 - mine.begin());
    throw Error(fmt::format("rank {} was started with other arguments than rank 0: {} instead of {}", rank,
                            argument_at(mine, place), argument_at(first, place)),
                "give all ranks the same command line");
  });
}

}  // namespace tombolo
