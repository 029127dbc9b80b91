#include <algorithm>
#include <functional>
#include <limits>

#include <tombolo/models/network/flows.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
// Fixed-point scale of rates per weight.
constexpr std::int64_t fraction = std::int64_t{1} << 20;
constexpr Picoseconds alike = 256;
// A change of one flow among many hardly changes the rates of the others for a short time. With `many` flows the
// recomputation may wait for a fraction of the shortest flow's duration; with `few` or more flows per change the
// fraction grows up to all of it.
constexpr std::size_t many = 16;
constexpr std::size_t few = 64;
constexpr Picoseconds not_for_long = 8;

// Rates up to `fits` need no 128-bit division, which would dominate the run time.
constexpr BytesPerSecond fits = no_limit / Network::whole / fraction;

BytesPerSecond used(BytesPerSecond rate, int part) {
  if (part == Network::whole) return rate;
  if (rate <= fits) return rate * part / Network::whole;
  return static_cast<BytesPerSecond>(static_cast<Wide>(rate) * part / Network::whole);
}

// The level of a link: rate per unit of weight, for `room` divided over `weight`.
std::int64_t level(BytesPerSecond room, std::int64_t weight) {
  if (room <= fits) return room * Network::whole * fraction / weight;
  const Wide value = static_cast<Wide>(room) * Network::whole * fraction / weight;
  return static_cast<std::int64_t>(std::min<Wide>(value, no_limit));
}

BytesPerSecond rate_at(std::int64_t level, std::int64_t weight) {
  return static_cast<BytesPerSecond>(std::clamp<Wide>(static_cast<Wide>(level) * weight / fraction, 1, no_limit));
}

}  // namespace

Flows::Flows(const Network& network) : network_(network) {
  for (const BytesPerSecond rate : network.rates()) links_.push_back({.rate = rate, .flows = {}});
}

void Flows::start(int id, Rank from, Rank to, Flow flow, Picoseconds now) {
  now_ = std::max(now_, now);
  int place = static_cast<int>(flows_.size());
  if (free_.empty()) {
    flows_.emplace_back();
  } else {
    place = free_.back();
    free_.pop_back();
  }
  const BytesPerSecond most = flow.most > 0 ? flow.most : no_limit;
  Active& active = at(place);
  Network::Route route = std::move(active.route);
  std::vector<std::size_t> positions = std::move(active.positions);
  network_.find_route(from, to, route);
  positions.clear();
  active = {.id = id,
            .most = most,
            .own_level = most == no_limit ? no_limit : level(most, route.weight * Network::whole),
            .begin = now_};
  active.route = std::move(route);
  active.positions = std::move(positions);
  // Until the next share_out(): the fair share if all other flows were limited by the same link.
  std::int64_t share = active.own_level;
  for (const Network::Use& use : active.route.uses) {
    Link& used_link = link(use.link);
    used_link.flows.push_back({.place = place, .use = static_cast<int>(active.positions.size())});
    active.positions.push_back(used_link.flows.size() - 1);
    used_link.weight += active.route.weight * use.part;
    share = std::min(share, level(used_link.rate, used_link.weight));
  }
  active.rate = share == active.own_level ? most : std::min(rate_at(share, active.route.weight), most);
  active.end = plus(now_, transfer_time(flow.bytes, active.rate));
  if (first_end_) first_end_ = std::min(*first_end_, active.end);
  shortest_ = std::min(shortest_, active.end - now_);
  changed(active);
  const auto behind = std::upper_bound(under_way_.begin(), under_way_.end(), active.own_level,
                                       [&](std::int64_t value, int other) { return value < at(other).own_level; });
  under_way_.insert(behind, place);
}

void Flows::set_rate(Active& active, BytesPerSecond rate) {
  if (rate == active.rate) return;
  if (active.end == first_end_) first_end_.reset();
  const Wide left = static_cast<Wide>(active.end - now_) * active.rate;
  active.rate = rate;
  if (active.end < never)
    active.end = plus(now_, static_cast<Picoseconds>(std::min<Wide>((left + rate - 1) / rate, never)));
  if (first_end_) first_end_ = std::min(*first_end_, active.end);
}

Picoseconds Flows::next_end() {
  share_out_if_due();
  if (!first_end_) {
    first_end_ = never;
    for (const int place : under_way_) first_end_ = std::min(*first_end_, at(place).end);
  }
  return under_way_.empty() ? never : std::min(due_, *first_end_);
}

const std::vector<int>& Flows::end(Picoseconds now) {
  now_ = std::max(now_, now);
  share_out_if_due();
  ended_.clear();
  Picoseconds first_left = never;
  std::erase_if(under_way_, [&](int place) {
    const Active& active = at(place);
    if (active.end > plus(now, (now - active.begin) / alike)) {
      first_left = std::min(first_left, active.end);
      return false;
    }
    ended_.push_back(place);
    return true;
  });
  first_end_ = first_left;
  for (int& place : ended_) {
    leave_links(at(place));
    changed(at(place));
    free_.push_back(place);
    place = at(place).id;
  }
  std::ranges::sort(ended_);
  return ended_;
}

void Flows::leave_links(const Active& active) {
  for (std::size_t i = 0; i < active.route.uses.size(); ++i) {
    const Network::Use& use = active.route.uses[i];
    Link& left = link(use.link);
    left.weight -= active.route.weight * use.part;
    // The last flow fills the gap.
    User& here = left.flows[active.positions[i]];
    here = left.flows.back();
    at(here.place).positions[static_cast<std::size_t>(here.use)] = active.positions[i];
    left.flows.pop_back();
  }
}

void Flows::changed(const Active& active) {
  for (const Network::Use& use : active.route.uses) changed_.push_back(use.link);
  if (changed_.empty()) return;
  ++changes_;
  if (changes_ > under_way_.size() / many) {
    due_ = now_;
    return;
  }
  const std::size_t patience = std::clamp<std::size_t>(under_way_.size() / few / changes_, 1, not_for_long);
  due_ = std::min(due_, now_ + shortest_ / not_for_long * static_cast<Picoseconds>(patience));
}

void Flows::share_out_if_due() {
  if (due_ <= now_) share_out();
}

// Finds the links and flows connected to a change, directly or through shared links; after many changes, all of them.
void Flows::find_affected() {
  affected_.clear();
  if (changes_ > under_way_.size() / many) {
    changed_.clear();
    for (int index = 0; index < static_cast<int>(links_.size()); ++index) {
      if (!link(index).flows.empty()) affected_.push_back(index);
    }
    for (const int place : under_way_) at(place).open = true;
    return;
  }
  const auto reach = [&](int index) {
    Link& reached = link(index);
    if (reached.affected) return;
    reached.affected = true;
    affected_.push_back(index);
  };
  for (const int index : changed_) reach(index);
  changed_.clear();
  for (std::size_t i = 0; i < affected_.size(); ++i) {  // NOLINT(modernize-loop-convert): it grows meanwhile
    for (const User& user : link(affected_[i]).flows) {
      Active& active = at(user.place);
      if (active.open) continue;
      active.open = true;
      for (const Network::Use& use : active.route.uses) reach(use.link);
    }
  }
}

void Flows::fix(Active& active, BytesPerSecond rate) {
  active.open = false;
  set_rate(active, rate);
  for (const Network::Use& use : active.route.uses) {
    Link& used_link = link(use.link);
    used_link.room = std::max<BytesPerSecond>(used_link.room - used(rate, use.part), 0);
    used_link.open -= active.route.weight * use.part;
  }
}

// Progressive filling: all levels grow together until a flow has its maximum rate or a link is full. Fixing other flows
// can only raise a link's level, so the narrowest link's level is recomputed before use.
void Flows::share_out() {
  due_ = never;
  find_affected();
  changes_ = 0;
  narrow_.clear();
  for (const int index : affected_) {
    Link& here = link(index);
    here.room = here.rate;
    here.open = here.weight;
    here.affected = false;
    if (here.open > 0) narrow_.emplace_back(level(here.room, here.open), index);
  }
  std::make_heap(narrow_.begin(), narrow_.end(), std::greater<>());
  const auto narrowest = [&] {
    while (!narrow_.empty()) {
      const auto [before, index] = narrow_.front();
      const Link& here = link(index);
      const std::int64_t now = here.open > 0 ? level(here.room, here.open) : no_limit;
      if (here.open > 0 && now <= before) return index;
      std::pop_heap(narrow_.begin(), narrow_.end(), std::greater<>());
      if (here.open > 0) {
        narrow_.back().first = now;
        std::push_heap(narrow_.begin(), narrow_.end(), std::greater<>());
      } else {
        narrow_.pop_back();
      }
    }
    return -1;
  };
  for (const int next : under_way_) {
    while (at(next).open) {
      const int full = narrowest();
      const std::int64_t lowest = full < 0 ? no_limit : narrow_.front().first;
      if (at(next).own_level <= lowest) {
        fix(at(next), at(next).most);
        break;
      }
      for (const User& user : link(full).flows) {
        Active& active = at(user.place);
        if (active.open) fix(active, std::min(rate_at(lowest, active.route.weight), active.most));
      }
    }
  }
  shortest_ = never;
  for (const int place : under_way_) shortest_ = std::min(shortest_, at(place).end - at(place).begin);
}

Picoseconds Queues::start(Rank from, Rank to, Flow flow, Picoseconds now) {
  Picoseconds end = flow.most > 0 ? plus(now, transfer_time(flow.bytes, flow.most)) : now;
  network_.find_route(from, to, route_);
  for (const Network::Use& use : route_.uses) {
    const auto link = static_cast<std::size_t>(use.link);
    const Picoseconds takes = transfer_time(flow.bytes, network_.rates()[link]) / Network::whole * use.part;
    free_[link] = plus(std::max(free_[link], now), takes);
    end = std::max(end, free_[link]);
  }
  return end;
}

Picoseconds flow_time(const Network& network, Rank from, Rank to, Flow flow) {
  BytesPerSecond rate = flow.most > 0 ? flow.most : never;
  for (const Network::Use& use : network.route(from, to).uses) {
    const BytesPerSecond most = network.rates()[static_cast<std::size_t>(use.link)];
    // Both are below 2^63 / whole: rates of links in B/s.
    rate = std::min(rate, use.part == Network::whole ? most : most * Network::whole / use.part);
  }
  return transfer_time(flow.bytes, std::max<BytesPerSecond>(rate, 1));
}

}  // namespace tombolo
