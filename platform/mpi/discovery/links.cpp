#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <tombolo/platform.hpp>
#include <tombolo/platform/description/link_ways.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/mpi/discovery/links.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

namespace {

constexpr int request_tag = 12;
constexpr int rate_tag = 13;

// From this number of flows, half the message size shows how the flows share a link.
constexpr std::size_t many_flows = 8;

// Returns the size of each of several messages such that they end in time even if their total rate is only that of one
// message: two runs in the time left, or one run of twice the time of one message if no time is left.
LargeMessage one_of_many(const LargeMessage& one, std::size_t flows, Picoseconds left) {
  LargeMessage each = one;
  if (flows >= many_flows) each.bytes /= 2;
  const BytesPerSecond rate = std::max<BytesPerSecond>(one.rate.value, 1);
  const Picoseconds time = std::max(left / 2, 2 * transfer_time(one.bytes, rate));
  const double bytes = seconds(time) * static_cast<double>(rate) / static_cast<double>(flows);
  each.bytes = std::min(each.bytes, std::max(least_of_flow, static_cast<Bytes>(bytes)));
  return each;
}

// Returns the bytes of each of several messages that a link carries together in the fixed part of the time of one.
Bytes bytes_under_way(const LargeMessage& one, const Flows& flows) {
  const double bytes = seconds(one.fixed) * static_cast<double>(one.rate.value);
  return static_cast<Bytes>(bytes / static_cast<double>(flows.size()));
}

// Lowers the expected rate if one of the two hosts is slower than the hosts of the single message.
void slow_down(LargeMessage& message, const std::pair<int, int>& flow, const std::vector<BytesPerSecond>& ports) {
  for (const int host : {flow.first, flow.second}) {
    const auto at = static_cast<std::size_t>(host);
    if (at < ports.size() && ports[at] > 0) message.rate.value = std::min(message.rate.value, ports[at]);
  }
}

// Corrects an uncertain total that is below the rate of one message: messages got lost while connections were new.
Measured at_least_one(Measured total, const Measured& one) {
  constexpr double certain = 0.1;
  if (total.value >= one.value || is_precise(total, certain)) return total;
  return {.value = one.value, .error = std::max(one.error, one.value - total.value)};
}

// Connections that were idle are slow at first.
constexpr int connection_tries = 3;

// Lets the partner measure the rate of a message the other way; of 0 bytes: not, and returns 0.
BytesPerSecond ask_back(Team& team, int partner, const LargeMessage& message) {
  const RateRequest request{.bytes = message.bytes, .fixed = message.fixed, .enough = message.rate.value / 5 * 4};
  team.send(partner, request, request_tag);
  if (request.bytes == 0) return 0;
  team.probe.answer(partner);
  BytesPerSecond rate = 0;
  team.receive(partner, rate, rate_tag);
  return rate;
}

void answer_back(Team& team, int partner) {
  RateRequest request;
  team.receive(partner, request, request_tag);
  if (request.bytes == 0) return;
  constexpr Bytes part = 8;  // it may be far slower this way
  request.bytes = std::min(request.bytes, std::max(request.bytes / part, least_of_flow));
  BytesPerSecond rate = 0;
  for (int tries = machine::simulated() ? 1 : connection_tries; tries > 0 && rate < request.enough; --tries)
    rate = std::max(rate, rate_of(request, team.probe.round_trip(partner, request.bytes)));
  for (int tries = machine::simulated() ? 1 : 2; tries > 0 && rate < request.enough; --tries)
    rate = std::max(rate, measure_large_message(team, partner).rate.value);
  team.probe.end(partner);
  team.send(partner, rate, rate_tag);
}

// Lowers the figures, which are of the first direction, if the other one is slower.
void lower_to_slower_way(LinkRates& link) {
  if (link.back >= link.there || !differ_by_way({link.there, link.back})) return;
  const double part = static_cast<double>(link.back) / static_cast<double>(link.there);
  for (Measured* figure : {&link.one.rate, &link.total}) {
    figure->value = static_cast<BytesPerSecond>(part * static_cast<double>(figure->value));
    figure->error = static_cast<BytesPerSecond>(part * static_cast<double>(figure->error));
  }
}

// Returns true if a message may be clearly faster than its link was found to be.
bool may_be_faster(Team& team, int partner, const LinkRates& link) {
  constexpr Bytes bytes = Bytes{128} * 1024;
  constexpr double clearly = 1.2;
  const auto said = static_cast<double>(transfer_time(bytes, std::max<BytesPerSecond>(link.there, 1)));
  const Picoseconds empty = team.probe.round_trip(partner, 0);
  for (int tries = machine::simulated() ? 1 : connection_tries; tries > 0; --tries) {
    const Picoseconds without_rendezvous = team.probe.round_trip(partner, bytes) - 2 * empty;
    if (static_cast<double>(without_rendezvous) * clearly < said) return true;
  }
  return false;
}

constexpr std::size_t figures_per_link = 10;

LinkRates read_link(const Figures& figures, std::size_t at) {
  return {.one = {.rate = {.value = figures[at + 1], .error = figures[at + 2]},
                  .fixed = figures[at + 3],
                  .bytes = figures[at + 4]},
          .total = {.value = figures[at + 5], .error = figures[at + 6]},
          .flows = static_cast<int>(figures[at + 7]),
          .there = figures[at + 8],
          .back = figures[at + 9]};
}

// Returns the hosts of a cluster for messages to cluster `other`, in the order in which they are used. Where one flow
// suffices, messages to different clusters have different hosts, so that they are measured at the same time; hosts with
// less than half the rate of the first are not used then.
std::vector<int> hosts_for(int other, const std::vector<int>& hosts, const LinkOptions& options) {
  if (!options.one_flow) return hosts;
  const auto port = [&](int host) {
    const auto at = static_cast<std::size_t>(host);
    return at < options.ports.size() ? options.ports[at] : 0;
  };
  std::vector<int> good;
  for (const int host : hosts) {
    if (2 * port(host) >= port(hosts.front())) good.push_back(host);
  }
  std::rotate(good.begin(), good.begin() + other % std::ssize(good), good.end());
  return good;
}

LinkRates turned_round(LinkRates link) {
  std::swap(link.there, link.back);
  return link;
}

// The measurement of the link between clusters of these hosts, by all of them. The first host of the side that sends
// leads.
class LinkMeasurement {
 public:
  // Sends from `here` to `there`, or the other way where the first host there can send to more hosts.
  LinkMeasurement(Team& team, const LinkOptions& options, std::vector<int> here, std::vector<int> there,
                  const std::optional<LinkRates>& rough)
      : team_(team), options_(options), here_(std::move(here)), there_(std::move(there)), rough_(rough) {
    const std::size_t one_way = beyond_pairs(here_, there_);
    const std::size_t other_way = beyond_pairs(there_, here_);
    turned_ = other_way > one_way;
    if (turned_) {
      std::swap(here_, there_);
      rough_ = turned_round(*rough_);
    }
    const std::size_t pairs = std::min({here_.size(), there_.size(), options.one_flow ? 1 : most_flows});
    for (std::size_t f = 0; f < pairs; ++f) flows_.emplace_back(here_[f], there_[f]);
    // A few fast hosts may fill a link to many slow ones.
    for (std::size_t f = 0; f < std::max(one_way, other_way); ++f) {
      flows_.emplace_back(here_.front(), there_[here_.size() + f]);
    }
  }

  // Returns the rates on the host that leads, unless it is late; nothing on the others.
  std::optional<LinkRates> run(bool late) {
    if (team_.rank == there_.front()) {
      team_.probe.answer(here_.front());
      answer_back(team_, here_.front());
    }
    const bool leads = team_.rank == here_.front();
    if (leads && !late) send_one_message();
    if (leads) ask_for_way_back();
    send_together();
    if (!leads || late) return {};
    lower_to_slower_way(link_);
    return turned_ ? turned_round(link_) : link_;
  }

 private:
  // Returns the number of further hosts there that the first host here can send to at the rate of one message.
  std::size_t beyond_pairs(const std::vector<int>& here, const std::vector<int>& there) const {
    const auto first = static_cast<std::size_t>(here.front());
    if (options_.one_flow || !rough_ || rough_->one.rate.value <= 0 || first >= options_.ports.size()) return 0;
    const std::size_t pairs = std::min(here.size(), most_flows);
    const std::size_t others = std::min(there.size(), most_flows) - std::min(there.size(), pairs);
    const BytesPerSecond messages = options_.ports[first] / rough_->one.rate.value;
    return std::min(others, static_cast<std::size_t>(std::max<BytesPerSecond>(messages - 1, 0)));
  }

  void send_one_message() {
    if (rough_) link_ = *rough_;
    const bool doubtful =
        options_.if_faster ? may_be_faster(team_, there_.front(), link_) : !again_is_costly(team_, link_.one);
    const bool again = !rough_ || (doubtful && (options_.if_faster || !team_.quick));
    if (again) {
      link_.one = measure_large_message(team_, there_.front());
      link_.there = link_.one.rate.value;
    } else {
      link_.one.rate.value = link_.there;
    }
    asks_back_ = again || differ_by_way({link_.there, link_.back});
    link_.flows = static_cast<int>(flows_.size());
    messages_.assign(flows_.size(), one_of_many(link_.one, flows_.size(), team_.until - machine::now()));
    for (std::size_t f = 0; f < flows_.size(); ++f) slow_down(messages_[f], flows_[f], options_.ports);
  }

  void ask_for_way_back() {
    team_.probe.end(there_.front());
    // What kept a message for a moment does not keep both looks at it.
    link_.back = std::max(link_.back, ask_back(team_, there_.front(), asks_back_ ? link_.one : LargeMessage{}));
  }

  void send_together() {
    link_.total = link_.one.rate;
    if (flows_.size() < 2) return;
    FlowOptions together;
    if (team_.quick) {
      // Messages that are over before the last has begun would not have met.
      for (LargeMessage& message : messages_) {
        message.bytes = std::max(message.bytes, bytes_under_way(link_.one, flows_));
      }
      together.lasting = long_enough(messages_, 2);
    }
    link_.total = at_least_one(measure_flows(team_, flows_, messages_, together), link_.one.rate);
    // Others can only delay.
    if (team_.quick && link_.total.value < link_.one.rate.value) link_.total = link_.one.rate;
  }

  Team& team_;
  const LinkOptions& options_;
  std::vector<int> here_;
  std::vector<int> there_;
  std::optional<LinkRates> rough_;
  bool turned_ = false;
  Flows flows_{};
  LinkRates link_{};
  bool asks_back_ = false;
  std::vector<LargeMessage> messages_{};  // of the flows, on the host that leads
};

}  // namespace

std::vector<LinkRates> measure_links(Team& team, const std::vector<std::vector<int>>& clusters,
                                     const std::vector<std::vector<std::pair<int, int>>>& rounds,
                                     const LinkOptions& options) {
  const int count = static_cast<int>(clusters.size());
  Figures found;
  FairShares shares(team, rounds.size());
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    // Clusters of one group may share a link, so a round begins after the end of the previous one; without such groups
    // there is no wait.
    if (options.apart && !in_time(team, shares.over())) break;
    shares.next();
    if (team.rank == 0) team.progress(fmt::format("{} of {} rounds", round + 1, rounds.size()));
    for (const auto& [a, b] : rounds[round]) {
      const std::size_t at = link_index(a, b, count);
      std::optional<LinkRates> rough;
      if (at < options.rough.size()) rough = options.rough[at];
      LinkMeasurement measurement(team, options, hosts_for(b, clusters[static_cast<std::size_t>(a)], options),
                                  hosts_for(a, clusters[static_cast<std::size_t>(b)], options), rough);
      const std::optional<LinkRates> link = measurement.run(shares.over());
      if (!link) continue;
      found.insert(found.end(),
                   {static_cast<std::int64_t>(at), link->one.rate.value, link->one.rate.error, link->one.fixed,
                    link->one.bytes, link->total.value, link->total.error, link->flows, link->there, link->back});
    }
  }
  const Figures all = everybodys(team, found);
  std::vector<LinkRates> links(clusters.size() * (clusters.size() - 1) / 2);
  for (std::size_t at = 0; at < all.size(); at += figures_per_link) {
    links[static_cast<std::size_t>(all[at])] = read_link(all, at);
  }
  return links;
}

bool is_filled_by_hosts(const LinkRates& link, BytesPerSecond slower, double bound) {
  return static_cast<double>(link.one.rate.value) * (1 + bound) >= static_cast<double>(slower);
}

}  // namespace tombolo::discovery
