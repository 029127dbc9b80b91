#pragma once

#include <nlohmann/json_fwd.hpp>

namespace tombolo {

/// A value of JSON to be written: members stay in the order in which they were set. Who sets them includes
/// <nlohmann/json.hpp> as well. JsonNode (node.hpp) reads.
using Json = nlohmann::ordered_json;

}  // namespace tombolo
