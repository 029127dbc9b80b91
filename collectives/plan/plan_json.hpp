#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tombolo/collectives/plan/plan.hpp>

namespace tombolo {

class JsonNode;

/// A plan without its request as JSON text: the name of the algorithm and the parameters that differ from the default.
///
///     {"algorithm":"chain","segment_bytes":8192,"window":4}
std::string to_json(const Plan& plan);

/// Members of a JSON plan, for objects that hold other members too.
std::vector<std::string_view> plan_members();

/// The plan for `request` that a JSON object describes. Throws Error for an invalid one.
Plan plan_from_json(const Request& request, const JsonNode& node);

/// A list of plans as a JSON document; `name` is its source, for error messages.
std::string to_json(const std::vector<Plan>& plans);
std::vector<Plan> plans_from_json(const Request& request, std::string_view text, const std::string& name);

}  // namespace tombolo
