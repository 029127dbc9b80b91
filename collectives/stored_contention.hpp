#pragma once

#include <string>
#include <vector>

#include <tombolo/collectives/contention.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// The section of a platform file in which contention signatures stand.
constexpr const char* contention_section = "contention";

/// What was fitted to direct total exchanges among ranks of a scope (scopes.hpp).
struct ScopeContention {
  std::string scope;
  int ranks = 0;  ///< the most among which exchanges were timed
  LinkContention links;
  bool operator==(const ScopeContention&) const = default;
};

/// Puts them into the platform as its section "contention".
void store_contention(Platform& platform, const std::vector<ScopeContention>& contention);

/// Those of the platform; none where it has no such section. Throws Error for a section that is not right.
std::vector<ScopeContention> stored_contention(const Platform& platform);

/// That of a scope; null where it has none.
const LinkContention* contention_of(const std::vector<ScopeContention>& contention, const std::string& scope);

}  // namespace tombolo
