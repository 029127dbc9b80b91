#include <algorithm>
#include <utility>

#include <tombolo/models/kinds/over_shared_links.hpp>

namespace tombolo {

std::unique_ptr<Model> OverSharedLinks::wrap(const Platform& platform, std::unique_ptr<Model> model) {
  if (model->network() != nullptr || PlatformNetwork(platform, {}).rates().empty()) return model;
  return std::make_unique<OverSharedLinks>(platform, std::move(model));
}

OverSharedLinks::OverSharedLinks(const Platform& platform, std::unique_ptr<Model> model)
    : model_(std::move(model)), network_(platform, {}) {}

MessageCost OverSharedLinks::message(Rank from, Rank to, Bytes bytes) const {
  MessageCost cost = model_->message(from, to, bytes);
  if (bytes == 0 || !network_.shares(from, to)) return cost;
  const MessageCost empty = model_->message(from, to, 0);
  const auto whole = [](const MessageCost& c) { return plus(plus(c.transit, c.wire), c.receive); };
  // The network may extend only the time of the bytes.
  const Picoseconds flowing = std::max<Picoseconds>(whole(cost) - whole(empty), 1);
  cost.flow = {.bytes = bytes, .most = std::max<BytesPerSecond>(transfer_time(bytes, flowing), 1)};
  cost.wire = plus(cost.wire, std::max<Picoseconds>(cost.transit - empty.transit, 0));
  cost.transit = std::min(cost.transit, empty.transit);
  return cost;
}

}  // namespace tombolo
