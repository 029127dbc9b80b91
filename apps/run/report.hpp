#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <tombolo/collectives/request/blocks.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/platform/description/processor.hpp>

#include "run/options.hpp"
#include "run/timeline.hpp"
#include "run/work.hpp"

namespace tombolo {

using Json = nlohmann::ordered_json;

/// What the run took place on.
struct Environment {
  std::vector<Processor> processors;  ///< of each rank
  std::string model;                  ///< of communication
  std::string source;                 ///< where what is known of links came from
  std::string mpi_library;
};

/// Local; throws as Session::planner().
Environment environment_of(const Session& session);

/// What became of checking the result. It may be neither verified nor wrong, where it cannot be judged.
struct Verdict {
  bool verified = false;
  bool wrong = false;
  std::string words;              ///< a line
  Json details = Json::object();  ///< the JSON member "verification"
};

/// Everything that is told of one run of an application. Lines end without '\n'.
struct Report {
  std::string what;  ///< the first line begins so, and goes on with how it ran
  Json input;        ///< the same for programs: the first members of the JSON object
  RunOptions options;
  std::optional<Rank> root;  ///< for applications that have one
  Environment platform;
  std::string shared = "rows";   ///< what is shared out: "columns", "blocks"
  std::string shared_out;        ///< how, where that was chosen: "speed on 12 of 16 ranks, 4 panels"
  std::string counted = "rows";  ///< of which each rank has
  Blocks rows;                   ///< so many
  Timeline timeline;
  Work work;
  bool phantom = false;  ///< the data was not held, so nothing can be verified
  Verdict verdict;
  std::vector<std::string> notes;    ///< what a reader of the times should know
  std::vector<std::string> remarks;  ///< the last lines
  Json more = Json::object();        ///< the last members
};

/// Of a run on phantom memory.
Verdict verdict_on_phantoms();

/// A note for each host whose ranks have to take turns.
std::vector<std::string> notes_on_crowding(const std::vector<Processor>& processors);

/// Tables for people, and one JSON object for programs.
std::string to_text(const Report& report);
std::string to_json(const Report& report);

}  // namespace tombolo
