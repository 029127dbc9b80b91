#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/collectives/request.hpp>
#include <tombolo/collectives/thresholds.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// The section of a platform file in which thresholds stand.
constexpr const char* thresholds_section = "thresholds";

/// What was found in the times of linear scatters and gathers among the ranks of a scope (scopes.hpp).
struct Thresholds {
  std::string scope;
  int ranks = 0;
  std::optional<Bytes> scatter = {};            ///< S
  std::optional<GatherThresholds> gather = {};  ///< M_1, M_2 and slopes
  std::optional<GatherSlopes> kappas = {};      ///< where there was an LMO model to compare with
  Picoseconds escalation = 0;  ///< what gathers between M_1 and M_2 take on average beyond what they should; 0: none
  bool operator==(const Thresholds&) const = default;
};

/// Puts them into the platform as its section "thresholds".
void store_thresholds(Platform& platform, const std::vector<Thresholds>& thresholds);

/// Those of the platform; none where it has no such section. Throws Error for a section that is not right.
std::vector<Thresholds> stored_thresholds(const Platform& platform);

/// Those of a scope; null where it has none.
const Thresholds* thresholds_of(const std::vector<Thresholds>& thresholds, const std::string& scope);

/// How a gather avoids to escalate.
struct Throttle {
  int window = 0;              ///< so many blocks on their way at a time do not
  Picoseconds escalation = 0;  ///< what it takes on average if it does not avoid it
};

/// For gathers whose average block is above M_1 and at most M_2, where these escalate. As many ranks as were measured
/// may send M_1 each; the window takes half of that, as M_1 is a bound on what was seen to be safe, and at least one.
/// None for gathers among so few ranks that all of them may send at once by the same measure.
std::optional<Throttle> throttle_for(const Thresholds& thresholds, const Request& request);

}  // namespace tombolo
