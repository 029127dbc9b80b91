#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <tombolo/framework/program/arrangement.hpp>

namespace tombolo {

/// One task of a program: expected and measured. In seconds, of all passes together.
struct TaskReport {
  std::string name;
  std::string what;  ///< "scatterv", "compute"
  std::string how;   ///< the plan, or the kernel
  std::string loop;  ///< in which it is; empty: in none
  double predicted_s = 0;
  double bound_s = 0;
  double seconds = 0;  ///< that it added, on the slowest rank
};

/// One rank of a program.
struct MemberReport {
  Rank rank = 0;  ///< of the session
  std::string host;
  std::vector<std::int64_t> items;  ///< of each slices
  double predicted_s = 0;           ///< of computing
  double computing_s = 0;
  double operations = 0;
  std::vector<double> seconds;  ///< in each task, waiting included
};

struct LoopReport {
  std::string name;
  std::int64_t most = 0;
  std::int64_t passes = 0;   ///< that were done, or are reckoned with
  std::int64_t changes = 0;  ///< of shares
};

/// What a program is expected to take, and what it took. The same on all ranks.
struct RunReport {
  std::string name;
  std::string collectives;  ///< "tombolo", "native"
  std::string how;          ///< shares, members, panels
  bool overlaps = false;
  bool ran = false;
  int ranks = 0;  ///< of the session
  std::vector<std::string> slices;
  std::vector<TaskReport> tasks;
  std::vector<LoopReport> loops;
  std::vector<MemberReport> members;
  double seconds = 0;
  double predicted_s = 0;
  double bound_s = 0;

  /// (predicted - measured) / measured
  double error() const { return seconds > 0 ? predicted_s / seconds - 1 : 0; }
};

/// Tables for people.
std::string to_text(const RunReport& report);
nlohmann::ordered_json to_json(const RunReport& report);
/// What to_json() has made.
RunReport run_report_from_json(const nlohmann::ordered_json& json);

}  // namespace tombolo
