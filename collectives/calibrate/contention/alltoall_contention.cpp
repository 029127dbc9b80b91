#include <algorithm>
#include <utility>

#include <tombolo/collectives/calibrate/contention/alltoall_contention.hpp>
#include <tombolo/platform/measuring/sample.hpp>

namespace tombolo {

namespace {

Bytes mean_block(const Request& request) {
  const auto factors = request.exchange.factors();
  if (!factors || request.ranks < 1) return 0;
  const std::int64_t rows = factors->first.total() / request.ranks;
  return times(rows, factors->second.total() / request.ranks * request.element_bytes);
}

}  // namespace

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
