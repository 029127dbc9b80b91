#include <utility>
#include <vector>

#include <tombolo/collectives/mapping/long_links.hpp>
#include <tombolo/collectives/mapping/message_times.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// Bandwidth-delay product of a link: latency over the time of a byte.
Bytes bytes_under_way(const Model& model, Rank from, Rank to) {
  constexpr Bytes sample = Bytes{1} << 20;
  const Picoseconds gap = message_time_parts(model, from, to, sample).gap;
  return static_cast<Bytes>(static_cast<Wide>(message_time(model, from, to, 0)) * sample / gap);
}

}  // namespace

MappedTrees with_long_links(const MappedTrees& trees, const Model& model) {
  Wide all = 0;
  for (const MappedTrees::Weighted& each : trees.all()) all += each.weight;
  std::vector<MappedTrees::Weighted> linked = trees.all();
  for (MappedTrees::Weighted& each : linked) {
    each.long_links.assign(static_cast<std::size_t>(each.tree.ranks()), 0);
    for (std::size_t place = 0; place < each.long_links.size(); ++place) {
      const int parent = each.tree.parents()[place];
      if (parent < 0) continue;
      const Bytes busy =
          bytes_under_way(model, each.tree.order()[static_cast<std::size_t>(parent)], each.tree.order()[place]);
      each.long_links[place] = static_cast<Bytes>(static_cast<Wide>(busy) * each.weight / all);
    }
  }
  return {trees.name(), std::move(linked)};
}

}  // namespace tombolo
