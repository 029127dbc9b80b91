// The alltoall between clusters: carriers of each cluster collect blocks for the other clusters and send them in few,
// large messages.

#include <algorithm>
#include <limits>
#include <map>

#include <tombolo/collectives/algorithms/alltoallv/clusters.hpp>
#include <tombolo/collectives/algorithms/common/channel_set.hpp>
#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

namespace {

// Part `which` of `parts` almost equal, consecutive parts.
std::span<const Rank> part(std::span<const Rank> ranks, int parts, int which) {
  const auto border = [&](int before) {
    return ranks.size() * static_cast<std::size_t>(before) / static_cast<std::size_t>(parts);
  };
  return ranks.subspan(border(which), border(which + 1) - border(which));
}

// The carrier of a part for a turn: a different rank in each turn, spread over the part as far as possible.
Rank carrier_of(std::span<const Rank> part, const ClusterTurn& turn) {
  const auto now = static_cast<std::size_t>(turn.turn);
  const auto turns = static_cast<std::size_t>(turn.turns);
  return part[turns < part.size() ? now * part.size() / turns : now % part.size()];
}

constexpr int every_rank = std::numeric_limits<int>::max();

// A block, and the maximum number of its elements in one message.
struct Cut {
  BufferRange block;
  std::int64_t each = 0;

  BufferRange part(std::int64_t round) const {
    const std::int64_t before = block.count / each < round ? block.count : round * each;
    return {block.buffer, block.offset + before, std::min(each, block.count - before)};
  }
  std::int64_t parts() const { return block.count == 0 ? 0 : (block.count - 1) / each + 1; }
};

// The blocks to or from one peer, in one message per round.
struct Bundle {
  Rank peer = -1;
  std::vector<Cut> blocks;

  BufferRanges part(std::int64_t round) const {
    BufferRanges pieces;
    for (const Cut& block : blocks) pieces.push_back(block.part(round));
    return pieces;
  }
};

// One bundle per peer, in the order of first use.
class Bundles {
 public:
  std::vector<Cut>& with(Rank peer) {
    const auto [at, is_new] = known_.try_emplace(peer, all_.size());
    if (is_new) all_.push_back({peer, {}});
    return all_[at->second].blocks;
  }
  const std::vector<Bundle>& all() const { return all_; }

 private:
  std::vector<Bundle> all_;
  std::map<Rank, std::size_t> known_;
};

struct Traffic {
  Bundles out;
  Bundles in;
};

class ClusterExchange {
 public:
  ClusterExchange(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer)
      : request_(request),
        parameters_(parameters),
        rank_(rank),
        sends_(request.exchange.sends(rank)),
        receives_(request.exchange.receives(rank)),
        writer_(writer) {
    find_clusters();
    const int clusters = static_cast<int>(clusters_.size());
    for (int turn = 1; turn < clusters; ++turn) {
      const int next = (own_ + turn) % clusters;
      const int before = (own_ + clusters - turn) % clusters;
      for (const LongMessage& message : between(own_, next)) add_leaving(message);
      for (const LongMessage& message : between(before, own_)) add_arriving(message);
    }
    add_near();
  }

  // Blocks for carriers are sent first.
  void write() {
    std::int64_t rounds = 1;
    for (const Traffic* traffic : {&collected_, &far_, &handed_on_}) {
      for (const auto* bundles : {&traffic->out, &traffic->in}) {
        for (const Bundle& bundle : bundles->all()) {
          for (const Cut& block : bundle.blocks) rounds = std::max(rounds, block.parts());
        }
      }
    }
    std::vector<ChannelSet> channels(3, ChannelSet::with_children(writer_, parameters_));
    for (std::int64_t round = 0; round < rounds; ++round) {
      write(collected_, round, channels[0]);
      write(far_, round, channels[1]);
      write(handed_on_, round, channels[2]);
    }
    writer_.copy({input(rank_)}, {output(rank_)});
  }

 private:
  void write(const Traffic& traffic, std::int64_t round, ChannelSet& channels) {
    for (const Bundle& bundle : traffic.in.all()) writer_.receive(bundle.peer, bundle.part(round));
    for (const Bundle& bundle : traffic.out.all()) {
      writer_.send(bundle.peer, bundle.part(round), {.channel = channels.channel(bundle.peer)});
    }
  }

  BufferRange input(Rank target) const { return {Buffer::input, sends_.offset(target), sends_.count(target)}; }
  BufferRange output(Rank source) const { return {Buffer::output, receives_.offset(source), receives_.count(source)}; }
  BufferRange scratch(Rank source, Rank target) {
    const std::int64_t count = request_.exchange.sends(source).count(target);
    return {Buffer::scratch, writer_.scratch(count), count};
  }

  // Elements per block in a message of `blocks` blocks, such that the message has at most segment_bytes.
  std::int64_t each(std::size_t blocks) const {
    if (parameters_.segment_bytes == 0 || request_.element_bytes == 0) return std::numeric_limits<std::int64_t>::max();
    const std::int64_t segment = parameters_.segment_bytes / request_.element_bytes;
    return std::max<std::int64_t>(1, segment / static_cast<std::int64_t>(blocks));
  }

  void find_clusters() {
    clusters_ = groups_or_default(request_, parameters_).partitions().front();
    const auto own = std::ranges::find_if(clusters_, [&](const std::vector<Rank>& cluster) {
      return std::ranges::find(cluster, rank_) != cluster.end();
    });
    own_ = static_cast<int>(own - clusters_.begin());
  }

  // Adds the blocks within the own cluster, which share messages with the blocks for the target as a carrier. In
  // rotated order, as in the direct alltoall.
  void add_near() {
    const std::vector<Rank>& ranks = cluster(own_);
    const auto place = static_cast<std::size_t>(std::ranges::find(ranks, rank_) - ranks.begin());
    for (std::size_t step = 1; step < ranks.size(); ++step) {
      const Rank target = ranks[(place + step) % ranks.size()];
      const Rank source = ranks[(place + ranks.size() - step) % ranks.size()];
      collected_.out.with(target).push_back({input(target), each(1)});
      collected_.in.with(source).push_back({output(source), each(1)});
    }
  }

  const std::vector<Rank>& cluster(int index) const { return clusters_[static_cast<std::size_t>(index)]; }

  std::vector<LongMessage> between(int from, int to) const {
    const int clusters = static_cast<int>(clusters_.size());
    const auto turn = [clusters](int one, int other) {
      return ClusterTurn{.turn = (other - one + clusters) % clusters - 1, .turns = clusters - 1};
    };
    return long_messages(cluster(from), cluster(to), parameters_.radix_or(every_rank), turn(from, to), turn(to, from));
  }

  // A carrier sends the collected blocks ordered by target, then by source.
  void add_leaving(const LongMessage& message) {
    const std::int64_t most = each(message.sources.size() * message.targets.size());
    if (message.sender == rank_) {
      for (const Rank target : message.targets) {
        for (const Rank source : message.sources) {
          const Cut block{source == rank_ ? input(target) : scratch(source, target), most};
          if (source != rank_) collected_.in.with(source).push_back(block);
          far_.out.with(message.receiver).push_back(block);
        }
      }
    } else if (is_among(message.sources)) {
      for (const Rank target : message.targets) collected_.out.with(message.sender).push_back({input(target), most});
    }
  }

  // Blocks from several clusters are forwarded together.
  void add_arriving(const LongMessage& message) {
    const std::int64_t most = each(message.sources.size() * message.targets.size());
    if (message.receiver == rank_) {
      for (const Rank target : message.targets) {
        for (const Rank source : message.sources) {
          const Cut block{target == rank_ ? output(source) : scratch(source, target), most};
          far_.in.with(message.sender).push_back(block);
          if (target != rank_) handed_on_.out.with(target).push_back(block);
        }
      }
    } else if (is_among(message.targets)) {
      for (const Rank source : message.sources) handed_on_.in.with(message.receiver).push_back({output(source), most});
    }
  }

  bool is_among(std::span<const Rank> ranks) const { return std::ranges::find(ranks, rank_) != ranks.end(); }

  const Request& request_;
  const Parameters& parameters_;
  Rank rank_;
  Blocks sends_;
  Blocks receives_;
  ScheduleWriter& writer_;
  Partition clusters_;
  int own_ = 0;
  Traffic collected_;  // within the cluster: to carriers, or to the final target
  Traffic far_;        // between carriers
  Traffic handed_on_;  // within the cluster, from carriers
};

void write_clusters(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  ClusterExchange(request, parameters, rank, writer).write();
}

}  // namespace

std::vector<LongMessage> long_messages(std::span<const Rank> from, std::span<const Rank> to, int carriers,
                                       const ClusterTurn& leaving, const ClusterTurn& arriving) {
  const int senders = std::min(carriers, static_cast<int>(from.size()));
  const int receivers = std::min(carriers, static_cast<int>(to.size()));
  const int messages = std::max(senders, receivers);
  std::vector<LongMessage> all;
  for (int message = 0; message < messages; ++message) {
    const int receiver = message % receivers;
    const std::span<const Rank> targets = part(to, receivers, receiver);
    // Number of messages to the same receiver.
    const int shares = (messages - receiver - 1) / receivers + 1;
    const int sender = senders < receivers ? (message + leaving.turn) % senders : message;
    all.push_back({.sender = carrier_of(part(from, senders, sender), leaving),
                   .receiver = carrier_of(targets, arriving),
                   .sources = part(from, shares, message / receivers),
                   .targets = targets});
  }
  return all;
}

const Algorithm alltoallv_clusters{
    .name = "clusters",
    .operation = Operation::alltoallv,
    .summary = "clusters exchange what their ranks have collected: max(n1, n2) messages between two, or fewer",
    .write = write_clusters,
    .all_counts = true,
    .uses = {Parameter::segment_bytes},
    .in_a_row = [](const Request&, const Parameters&) { return 3; },
    .radix = every_rank,
    .least_radix = 1,
    .mapped = Mapped::clusters,
};

}  // namespace tombolo
