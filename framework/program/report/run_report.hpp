#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <tombolo/framework/program/declare/arrangement.hpp>

namespace tombolo {

/// Predicted and measured times of a task. Seconds, of all passes.
struct TaskReport {
  std::string name;
  std::string what;  ///< "scatterv", "compute"
  std::string how;   ///< plan or kernel
  std::string loop;  ///< loop of the task; empty: none
  double predicted_s = 0;
  double bound_s = 0;
  double seconds = 0;  ///< added by the task on the slowest rank
};

/// Predicted and measured times of a member.
struct MemberReport {
  Rank rank = 0;  ///< of the session
  std::string host;
  std::vector<std::int64_t> items;  ///< of each domain
  double predicted_s = 0;           ///< of computation
  double computing_s = 0;
  double operations = 0;
  std::vector<double> seconds;  ///< in each task, waiting included
};

struct LoopReport {
  std::string name;
  std::int64_t most = 0;
  std::int64_t passes = 0;   ///< measured, or expected
  std::int64_t changes = 0;  ///< changes of shares
};

/// Predicted and measured times of a program. The same on all ranks.
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
  std::vector<std::string> notes;   ///< lines of text on the sources of speeds
  std::vector<std::string> belied;  ///< kernels whose earlier measured speeds the run contradicts
  double seconds = 0;
  double predicted_s = 0;
  double bound_s = 0;

  /// (predicted - measured) / measured
  double error() const { return seconds > 0 ? predicted_s / seconds - 1 : 0; }
};

/// Returns tables as text.
std::string to_text(const RunReport& report);
nlohmann::ordered_json to_json(const RunReport& report);
/// Reads the JSON of to_json().
RunReport run_report_from_json(const nlohmann::ordered_json& json);

/// Arrangement that one rank has chosen for all, with the predicted report, for a broadcast.
struct Chosen {
  Arrangement arrangement;
  RunReport expected;
};

std::string to_json(const Chosen& chosen);
Chosen chosen_from_json(const std::string& text);

}  // namespace tombolo
