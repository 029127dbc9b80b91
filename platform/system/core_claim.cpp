#include <algorithm>
#include <map>

#include <tombolo/platform/system/core_claim.hpp>

namespace tombolo {

namespace {

bool meet(const cpu_set_t& a, const cpu_set_t& b) {
  cpu_set_t common;
  CPU_AND(&common, &a, &b);
  return CPU_COUNT(&common) > 0;
}

}  // namespace

int ranks_sharing(std::span<const CoreClaim> on_host, std::size_t rank) {
  const CoreClaim& mine = on_host[rank];
  std::map<std::uint64_t, double> quotas;  // of the cgroups on this rank's hardware threads
  int near = 0;
  int in_group = 0;
  bool all_limited = true;
  for (const CoreClaim& other : on_host) {
    if (!meet(mine.threads, other.threads)) continue;
    ++near;
    in_group += other.quota_group == mine.quota_group ? 1 : 0;
    quotas[other.quota_group] = other.quota;
    all_limited = all_limited && other.quota > 0 && other.quota_group != 0;
  }
  double together = 0;
  for (const auto& [group, quota] : quotas) together += quota;
  // The tolerance covers rounding, since quotas in cores are fractions.
  const bool enough = all_limited && together <= mine.cores + 1e-6;
  return enough ? in_group : near;
}

}  // namespace tombolo
