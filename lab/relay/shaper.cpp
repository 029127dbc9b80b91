#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include <tombolo/lab/relay/shaper.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

// What one link may hold; more is dropped as if its queue were full. 1 Gbit/s over half a second.
constexpr std::size_t most_bytes_under_way = 64UL * 1024 * 1024;

}  // namespace

Shaper::Shaper(const RelaySettings& settings) : line_at_(settings.sites.size() * settings.sites.size(), -1) {
  for (const RelaySite& site : settings.sites) {
    sites_.push_back({site.gateway, {}, {}, FrameQueue(most_bytes_under_way)});
    sites_.back().up.set(site.up);
    sites_.back().down.set(site.down);
  }
  for (const RelayLink& link : settings.links) {
    line_at_[static_cast<std::size_t>(link.from) * sites_.size() + static_cast<std::size_t>(link.to)] =
        static_cast<int>(lines_.size());
    lines_.push_back({link.from, link.to, {}, {}, 0, FrameQueue(most_bytes_under_way), {}});
    set(link);
  }
  for (const RelayHost& host : settings.hosts) hosts_.emplace(host.address, host);
  turns_.reserve(lines_.size() + sites_.size());
}

Shaper::Line* Shaper::line(int from, int to) {
  const int found = line_at_[static_cast<std::size_t>(from) * sites_.size() + static_cast<std::size_t>(to)];
  return found < 0 ? nullptr : &lines_[static_cast<std::size_t>(found)];
}

void Shaper::set(const RelayLink& link) {
  Line* const changed = line(link.from, link.to);
  if (changed == nullptr) {
    throw Error(fmt::format("there is no link from site {} to site {}", link.from, link.to),
                "name two sites between which the settings have one");
  }
  changed->shape = link.shape;
  changed->pace.set(link.shape.rate);
}

Nanoseconds Shaper::least_delay() const {
  Nanoseconds least = lines_.empty() ? 0 : lines_.front().shape.delay;
  for (const Line& line : lines_) least = std::min(least, line.shape.delay);
  return least;
}

FrameQueue& Shaper::queue(std::size_t index) {
  return index < lines_.size() ? lines_[index].frames : sites_[index - lines_.size()].arriving;
}

void Shaper::add_turn(std::size_t index) {
  turns_.emplace_back(queue(index).front().due, index);
  std::ranges::push_heap(turns_, std::greater());
}

/// Forgets the first frame of the queue whose turn it is.
void Shaper::finish_turn() {
  const std::size_t index = turns_.front().second;
  std::ranges::pop_heap(turns_, std::greater());
  turns_.pop_back();
  queue(index).pop();
  if (!queue(index).empty()) add_turn(index);
}

void Shaper::accept(int site, std::span<std::uint8_t> frame, Nanoseconds now) {
  Site& from = sites_[static_cast<std::size_t>(site)];
  const auto address = destination_of(frame);
  const auto host = address && card_of(frame) == from.gateway ? hosts_.find(*address) : hosts_.end();
  Line* const on = host == hosts_.end() ? nullptr : line(site, host->second.site);
  if (on == nullptr) {
    ++unknown_;
    return;
  }
  // What a site shares lies between it and other sites, not between its own hosts.
  Pace unlimited;
  Pace& up = on->from == on->to ? unlimited : from.up;
  const Nanoseconds leaves = up.begin(now);
  const Nanoseconds left = up.end(leaves, frame.size());
  const Nanoseconds begins = on->pace.begin(left);
  const Nanoseconds waits = (leaves - now) + (begins - left);
  const Nanoseconds ends = on->pace.end(begins, frame.size());
  const Nanoseconds due = std::max(ends + on->shape.delay, on->last_due);
  readdress(frame, sites_[static_cast<std::size_t>(on->to)].gateway, host->second.card);
  const bool first = on->frames.empty();
  if (waits > on->shape.most_wait || !on->frames.push(due, 0, frame)) {
    ++on->counts.dropped;
    return;
  }
  up.take(leaves, frame.size());
  on->pace.take(begins, frame.size());
  on->last_due = due;
  if (first) add_turn(static_cast<std::size_t>(on - lines_.data()));
}

/// The first frame of a line has come to a site whose hosts share what arrives: it waits for its turn there.
void Shaper::arrive(std::size_t index) {
  Line& on = lines_[index];
  Site& to = sites_[static_cast<std::size_t>(on.to)];
  const FrameQueue::Frame frame = on.frames.front();
  const Nanoseconds begins = to.down.begin(frame.due);
  const bool first = to.arriving.empty();
  const bool kept =
      begins - frame.due <= on.shape.most_wait &&
      to.arriving.push(to.down.end(begins, frame.bytes.size()), static_cast<std::uint32_t>(index), frame.bytes);
  if (kept) {
    to.down.take(begins, frame.bytes.size());
  } else {
    ++on.counts.dropped;
  }
  finish_turn();
  if (kept && first) add_turn(lines_.size() + static_cast<std::size_t>(on.to));
}

std::optional<Shaper::Arrival> Shaper::arrival(Nanoseconds until) {
  while (!turns_.empty() && turns_.front().first <= until) {
    const std::size_t index = turns_.front().second;
    const bool at_line = index < lines_.size();
    if (at_line && lines_[index].from != lines_[index].to &&
        sites_[static_cast<std::size_t>(lines_[index].to)].down.limited()) {
      arrive(index);
      continue;
    }
    const FrameQueue::Frame frame = queue(index).front();
    return Arrival{at_line ? lines_[index].to : static_cast<int>(index - lines_.size()), frame.bytes, frame.due};
  }
  return std::nullopt;
}

void Shaper::handed_over(Nanoseconds now) {
  const std::size_t index = turns_.front().second;
  const FrameQueue::Frame frame = queue(index).front();
  RelayCounts& counts = lines_[index < lines_.size() ? index : frame.tag].counts;
  const Nanoseconds late = std::max<Nanoseconds>(now - frame.due, 0);
  ++counts.frames;
  counts.bytes += static_cast<std::int64_t>(frame.bytes.size());
  counts.late += late;
  counts.most_late = std::max(counts.most_late, late);
  finish_turn();
}

std::optional<Nanoseconds> Shaper::next() const {
  if (turns_.empty()) return std::nullopt;
  return turns_.front().first;
}

}  // namespace tombolo
