#pragma once

#include <span>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <tombolo/models/fitting/per_byte.hpp>
#include <tombolo/models/pairs/pair_table.hpp>
#include <tombolo/platform/json/node.hpp>

namespace tombolo {

/// Cost of M bytes between two ranks: latency + M * per_megabyte.
struct LinkCost {
  Picoseconds latency = 0;
  PerMegabyte per_megabyte = 0;  ///< ps per 10^6 bytes
  bool operator==(const LinkCost&) const = default;
};

using LinkTable = PairTable<LinkCost>;

/// Builds a table from latencies, in ps, and slopes, in ps per byte, of sampled pairs, at least one of every class. A
/// sampled pair inside a cluster keeps its own values; all other pairs, including pairs between clusters, get the
/// medians of their class.
LinkTable link_table(const PairClasses& classes, std::span<const std::pair<Rank, Rank>> pairs,
                     std::span<const double> latencies, std::span<const double> slopes);

/// Returns {"inside": [{"latency": [...], "per_megabyte": [...]}, ...], "between": {...}}, in the order of PairTable.
/// `latency_inside` false omits the latencies inside clusters, for tables in which these are all 0.
nlohmann::ordered_json written_links(const LinkTable& links, bool latency_inside);

/// Reads the output of written_links() into a table of the platform. Throws Error for a different number of entries.
void read_links(const JsonNode& parameters, LinkTable& links, bool latency_inside);

/// Returns the list in `node`. Throws Error unless it has `count` entries: "has 3 entries, where the platform has 4
/// ranks".
std::vector<JsonNode> list_of(const JsonNode& node, std::size_t count, std::string_view what);

}  // namespace tombolo
