#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <tombolo/framework/program/declare/arrangement.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/shares.hpp>

namespace tombolo {

/// Returns the report as JSON.
Json to_json(const RunReport& report);
/// Reads the JSON of to_json().
RunReport run_report_from_json(const Json& json);

/// Arrangement that one rank has chosen for all, with the predicted report, for a broadcast.
struct Chosen {
  Arrangement arrangement;
  RunReport expected;
  std::vector<std::string> plans = {};  ///< by task: of its collective (Planner::plan_text()); empty without
};

std::string to_json(const Chosen& chosen);
Chosen chosen_from_json(const std::string& text);

}  // namespace tombolo
