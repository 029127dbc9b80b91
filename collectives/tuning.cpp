#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/regular.hpp>
#include <tombolo/collectives/tuning.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/stable_hash.hpp>

namespace tombolo {

namespace {

__extension__ using Wide = __int128;

auto subject(const Decision& d) {
  return std::tie(d.operation, d.root, d.bytes);
}

bool before(const Decision& a, const Decision& b) {
  return subject(a) < subject(b);
}

bool within_reach(Bytes tuned, Bytes wanted) {
  const auto [less, more] = std::minmax(tuned, wanted);
  return Wide{more} <= Wide{less} * Tuning::reach;  // nothing but 0 is near 0
}

// Whether a is nearer to what is wanted than b, by ratio.
bool nearer(Bytes a, Bytes b, Bytes wanted) {
  const auto [less_a, more_a] = std::minmax(a, wanted);
  const auto [less_b, more_b] = std::minmax(b, wanted);
  return Wide{more_a} * less_b < Wide{more_b} * less_a;
}

bool takes(const Request& request, const std::string& algorithm) {
  const std::vector<const Algorithm*> all = algorithms_for(request);
  return std::any_of(all.begin(), all.end(), [&](const Algorithm* each) { return each->name == algorithm; });
}

}  // namespace

Plan Decision::plan(const Request& request) const {
  return {request, find_algorithm(request.operation, algorithm), parameters};
}

Tuning::Tuning(std::span<const std::string> hosts_by_rank)
    : Tuning(static_cast<int>(hosts_by_rank.size()), hosts_hash(hosts_by_rank)) {}

bool Tuning::keep(Decision decision) {
  decision.plan(regular_request(decision.operation, ranks_, decision.root, decision.bytes));  // throws
  const auto at = std::lower_bound(decisions_.begin(), decisions_.end(), decision, before);
  if (at == decisions_.end() || before(decision, *at)) {
    decisions_.insert(at, std::move(decision));
    return true;
  }
  if (at->measured && !decision.measured) return false;
  *at = std::move(decision);
  return true;
}

const Decision* Tuning::find(const Request& request) const {
  if (request.ranks != ranks_ || !is_regular(request)) return nullptr;
  const Bytes wanted = regular_bytes(request);
  const Decision* found = nullptr;
  for (const Decision& each : decisions_) {
    if (each.operation != request.operation || each.root != request.root || !within_reach(each.bytes, wanted)) continue;
    if (found != nullptr && !nearer(each.bytes, found->bytes, wanted)) continue;
    if (takes(request, each.algorithm)) found = &each;
  }
  return found;
}

void Tuning::check_fits(std::span<const std::string> hosts_by_rank, const std::string& name) const {
  constexpr auto remedy = "make one here by tombolo tune, or leave out --tuning and TOMBOLO_TUNING";
  if (ranks_ != static_cast<int>(hosts_by_rank.size())) {
    throw Error(fmt::format("{} was tuned for {} ranks, and here are {}", name, ranks_, hosts_by_rank.size()), remedy);
  }
  const std::string here = hosts_hash(hosts_by_rank);
  if (hosts_ == here) return;
  throw Error(fmt::format("{} was tuned for other hosts or another order of ranks: \"hosts\" is {}, and here it is {}",
                          name, hosts_, here),
              remedy);
}

}  // namespace tombolo
