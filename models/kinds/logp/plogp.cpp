#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <tombolo/models/experiments/sampled_pairs.hpp>
#include <tombolo/models/kinds/logp/plogp.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo {

namespace {

Json written(const PiecewiseLinear& curve) {
  Json nodes = Json::array();
  for (const PiecewiseLinear::Node& node : curve.nodes()) {
    nodes.push_back(Json::array({node.bytes, node.time}));
  }
  return nodes;
}

PiecewiseLinear read_curve(const JsonNode& list) {
  std::vector<PiecewiseLinear::Node> nodes;
  for (const JsonNode& node : list.list()) {
    const std::vector<JsonNode> pair = node.list();
    if (pair.size() != 2) node.refuse("is not a list of bytes and picoseconds");
    nodes.push_back({pair[0].integer(), pair[1].integer()});
  }
  return PiecewiseLinear(std::move(nodes));
}

using Node = PiecewiseLinear::Node;
using Kind = Experiment::Kind;

// Measured times of one class, by size.
struct Curves {
  std::map<Bytes, Picoseconds> round_trip;  // empty answers
  std::map<Bytes, Picoseconds> gap;         // by saturation
  std::map<Bytes, Picoseconds> send_overhead;
  std::map<Bytes, Picoseconds> receive_overhead;
};

std::vector<Node> nodes_of(const std::map<Bytes, Picoseconds>& curve) {
  std::vector<Node> nodes;
  for (const auto& [bytes, time] : curve) nodes.push_back({bytes, std::max<Picoseconds>(time, 0)});
  return nodes;
}

Picoseconds empty_gap(const Curves& curves) {
  return std::min(curves.gap.at(0), curves.round_trip.at(0) / 2);
}

std::vector<Node> gaps_of(const Curves& curves, bool direct) {
  std::vector<Node> nodes;
  for (const auto& [bytes, time] : curves.round_trip) {
    const Picoseconds indirect = time - curves.round_trip.at(0) + empty_gap(curves);
    nodes.push_back({bytes, std::max<Picoseconds>(direct && bytes > 0 ? curves.gap.at(bytes) : indirect, 0)});
  }
  return nodes;
}

class Measuring {
 public:
  Measuring(const PairClasses& classes, Laboratory& laboratory, const PLogPOptions& options)
      : pairs_(classes, SampledPairs::usual, 1),
        groups_(1),
        laboratory_(laboratory),
        options_(options),
        curves_(static_cast<std::size_t>(classes.size())) {
    for (int index = 0; index < classes.size(); ++index) {
      if (classes.between(index)) groups_.emplace_back();
      (classes.between(index) ? groups_.back() : groups_.front()).push_back(static_cast<std::size_t>(index));
    }
  }

  std::vector<PLogP::Figures> estimate() {
    for (const std::vector<std::size_t>& group : groups_) measure_classes(group);
    std::vector<PLogP::Figures> found;
    for (const Curves& curves : curves_) {
      found.push_back({.latency = curves.round_trip.at(0) / 2 - empty_gap(curves),
                       .gap = PiecewiseLinear(gaps_of(curves, options_.direct)),
                       .send_overhead = PiecewiseLinear(nodes_of(curves.send_overhead)),
                       .receive_overhead = PiecewiseLinear(nodes_of(curves.receive_overhead))});
    }
    return found;
  }

 private:
  // A requested message size for a class of pairs.
  struct Asked {
    std::size_t index = 0;  // of the class
    Bytes size = 0;
  };

  // Measures until sizes_between() requests no more sizes.
  void measure_classes(const std::vector<std::size_t>& group) {
    std::set<Bytes> sizes = {0};
    for (Bytes size = 1; size <= options_.largest; size *= 2) sizes.insert(size);
    std::vector<std::set<Bytes>> wanted(curves_.size());
    for (const std::size_t index : group) wanted[index] = sizes;
    while (std::ranges::any_of(wanted, [](const std::set<Bytes>& of_class) { return !of_class.empty(); })) {
      measure(wanted);
      for (const std::size_t index : group) wanted[index] = wanted_of(curves_[index]);
    }
  }

  std::set<Bytes> wanted_of(const Curves& curves) const {
    std::set<Bytes> sizes;
    for (const std::vector<Node>& nodes :
         {gaps_of(curves, options_.direct), nodes_of(curves.send_overhead), nodes_of(curves.receive_overhead)}) {
      const std::vector<Bytes> between = sizes_between(nodes, options_.tolerance);
      sizes.insert(between.begin(), between.end());
    }
    return sizes;
  }

  void measure(const std::vector<std::set<Bytes>>& wanted) {
    collect(wanted, &Curves::round_trip, {.kind = Kind::round_trip}, true);
    collect(wanted, &Curves::send_overhead, {.kind = Kind::send_overhead}, true);
    collect(wanted, &Curves::receive_overhead, {.kind = Kind::receive_overhead}, false);
    saturate(wanted);
  }

  // Measures all classes, sizes and pairs in one batch.
  void collect(const std::vector<std::set<Bytes>>& wanted, std::map<Bytes, Picoseconds> Curves::*curve,
               Experiment experiment, bool there) {
    std::vector<Experiment> experiments;
    for_each_asked(wanted, [&](std::size_t pair, const Asked& asked) {
      std::tie(experiment.a, experiment.b) = pairs_.pair(pair);
      experiment.there = there ? asked.size : 0;
      experiment.back = there ? 0 : asked.size;
      experiments.push_back(experiment);
    });
    std::vector<Picoseconds> times;
    for (const Measured& time : laboratory_.run(experiments, options_.repeat)) times.push_back(time.value);
    keep_medians(wanted, curve, times);
  }

  void saturate(const std::vector<std::set<Bytes>>& wanted) {
    std::vector<Saturation> saturations;
    std::vector<std::set<Bytes>> sizes(wanted.size());
    for (std::size_t index = 0; index < wanted.size(); ++index) {
      if (options_.direct)
        sizes[index] = wanted[index];
      else if (wanted[index].contains(0))
        sizes[index] = {0};
    }
    for_each_asked(sizes, [&](std::size_t pair, const Asked& asked) {
      const auto [a, b] = pairs_.pair(pair);
      saturations.push_back({.from = a, .to = b, .bytes = asked.size});
    });
    keep_medians(sizes, &Curves::gap, measure_gaps(laboratory_, saturations));
  }

  template <class Act>
  void for_each_asked(const std::vector<std::set<Bytes>>& wanted, Act act) const {
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      const auto index = static_cast<std::size_t>(pairs_.class_of(pair));
      for (const Bytes size : wanted[index]) act(pair, Asked{index, size});
    }
  }

  void keep_medians(const std::vector<std::set<Bytes>>& wanted, std::map<Bytes, Picoseconds> Curves::*curve,
                    const std::vector<Picoseconds>& times) {
    std::vector<std::map<Bytes, std::vector<std::int64_t>>> figures(curves_.size());
    std::size_t next = 0;
    for_each_asked(wanted,
                   [&](std::size_t, const Asked& asked) { figures[asked.index][asked.size].push_back(times[next++]); });
    for (std::size_t index = 0; index < figures.size(); ++index) {
      for (const auto& [size, of_size] : figures[index]) (curves_[index].*curve)[size] = median_of(of_size).value;
    }
  }

  SampledPairs pairs_;
  // Classes measured concurrently: all inside clusters together; between clusters one after the other, since concurrent
  // large messages would share the long links.
  std::vector<std::vector<std::size_t>> groups_;
  Laboratory& laboratory_;
  PLogPOptions options_;
  std::vector<Curves> curves_;  // by class
};

}  // namespace

std::string PLogP::describe() const {
  return fmt::format("pLogP: {} classes of pairs, latencies up to {}", figures().all().size(),
                     readable(longest_latency()));
}

MessageCost PLogP::message(Rank from, Rank to, Bytes bytes) const {
  const Figures& pair = figures().of(from, to);
  const Picoseconds gap = pair.gap.at(bytes);
  return total_cost({.overhead = pair.send_overhead.at(bytes),
                     .send = gap,
                     .receive = gap,
                     .receive_overhead = std::min(pair.receive_overhead.at(bytes), pair.latency)},
                    plus(pair.latency, gap));
}

Json written_plogp(const PLogP& model) {
  return written_by_class(model.figures(), [](const PLogP::Figures& pair) {
    Json entry = written_figures(pair);
    entry["gap"] = written(pair.gap);
    entry["send_overhead"] = written(pair.send_overhead);
    entry["receive_overhead"] = written(pair.receive_overhead);
    return entry;
  });
}

PLogP read_plogp(const Platform& platform, const Json& parameters) {
  const JsonDocument document = parameters_document("plogp", parameters);
  const auto read = [](const JsonNode& entry) -> PLogP::Figures {
    return {entry.member("latency").integer(), read_curve(entry.member("gap")),
            read_curve(entry.member("send_overhead")), read_curve(entry.member("receive_overhead"))};
  };
  return {platform, read_by_class(JsonNode(document), platform, read), memory_rate_of(platform)};
}

std::vector<Bytes> sizes_between(std::span<const PiecewiseLinear::Node> nodes, double tolerance) {
  std::vector<Bytes> sizes;
  for (std::size_t k = 2; k < nodes.size(); ++k) {
    const Node& node = nodes[k];
    const Bytes distance = node.bytes - nodes[k - 1].bytes;
    if (distance <= 32 || static_cast<double>(distance) <= tolerance * static_cast<double>(node.bytes)) continue;
    const double slope = static_cast<double>(nodes[k - 1].time - nodes[k - 2].time) /
                         static_cast<double>(nodes[k - 1].bytes - nodes[k - 2].bytes);
    const double expected = static_cast<double>(nodes[k - 1].time) + slope * static_cast<double>(distance);
    const auto found = static_cast<double>(node.time);
    if (std::abs(found - expected) > tolerance * std::abs(expected)) sizes.push_back(nodes[k - 1].bytes + distance / 2);
  }
  return sizes;
}

std::vector<PLogP::Figures> estimate_plogp(const PairClasses& classes, Laboratory& laboratory,
                                           const PLogPOptions& options) {
  return Measuring(classes, laboratory, options).estimate();
}

const ModelKind plogp_model = {
    "plogp", "L + g(M), o_s(M), o_r(M) piecewise linear: any change of protocol",
    [](const Platform& platform, Laboratory& laboratory) {
      const PairClasses classes(platform);
      return written_plogp({platform, estimate_plogp(classes, laboratory), memory_rate_of(platform)});
    },
    [](const Platform& platform, const Json& parameters) -> std::unique_ptr<Model> {
      return std::make_unique<PLogP>(read_plogp(platform, parameters));
    }};

}  // namespace tombolo
