#include <cstdint>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include <tombolo/collectives/request/regular.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

Blocks regular_blocks(Operation operation, int ranks, std::int64_t count) {
  return divides_vector(operation) ? Blocks::shared_out(ranks, count) : Blocks::equal(ranks, count);
}

// Elements of the regular request with as many elements in all.
std::int64_t regular_count(const Request& request) {
  return request.blocks.total() / (divides_vector(request.operation) ? 1 : request.ranks);
}

// Position of block k of a row by size (0: largest). Steps of about the golden section; an offset per row.
int place_of(int k, int row, int blocks) {
  int step = static_cast<int>(std::int64_t{blocks} * 618 / 1000) + 1;
  while (std::gcd(step, blocks) != 1) ++step;
  return static_cast<int>((std::int64_t{k} * step + std::int64_t{row} * 7) % blocks);
}

std::int64_t weight(int place, int blocks, Counts counts) {
  constexpr std::int64_t one = 1 << 20;
  if (counts == Counts::zipf) return one / (place + 1);
  return place <= (blocks - 1) / 4 ? one : 0;
}

std::vector<std::int64_t> counts_of(std::int64_t total, int blocks, int row, Counts counts) {
  std::vector<std::int64_t> weights;
  for (int k = 0; k < blocks; ++k) weights.push_back(weight(place_of(k, row, blocks), blocks, counts));
  const Wide all = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  for (std::int64_t& each : weights) each = static_cast<std::int64_t>(static_cast<Wide>(total) * each / all);
  return weights;
}

}  // namespace

Request regular_request(Operation operation, int ranks, Rank root, Bytes bytes, Bytes element_bytes) {
  const std::int64_t count = bytes / element_bytes + (bytes % element_bytes == 0 ? 0 : 1);
  switch (sizes(operation)) {
    case Sizes::none:
      return Request::of_vector(operation, ranks, root, 0, 0);
    case Sizes::vector:
      return Request::of_vector(operation, ranks, root, count, element_bytes);
    case Sizes::blocks:
      return Request::of_blocks(operation, root, regular_blocks(operation, ranks, count), element_bytes);
    case Sizes::exchange:
      return Request::of_exchange(operation, ranks, AlltoallCounts::equal(ranks, count), element_bytes);
  }
  return {};
}

Bytes regular_bytes(const Request& request) {
  switch (sizes(request.operation)) {
    case Sizes::none:
      return 0;
    case Sizes::vector:
      return request.count * request.element_bytes;
    case Sizes::blocks:
      return request.blocks.all_known() ? regular_count(request) * request.element_bytes : 0;
    case Sizes::exchange:
      return request.exchange.sends(request.root).total() / request.ranks * request.element_bytes;
  }
  return 0;
}

bool is_regular(const Request& request) {
  if (request.knowledge != Knowledge::everywhere) return false;
  switch (sizes(request.operation)) {
    case Sizes::none:
    case Sizes::vector:
      return true;
    case Sizes::blocks:
      return request.blocks.all_known() &&
             request.blocks == regular_blocks(request.operation, request.ranks, regular_count(request));
    case Sizes::exchange:
      return request.exchange.is_equal();
  }
  return false;
}

std::string operations_with_counts(std::string_view conjunction) {
  std::string names;
  std::string_view last;
  for (const Operation operation : all_operations()) {
    if (sizes(operation) != Sizes::blocks && sizes(operation) != Sizes::exchange) continue;
    if (!last.empty()) names += fmt::format("{}{}", names.empty() ? "" : ", ", last);
    last = name(operation);
  }
  return fmt::format("{} {} {}", names, conjunction, last);
}

Request with_counts(const Request& regular, Counts counts) {
  if (counts == Counts::equal || regular.ranks < 1) return regular;
  Request uneven = regular;
  switch (sizes(regular.operation)) {
    case Sizes::blocks:
      uneven.blocks = Blocks(counts_of(regular.blocks.total(), regular.ranks, 0, counts));
      return uneven;
    case Sizes::exchange: {
      std::vector<std::vector<std::int64_t>> rows;
      for (Rank rank = 0; rank < regular.ranks; ++rank) {
        rows.push_back(counts_of(regular.exchange.sends(rank).total(), regular.ranks, rank, counts));
      }
      uneven.exchange = AlltoallCounts::matrix(rows);
      return uneven;
    }
    case Sizes::none:
    case Sizes::vector:
      break;
  }
  throw Error(fmt::format("uneven counts of {}, which has none", name(regular.operation)),
              fmt::format("ask for {}", operations_with_counts("or")));
}

}  // namespace tombolo
