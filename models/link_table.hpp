#pragma once

#include <span>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <tombolo/models/pair_table.hpp>
#include <tombolo/models/per_byte.hpp>
#include <tombolo/platform/json/node.hpp>

namespace tombolo {

/// What M bytes take between two ranks: latency + M * per_megabyte.
struct LinkCost {
  Picoseconds latency = 0;
  PerMegabyte per_megabyte = 0;  ///< ps per 10^6 bytes
  bool operator==(const LinkCost&) const = default;
};

using LinkTable = PairTable<LinkCost>;

/// Latencies, in ps, and slopes, in ps per byte, of some pairs, at least one of every class: those inside clusters as
/// they are, and for all others, between clusters too, the medians of their class.
LinkTable link_table(const PairClasses& classes, std::span<const std::pair<Rank, Rank>> pairs,
                     std::span<const double> latencies, std::span<const double> slopes);

/// {"inside": [{"latency": [...], "per_megabyte": [...]}, ...], "between": {...}}, in the order of PairTable; inside
/// clusters without latencies if these are all 0.
nlohmann::ordered_json written_links(const LinkTable& links, bool latency_inside);

/// Reads these into a table of the platform. Throws Error where there are more or fewer.
void read_links(const JsonNode& parameters, LinkTable& links, bool latency_inside);

/// The list that a node is. Throws Error unless it has so many entries: "has 3 entries, where the platform has 4
/// ranks".
std::vector<JsonNode> list_of(const JsonNode& node, std::size_t count, std::string_view what);

}  // namespace tombolo
