#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/collectives/calibrate/scopes.hpp>
#include <tombolo/collectives/calibrate/thresholds.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/models/kinds/lmo/lmo.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// The section of a platform file with the thresholds.
constexpr const char* thresholds_section = "thresholds";

/// The thresholds of linear scatters and gathers among the ranks of a scope (scopes.hpp).
struct Thresholds {
  std::string scope;
  int ranks = 0;
  std::optional<Bytes> scatter = {};            ///< S
  std::optional<SizeTime> above_scatter = {};   ///< the next size that was measured; unknown in older files
  std::optional<GatherThresholds> gather = {};  ///< M_1, M_2 and slopes
  std::optional<GatherSlopes> kappas = {};      ///< only with an LMO model to compare with
  Picoseconds escalation = 0;  ///< mean excess time of gathers between M_1 and M_2 (gather outliers); 0: none
  bool operator==(const Thresholds&) const = default;
};

/// Stores thresholds in the platform, as its section "thresholds".
void store_thresholds(Platform& platform, const std::vector<Thresholds>& thresholds);

/// Reads the thresholds of a platform; empty without such a section. Throws Error for an invalid section.
std::vector<Thresholds> stored_thresholds(const Platform& platform);

/// Returns the thresholds of a scope, null if there are none.
const Thresholds* thresholds_of(const std::vector<Thresholds>& thresholds, const std::string& scope);

/// The throttle by which a gather avoids outliers.
struct Throttle {
  int window = 0;              ///< the blocks in flight at a time
  Picoseconds escalation = 0;  ///< mean excess time without the throttle
};

/// Returns the throttle of a gather with a mean block above M_1 and at most M_2, if outliers were found there. A total
/// of M_1 times the number of measured ranks may be in flight; the window takes half of that, as M_1 is only the
/// largest size seen to be safe, and at least one block. No throttle for gathers whose ranks may all send at once by
/// the same measure.
std::optional<Throttle> throttle_for(const Thresholds& thresholds, const Request& request);

/// Returns kappa_1 and kappa_2 (gather_corrections()) by an LMO model, plain or extended; `scopes` are the platform's.
/// The first rank of a scope is the root. Nothing without gather thresholds, or of a scope that is not among them.
std::optional<GatherSlopes> kappas_by(const Lmo::Parameters& lmo, const Thresholds& thresholds,
                                      const std::vector<Scope>& scopes);

/// Sets the unknown kappa_1 and kappa_2 of scopes with gather thresholds, kappas_by() the platform's plain LMO model.
/// Without measurements.
void add_kappas(std::vector<Thresholds>& thresholds, const Platform& platform);

}  // namespace tombolo
