#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tombolo/collectives/request/operation.hpp>
#include <tombolo/units.hpp>

namespace tombolo::interpose {

/// Why a call passes through to the native library.
enum class Reason {
  none,             ///< it was planned
  one_host,         ///< all ranks of the communicator are on one host
  no_platform,      ///< there is no platform to plan for
  communicator,     ///< one rank, an intercommunicator, ranks of another job, too many
  types,            ///< a datatype for each rank
  not_blocking,     ///< it has to progress inside other calls
  persistent,       ///< likewise; the calls that make requests are counted
  arguments,        ///< the native library says what is wrong with them
  empty,            ///< no data
  first_calls,      ///< planning is not worth its time yet
  native_faster,    ///< as measured
  native_asked_for  ///< TOMBOLO_REDUCTIONS=native; turns of TOMBOLO_COMPARE=1
};
constexpr std::size_t reasons = 12;
std::string_view describe(Reason reason);

/// The calls of one operation with like sizes on one communicator.
struct CallRow {
  Operation operation = Operation::barrier;
  Bytes bytes = 0;  ///< of the largest call; regular_bytes(), all of this rank if not all ranks know them
  std::int64_t planned = 0;
  double planned_seconds = 0;  ///< on the communicator's rank 0
  double native_seconds = 0;   ///< of calls that passed through
  std::int64_t passed[reasons] = {};
  std::string how{};            ///< the plan
  double compared_planned = 0;  ///< medians by measured turns, the longest of all ranks; 0: not compared
  double compared_native = 0;
};

/// The calls of one communicator.
struct CommunicatorReport {
  std::string name;
  int ranks = 1;
  int other_ranks = 0;  ///< of an intercommunicator: ranks of the other group
  std::vector<CallRow> rows;
};

/// Adds the report of a communicator to those of others. From the 100th on they are put together by numbers of ranks,
/// as programs may make and free communicators without end.
void add(CommunicatorReport report, std::vector<CommunicatorReport>& reports);

/// Texts for people and for programs.
std::string to_text(const std::vector<CommunicatorReport>& reports, std::string_view platform);
std::string to_json(const std::vector<CommunicatorReport>& reports, std::string_view platform);
/// Parses the communicators of to_json().
std::vector<CommunicatorReport> reports_from_json(std::string_view json);

}  // namespace tombolo::interpose
