#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/models/kinds/hockney/hockney_pairs.hpp>
#include <tombolo/models/kinds/lmo/lmo.hpp>
#include <tombolo/models/kinds/logp/logp.hpp>
#include <tombolo/models/kinds/logp/plogp.hpp>

/// Models of a platform with figures drawn at random, such as real networks have: latencies of 1 to 100 us, rates of
/// 0.1 to 10 GB/s.
class RandomModels {
 public:
  explicit RandomModels(const tombolo::Platform& platform, unsigned seed)
      : platform_(platform), classes_(platform), random_(seed) {}

  tombolo::Hockney hockney() {
    const tombolo::Picoseconds latency = between(1'000'000, 100'000'000);
    return tombolo::Hockney(
        {.latency = latency, .rate = between(100'000'000, 10'000'000'000), .longest_latency = latency});
  }

  tombolo::HockneyPairs hockney_pairs() {
    return {links([this] { return tombolo::LinkCost{between(1'000'000, 100'000'000), slope()}; }), memory};
  }

  tombolo::LogP logp(tombolo::Bytes size) {
    std::vector<tombolo::LogP::Figures> figures;
    for (int index = 0; index < classes_.size(); ++index) {
      const tombolo::LogGP::Figures pair = small();
      figures.push_back({pair.send_overhead, pair.receive_overhead, pair.latency, pair.gap});
    }
    return {platform_, std::move(figures), size, memory};
  }

  tombolo::LogGP loggp() {
    std::vector<tombolo::LogGP::Figures> figures;
    for (int index = 0; index < classes_.size(); ++index) figures.push_back(small());
    return {platform_, std::move(figures), memory};
  }

  /// With kinks at powers of two only, and overheads that fit into the latency.
  tombolo::PLogP plogp() {
    std::vector<tombolo::PLogP::Figures> figures;
    for (int index = 0; index < classes_.size(); ++index) {
      const tombolo::Picoseconds latency = between(20'000'000, 100'000'000);
      const tombolo::PiecewiseLinear overhead(
          {{0, between(1'000'000, 3'000'000)}, {1 << 20, between(4'000'000, latency)}});
      figures.push_back({latency, curve(between(3'000'000, 10'000'000)), overhead, overhead});
    }
    return {platform_, std::move(figures), memory};
  }

  /// Without latency inside clusters, or with latencies everywhere.
  tombolo::Lmo lmo(bool extended) {
    std::vector<tombolo::Lmo::Delays> processors;
    for (int rank = 0; rank < platform_.ranks(); ++rank) {
      processors.push_back({between(5'000'000, 50'000'000), between(100'000'000, 2'000'000'000)});
    }
    tombolo::LinkTable table = links([&] {
      return tombolo::LinkCost{extended ? between(5'000'000, 50'000'000) : 0, between(500'000'000, 5'000'000'000)};
    });
    for (tombolo::LinkCost& link : table.between()) link.latency = between(50'000'000, 500'000'000);
    return tombolo::Lmo({.processors = processors, .links = table, .extended = extended, .memory_rate = memory});
  }

  std::int64_t between(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }

 private:
  static constexpr tombolo::BytesPerSecond memory = 10'000'000'000;

  tombolo::PerMegabyte slope() { return between(100'000'000, 10'000'000'000); }

  template <class Draw>
  tombolo::LinkTable links(Draw draw) {
    tombolo::LinkTable table(classes_);
    for (int cluster = 0; cluster < table.clusters(); ++cluster) {
      for (tombolo::LinkCost& link : table.inside(cluster)) link = draw();
    }
    for (tombolo::LinkCost& link : table.between()) link = draw();
    return table;
  }

  tombolo::LogGP::Figures small() {
    const tombolo::Picoseconds send = between(500'000, 5'000'000);
    const tombolo::Picoseconds receive = between(500'000, 5'000'000);
    return {.send_overhead = send,
            .receive_overhead = receive,
            .latency = between(5'000'000, 100'000'000),
            .gap = std::max(send, receive) + between(0, 10'000'000),
            .gap_per_megabyte = slope()};
  }

  tombolo::PiecewiseLinear curve(tombolo::Picoseconds start) {
    std::vector<tombolo::PiecewiseLinear::Node> nodes = {{0, start}};
    for (const tombolo::Bytes bytes : {256, 8192, 65536, 1 << 20}) {
      const tombolo::Bytes run = bytes - nodes.back().bytes;
      nodes.push_back({bytes, nodes.back().time + tombolo::time_for(run, slope())});
    }
    return tombolo::PiecewiseLinear(std::move(nodes));
  }

  const tombolo::Platform& platform_;
  tombolo::PairClasses classes_;
  std::mt19937 random_;
};
