#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/collectives/plan.hpp>

namespace tombolo {

class JsonNode;

/// How a plan goes about its request, as JSON text: the name of the algorithm and those parameters that are not the
/// algorithm's own.
///
///     {"algorithm":"chain","segment_bytes":8192,"window":4}
std::string to_json(const Plan& plan);

/// The members that such a value may have, for what holds others beside them.
constexpr std::array<std::string_view, 9> plan_members = {
    "algorithm", "segment_bytes", "window", "window_per_rank", "radix", "delay", "order", "rates", "trees"};

/// The plan for a request that such a value describes. Throws Error for a value that describes none.
Plan plan_from_json(const Request& request, const JsonNode& node);

/// A list of them, as a text of its own; `name` is where it comes from.
std::string to_json(const std::vector<Plan>& plans);
std::vector<Plan> plans_from_json(const Request& request, std::string_view text, const std::string& name);

}  // namespace tombolo
