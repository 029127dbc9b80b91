#include <algorithm>

#include <tombolo/collectives/predict/load.hpp>

namespace tombolo {

Load::Load(int ranks, const Model& model, Picoseconds limit)
    : model_(model),
      limit_(limit),
      processors_(static_cast<std::size_t>(ranks), 0),
      out_(processors_),
      in_(processors_),
      cores_(model.shared_cores()),
      hosts_(cores_ == nullptr ? 0 : cores_->hosts().size(), 0),
      bytes_(model.network() == nullptr ? 0 : model.network()->rates().size(), 0) {
  if (limit == never) return;
  for (std::size_t link = 0; link < bytes_.size(); ++link) {
    const Wide most = Wide{limit} * model.network()->rates()[link] / picoseconds_per_second * Network::whole;
    most_bytes_.push_back(static_cast<Bytes>(std::min<Wide>(most, never)));
  }
}

void Load::add_message(Rank from, Rank to, Bytes bytes, bool in_window) {
  MessageCost cost = model_.message(from, to, bytes);
  if (in_window) cost.make_synchronous();
  add_processing(from, cost.overhead);
  add_processing(to, cost.receive_overhead);
  add(out_, from, std::max(cost.overhead, cost.send));
  add(in_, to, cost.receive);
  if (cost.flow.bytes == 0) return;
  model_.network()->find_route(from, to, route_);
  for (const Network::Use& use : route_.uses) {
    const auto link = static_cast<std::size_t>(use.link);
    bytes_[link] = plus(bytes_[link], cost.flow.bytes * use.part);
    if (limit_ < never && bytes_[link] > most_bytes_[link]) beyond_ = true;
  }
}

void Load::add(Rank rank, const Schedule& schedule, Bytes element_bytes) {
  for (const Step& step : schedule.steps()) {
    const Bytes bytes = step.count * element_bytes;
    if (step.kind == Step::Kind::send) add_message(rank, step.peer, bytes, schedule.window(step) > 0);
    if (!step.is_message()) add_local(rank, bytes);
  }
}

void Load::add(const Plan& plan, std::span<const Share> shares) {
  const Request& request = plan.request();
  const Root root = traits(request.operation).root;
  const bool in_window = plan.parameters().window > 0;
  for (const Share& share : shares) {
    const RankTree& tree = plan.parameters().trees.tree(share.tree);
    const Bytes bytes = share.count * request.element_bytes;
    for (std::size_t place = 0; place < tree.order().size(); ++place) {
      if (tree.parents()[place] < 0) continue;
      const Rank parent = tree.order()[static_cast<std::size_t>(tree.parents()[place])];
      const Rank child = tree.order()[place];
      if (root != Root::target) add_message(parent, child, bytes, in_window);
      if (root == Root::source) continue;
      add_message(child, parent, bytes, in_window);
      add_local(parent, bytes);
    }
  }
}

Picoseconds Load::of(Rank rank) const {
  const auto at = static_cast<std::size_t>(rank);
  return std::max({processors_[at], out_[at], in_[at]});
}

Picoseconds Load::heaviest() const {
  Picoseconds heaviest = 0;
  for (const auto* const all : {&processors_, &out_, &in_}) {
    for (const Picoseconds time : *all) heaviest = std::max(heaviest, time);
  }
  for (std::size_t host = 0; host < hosts_.size(); ++host) {
    heaviest = std::max(heaviest, hosts_[host] / cores_->hosts()[host].cores);
  }
  for (std::size_t link = 0; link < bytes_.size(); ++link) {
    heaviest = std::max(heaviest, transfer_time(bytes_[link] / Network::whole, model_.network()->rates()[link]));
  }
  return heaviest;
}

void Load::add_processing(Rank rank, Picoseconds more) {
  add(processors_, rank, more);
  const int host = cores_ == nullptr ? -1 : cores_->host_of(rank);
  if (host < 0) return;
  Picoseconds& time = hosts_[static_cast<std::size_t>(host)];
  time = plus(time, more);
  if (time / cores_->hosts()[static_cast<std::size_t>(host)].cores > limit_) beyond_ = true;
}

void Load::add(std::vector<Picoseconds>& times, Rank rank, Picoseconds more) {
  Picoseconds& time = times[static_cast<std::size_t>(rank)];
  time = plus(time, more);
  if (time > limit_) beyond_ = true;
}

}  // namespace tombolo
