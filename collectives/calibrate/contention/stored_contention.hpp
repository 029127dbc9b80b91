#pragma once

#include <string>
#include <vector>

#include <tombolo/collectives/calibrate/contention/contention.hpp>
#include <tombolo/platform/description/platform.hpp>

namespace tombolo {

/// The section of a platform file with the contention signatures.
constexpr const char* contention_section = "contention";

/// The contention fitted to direct alltoalls among ranks of a scope (scopes.hpp).
struct ScopeContention {
  std::string scope;
  int ranks = 0;  ///< the largest number of ranks of a timed alltoall
  LinkContention links;
  bool operator==(const ScopeContention&) const = default;
};

/// Stores contention signatures in the platform, as its section "contention".
void store_contention(Platform& platform, const std::vector<ScopeContention>& contention);

/// Reads the contention signatures of a platform; empty without such a section. Throws Error for an invalid section.
std::vector<ScopeContention> stored_contention(const Platform& platform);

/// Returns the contention of a scope, null if there is none.
const LinkContention* contention_of(const std::vector<ScopeContention>& contention, const std::string& scope);

}  // namespace tombolo
