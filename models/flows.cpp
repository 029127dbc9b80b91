#include <algorithm>
#include <limits>

#include <tombolo/models/flows.hpp>

namespace tombolo {

namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t units_per_byte = 1024;
constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
// Rates per weight have a fraction of so much.
constexpr std::int64_t fraction = std::int64_t{1} << 20;
constexpr Picoseconds alike = 256;

BytesPerSecond used(BytesPerSecond rate, int part) {
  return static_cast<BytesPerSecond>(static_cast<Wide>(rate) * part / Network::whole);
}

// What one unit of weight gets of so much room.
std::int64_t level(BytesPerSecond room, std::int64_t weight) {
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
  advance(now);
  Network::Route route = network_.route(from, to);
  int place = static_cast<int>(flows_.size());
  if (free_.empty()) {
    flows_.emplace_back();
    marked_.push_back(0);
  } else {
    place = free_.back();
    free_.pop_back();
  }
  for (const Network::Use& use : route.uses) {
    links_[static_cast<std::size_t>(use.link)].flows.push_back(place);
    changed_.push_back(use.link);
  }
  Active& active = flows_[static_cast<std::size_t>(place)];
  active = {.id = id,
            .left = flow.bytes * units_per_byte,
            .most = flow.most > 0 ? flow.most : no_limit,
            .weight = route.weight,
            .begin = now,
            .uses = std::move(route.uses)};
  if (active.uses.empty()) active.rate = active.most;
  under_way_.push_back(place);
}

Picoseconds Flows::end_of(const Active& flow) const {
  const Wide time =
      (static_cast<Wide>(flow.left) * picoseconds_per_second + static_cast<Wide>(flow.rate) * units_per_byte - 1) /
      (static_cast<Wide>(flow.rate) * units_per_byte);
  return plus(now_, static_cast<Picoseconds>(std::min<Wide>(time, never)));
}

Picoseconds Flows::next_end() {
  share_out();
  Picoseconds next = never;
  for (const int place : under_way_) next = std::min(next, end_of(flows_[static_cast<std::size_t>(place)]));
  return next;
}

std::vector<int> Flows::end(Picoseconds now) {
  share_out();
  std::vector<int> ended;
  for (const int place : under_way_) {
    const Active& flow = flows_[static_cast<std::size_t>(place)];
    if (end_of(flow) <= plus(now, (now - flow.begin) / alike)) ended.push_back(place);
  }
  advance(now);
  for (int& place : ended) {
    remove(place);
    place = flows_[static_cast<std::size_t>(place)].id;
  }
  std::sort(ended.begin(), ended.end());
  return ended;
}

void Flows::remove(int place) {
  for (const Network::Use& use : flows_[static_cast<std::size_t>(place)].uses) {
    std::erase(links_[static_cast<std::size_t>(use.link)].flows, place);
    changed_.push_back(use.link);
  }
  std::erase(under_way_, place);
  free_.push_back(place);
}

void Flows::advance(Picoseconds now) {
  if (now <= now_) return;
  share_out();
  for (const int place : under_way_) {
    Active& flow = flows_[static_cast<std::size_t>(place)];
    const Wide moved = static_cast<Wide>(flow.rate) * units_per_byte * (now - now_) / picoseconds_per_second;
    flow.left -= static_cast<std::int64_t>(std::min<Wide>(moved, flow.left));
  }
  now_ = now;
}

// Everything that shares a link with what has changed, directly or through others.
std::vector<int> Flows::affected_flows() {
  std::vector<int> found;
  affected_.clear();
  const auto reach = [&](int link) {
    Link& reached = links_[static_cast<std::size_t>(link)];
    if (reached.affected) return;
    reached.affected = true;
    affected_.push_back(link);
  };
  for (const int link : changed_) reach(link);
  changed_.clear();
  for (std::size_t i = 0; i < affected_.size(); ++i) {
    for (const int place : links_[static_cast<std::size_t>(affected_[i])].flows) {
      if (marked_[static_cast<std::size_t>(place)] != 0) continue;
      marked_[static_cast<std::size_t>(place)] = 1;
      found.push_back(place);
      for (const Network::Use& use : flows_[static_cast<std::size_t>(place)].uses) reach(use.link);
    }
  }
  return found;
}

void Flows::fix(int place, BytesPerSecond rate) {
  Active& flow = flows_[static_cast<std::size_t>(place)];
  flow.rate = rate;
  marked_[static_cast<std::size_t>(place)] = 0;
  for (const Network::Use& use : flow.uses) {
    Link& link = links_[static_cast<std::size_t>(use.link)];
    link.room = std::max<BytesPerSecond>(link.room - used(rate, use.part), 0);
    link.weight -= flow.weight * use.part;
  }
}

void Flows::share_out() {
  if (changed_.empty()) return;
  std::vector<int> flows = affected_flows();
  for (const int l : affected_) {
    Link& link = links_[static_cast<std::size_t>(l)];
    link.room = link.rate;
    link.weight = 0;
  }
  const auto flow = [&](int place) -> const Active& { return flows_[static_cast<std::size_t>(place)]; };
  const auto own_level = [&](int place) {
    return flow(place).most == no_limit ? no_limit : level(flow(place).most, flow(place).weight * Network::whole);
  };
  std::vector<std::pair<std::int64_t, int>> limited;  // by the level at which a flow has what it can take
  for (const int place : flows) {
    for (const Network::Use& use : flow(place).uses) {
      links_[static_cast<std::size_t>(use.link)].weight += flow(place).weight * use.part;
    }
    limited.emplace_back(own_level(place), place);
  }
  std::sort(limited.begin(), limited.end());
  std::vector<int> open;  // links that still have flows without a rate
  for (const int l : affected_) {
    if (!links_[static_cast<std::size_t>(l)].flows.empty()) open.push_back(l);
  }
  for (std::size_t next = 0; next < limited.size();) {
    if (marked_[static_cast<std::size_t>(limited[next].second)] == 0) {
      ++next;
      continue;
    }
    std::int64_t lowest = no_limit;
    int narrowest = -1;
    std::erase_if(open, [&](int l) {
      const Link& link = links_[static_cast<std::size_t>(l)];
      if (link.weight <= 0) return true;
      const std::int64_t here = level(link.room, link.weight);
      if (here < lowest) {
        lowest = here;
        narrowest = l;
      }
      return false;
    });
    if (limited[next].first <= lowest) {
      const int place = limited[next++].second;
      fix(place, flow(place).most);
      continue;
    }
    for (const int place : links_[static_cast<std::size_t>(narrowest)].flows) {
      if (marked_[static_cast<std::size_t>(place)] != 0)
        fix(place, std::min(rate_at(lowest, flow(place).weight), flow(place).most));
    }
  }
  for (const int l : affected_) links_[static_cast<std::size_t>(l)].affected = false;
}

}  // namespace tombolo
