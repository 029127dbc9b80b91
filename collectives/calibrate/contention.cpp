#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/calibrate/contention.hpp>
#include <tombolo/models/fitting/least_squares.hpp>
#include <tombolo/platform/description/routes.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

using Gammas = std::array<double, link_kinds>;
constexpr std::size_t least_samples = 4;  // "at least four measurement points"

std::size_t bottleneck(const LoadedSample& sample, const Gammas& gamma) {
  std::size_t most = 0;
  const auto time = [&](std::size_t kind) { return gamma.at(kind) * static_cast<double>(sample.loads.at(kind)); };
  for (std::size_t kind = 1; kind < link_kinds; ++kind) {
    if (time(kind) > time(most)) most = kind;
  }
  return most;
}

struct Fit {
  Gammas gamma = {1, 1, 1};
  double delta = 0;
  std::optional<Bytes> threshold;
  int unknowns = 0;
};

// Returns the sum of squares of relative errors.
double squares_left(const Fit& fit, Picoseconds latency, std::span<const LoadedSample> samples) {
  double sum = 0;
  for (const LoadedSample& sample : samples) {
    const std::size_t kind = bottleneck(sample, fit.gamma);
    const double each =
        static_cast<double>(latency) + (fit.threshold && sample.bytes >= *fit.threshold ? fit.delta : 0);
    const double time = (sample.ranks - 1) * each + fit.gamma.at(kind) * static_cast<double>(sample.loads.at(kind));
    sum += std::pow(time / static_cast<double>(sample.time) - 1, 2);
  }
  return sum;
}

/// Fits gamma and delta for a given threshold. The bottleneck of a sample depends on gamma: starts with gamma 1 for all
/// kinds, and iterates until the bottlenecks no longer change.
std::optional<Fit> fit_with(Picoseconds latency, std::span<const LoadedSample> samples,
                            std::optional<Bytes> threshold) {
  std::optional<Fit> best;
  double least_left = std::numeric_limits<double>::infinity();
  Gammas gamma = {1, 1, 1};
  std::vector<std::size_t> held_up_by;
  constexpr int most_rounds = 20;
  for (int round = 0; round < most_rounds; ++round) {
    std::vector<std::size_t> now;
    for (const LoadedSample& sample : samples) now.push_back(bottleneck(sample, gamma));
    if (now == held_up_by) break;
    held_up_by = now;
    // Unknowns: gamma of each kind that is a bottleneck, and delta.
    const std::set<std::size_t> kinds(now.begin(), now.end());
    const std::vector<std::size_t> unknowns(kinds.begin(), kinds.end());
    std::vector<LinearEquation> equations;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const LoadedSample& sample = samples[i];
      LinearEquation equation;
      for (const std::size_t kind : unknowns) {
        equation.coefficients.push_back(kind == now[i] ? static_cast<double>(sample.loads.at(kind)) : 0);
      }
      if (threshold) equation.coefficients.push_back(sample.bytes >= *threshold ? sample.ranks - 1 : 0);
      equation.value = static_cast<double>(sample.time) - (sample.ranks - 1) * static_cast<double>(latency);
      equation.weight = 1 / static_cast<double>(sample.time);
      equations.push_back(std::move(equation));
    }
    const auto x = weighted_least_squares(equations);
    if (!x) break;
    for (std::size_t i = 0; i < unknowns.size(); ++i) gamma.at(unknowns[i]) = std::max((*x)[i], 0.0);
    const Fit now_fitted = {gamma, threshold ? x->back() : 0, threshold,
                            static_cast<int>(x->size()) + (threshold ? 1 : 0)};
    const double left = squares_left(now_fitted, latency, samples);
    if (left >= least_left) continue;
    least_left = left;
    best = now_fitted;
  }
  return best;
}

/// Schwarz's criterion: additional unknowns, delta and M, must explain more than chance would.
double criterion(const Fit& fit, Picoseconds latency, std::span<const LoadedSample> samples) {
  constexpr double rounding = 1e-12;  // squares of relative errors below this count as 0
  const auto n = static_cast<double>(samples.size());
  return n * std::log(squares_left(fit, latency, samples) / n + rounding) + fit.unknowns * std::log(n);
}

LinkContention best_fit(Picoseconds latency, std::span<const LoadedSample> samples) {
  std::vector<Bytes> sizes;
  for (const LoadedSample& sample : samples) {
    if (sample.ranks < 2 || sample.bytes < 0 || sample.time <= 0) {
      throw Error(fmt::format("a total exchange of {} B among {} ranks in {} ps is no sample of contention",
                              sample.bytes, sample.ranks, sample.time),
                  "time exchanges among two ranks or more");
    }
    sizes.push_back(sample.bytes);
  }
  std::ranges::sort(sizes);

  std::optional<Fit> best = fit_with(latency, samples, std::nullopt);
  if (!best) throw Error("the samples of total exchanges say nothing of contention", "time larger blocks");
  double least = criterion(*best, latency, samples);
  // A threshold above all samples but one would only fit that sample's error.
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
    if (i > 0 && sizes[i] == sizes[i - 1]) continue;
    const std::optional<Fit> fit = fit_with(latency, samples, sizes[i]);
    if (!fit || fit->delta <= 0) continue;
    const double now = criterion(*fit, latency, samples);
    if (now >= least) continue;
    least = now;
    best = fit;
  }
  LinkContention contention;
  contention.latency = latency;
  for (std::size_t kind = 0; kind < link_kinds; ++kind) {
    contention.gamma.at(kind) = std::llround(best->gamma.at(kind) * one_in_millionths);
  }
  contention.delta = std::llround(best->delta);
  contention.threshold = best->threshold.value_or(0);
  return contention;
}

constexpr auto remedy = "time total exchanges anew with tombolo models, or remove the section";

std::string gamma_member(std::size_t kind) {
  return fmt::format("{}_gamma_millionths", name(static_cast<LinkKind>(kind)));
}

ScopeContention read_one(const JsonNode& node) {
  ScopeContention contention;
  contention.scope = node.member("scope").text();
  const JsonNode ranks = node.member("ranks");
  contention.ranks = ranks.small_integer();
  if (contention.ranks < 2) ranks.refuse(fmt::format("is {}; an exchange takes two ranks and more", contention.ranks));
  contention.links.latency = node.member("latency_ps").natural();
  for (std::size_t kind = 0; kind < link_kinds; ++kind) {
    contention.links.gamma.at(kind) = node.member(gamma_member(kind)).natural();
  }
  contention.links.delta = node.member("delta_ps").natural();
  contention.links.threshold = node.member("threshold_bytes").natural();
  return contention;
}

Bytes mean_block(const Request& request) {
  const auto factors = request.exchange.factors();
  if (!factors || request.ranks < 1) return 0;
  const std::int64_t rows = factors->first.total() / request.ranks;
  return times(rows, factors->second.total() / request.ranks * request.element_bytes);
}

}  // namespace

ContentionSignature uncontended(const Platform& platform, std::span<const Rank> ranks) {
  const Routes routes(platform);
  const auto processor = [&](Rank rank) -> const Processor& {
    return platform.processors[static_cast<std::size_t>(rank)];
  };
  std::vector<std::int64_t> overheads;
  std::vector<std::int64_t> rates;
  for (std::size_t i = 0; i + 1 < ranks.size(); ++i) {
    overheads.push_back(processor(ranks[i]).send_overhead + processor(ranks[i + 1]).receive_overhead);
    if (routes.rate(ranks[i], ranks[i + 1]) > 0) rates.push_back(routes.rate(ranks[i], ranks[i + 1]));
  }
  return {.latency = median_of(overheads).value,
          .rate = std::max<BytesPerSecond>(rates.empty() ? 1 : median_of(rates).value, 1)};
}

ContentionSignature fit_contention(Picoseconds latency, BytesPerSecond rate, std::span<const AlltoallSample> samples) {
  std::set<Bytes> sizes;
  std::vector<LoadedSample> loaded;
  for (const AlltoallSample& sample : samples) {
    if (sample.ranks != samples.front().ranks) {
      throw Error(
          fmt::format("samples of total exchanges among {} and among {} ranks", samples.front().ranks, sample.ranks),
          "fit a contention signature to those of one number of ranks");
    }
    sizes.insert(sample.bytes);
    const Picoseconds load = times(sample.ranks - 1, transfer_time(sample.bytes, rate));
    loaded.push_back({sample.ranks, sample.bytes, {load, 0, 0}, sample.time});
  }
  if (sizes.size() < least_samples) {
    throw Error(fmt::format("samples of total exchanges of {} sizes", sizes.size()),
                fmt::format("a contention signature takes {} sizes or more", least_samples));
  }
  const LinkContention found = best_fit(latency, loaded);
  return {latency, rate, found.gamma.front(), found.delta, found.threshold};
}

Picoseconds contended_alltoall(const ContentionSignature& signature, int ranks, Bytes bytes) {
  const Picoseconds transfer = scaled(transfer_time(bytes, signature.rate), signature.gamma, one_in_millionths);
  const Picoseconds large = bytes >= signature.threshold ? signature.delta : 0;
  return times(ranks - 1, plus(plus(signature.latency, transfer), large));
}

Picoseconds contended_alltoall(const LinkContention& contention, int ranks, Bytes bytes, const LinkLoads& loads) {
  Picoseconds busiest = 0;
  for (std::size_t kind = 0; kind < link_kinds; ++kind) {
    busiest = std::max(busiest, scaled(loads.at(kind), contention.gamma.at(kind), one_in_millionths));
  }
  const Picoseconds large = bytes >= contention.threshold ? contention.delta : 0;
  return plus(times(ranks - 1, plus(contention.latency, large)), busiest);
}

LinkContention fit_link_contention(Picoseconds latency, std::span<const LoadedSample> samples) {
  if (samples.size() < least_samples) {
    throw Error(fmt::format("{} samples of total exchanges", samples.size()),
                fmt::format("contention takes {} or more", least_samples));
  }
  return best_fit(latency, samples);
}

void store_contention(Platform& platform, const std::vector<ScopeContention>& contention) {
  Json list = Json::array();
  for (const ScopeContention& one : contention) {
    Json& json = list.emplace_back(Json{{"scope", one.scope}, {"ranks", one.ranks}, {"latency_ps", one.links.latency}});
    for (std::size_t kind = 0; kind < link_kinds; ++kind) json[gamma_member(kind)] = one.links.gamma.at(kind);
    json["delta_ps"] = one.links.delta;
    json["threshold_bytes"] = one.links.threshold;
  }
  platform.sections[contention_section] = list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<ScopeContention> stored_contention(const Platform& platform) {
  const auto found = platform.sections.find(contention_section);
  if (found == platform.sections.end()) return {};
  const JsonDocument document =
      parse_json(found->second, fmt::format("the platform's section \"{}\"", contention_section), remedy);
  std::vector<ScopeContention> all;
  for (const JsonNode& node : JsonNode(document).list()) {
    ScopeContention one = read_one(node);
    if (contention_of(all, one.scope) != nullptr) node.refuse("is of the same scope as one before");
    all.push_back(std::move(one));
  }
  return all;
}

const LinkContention* contention_of(const std::vector<ScopeContention>& contention, const std::string& scope) {
  const auto found = std::ranges::find(contention, scope, &ScopeContention::scope);
  return found == contention.end() ? nullptr : &found->links;
}

AlltoallContention::AlltoallContention(const Platform& platform, std::vector<Rank> members,
                                       const LinkContention* measured)
    : platform_(&platform), members_(std::move(members)), measured_(measured) {
  std::vector<std::int64_t> overheads;
  for (const Rank member : members_) {
    const Processor& processor = platform.processors[static_cast<std::size_t>(member)];
    overheads.push_back(processor.send_overhead + processor.receive_overhead);
  }
  if (!overheads.empty()) overhead_ = median_of(overheads).value;
}

std::optional<LinkLoads> AlltoallContention::loads_of(const Request& request) const {
  const auto factors = request.exchange.factors();
  if (!factors) return std::nullopt;
  const auto links = shared_links(*platform_, members_, factors->first, factors->second);
  if (links.empty()) return std::nullopt;
  return loads(links, request.element_bytes);
}

std::optional<Picoseconds> AlltoallContention::direct(const Request& request, const Model& model) const {
  const auto busy = loads_of(request);
  if (!busy) return std::nullopt;
  const LinkContention none{.latency = overhead_};
  return plus(contended_alltoall(none, request.ranks, mean_block(request), *busy), model.longest_latency());
}

std::optional<Picoseconds> AlltoallContention::measured(const Request& request) const {
  if (measured_ == nullptr || request.ranks < 2) return std::nullopt;
  const auto busy = loads_of(request);
  if (!busy) return std::nullopt;
  return contended_alltoall(*measured_, request.ranks, mean_block(request), *busy);
}

}  // namespace tombolo
