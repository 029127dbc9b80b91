#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <tombolo/platform/description/host_cores.hpp>
#include <tombolo/platform/file/platform_check.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discovery/shared_cores.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

namespace {

// Above the rendezvous threshold of MPI libraries, whose work is part of what a large message costs.
constexpr Bytes large = Bytes{128} * 1024;
// Rounds without a barrier in between, for a time in which the ranks of a host are all at work.
constexpr int rounds = 4;
constexpr std::size_t least = 3;
constexpr std::size_t most = 25;

// The ranks of a host, in a ring.
class Ring {
 public:
  Ring(Team& team, MPI_Comm host) : team_(&team), host_(host) {
    check_mpi(MPI_Comm_rank(host, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(host, &size_), "MPI_Comm_size");
  }

  // Returns the time of one hop of a token; on the first rank only.
  Measured token(std::vector<char>& buffer) {
    return repeated(
        [&] {
          if (rank_ > 0) receive(buffer);
          check_mpi(MPI_Send(nullptr, 0, MPI_CHAR, next(), 0, host_), "MPI_Send");
          if (rank_ == 0) receive(buffer);
        },
        size_);
  }

  // Returns the time in which every rank sends a message to the next one; on the first rank only.
  Measured round(Bytes bytes, std::vector<char>& buffer) {
    const int count = static_cast<int>(bytes);
    return repeated(
        [&] {
          for (int i = 0; i < rounds; ++i) {
            check_mpi(MPI_Sendrecv(buffer.data(), count, MPI_CHAR, next(), 0, buffer.data() + bytes, count, MPI_CHAR,
                                   before(), 0, host_, MPI_STATUS_IGNORE),
                      "MPI_Sendrecv");
            team_->probe.count_message();
          }
        },
        rounds);
  }

 private:
  int next() const { return (rank_ + 1) % size_; }
  int before() const { return (rank_ + size_ - 1) % size_; }

  void receive(std::vector<char>& buffer) {
    check_mpi(MPI_Recv(buffer.data(), 0, MPI_CHAR, before(), 0, host_, MPI_STATUS_IGNORE), "MPI_Recv");
    team_->probe.count_message();
  }

  // Repeats until the median is precise; the first rank decides. The first time does not count: connections are made.
  template <class Do>
  Measured repeated(Do something, int parts) {
    Figures times;
    Measured time;
    for (int again = 1; again != 0;) {
      check_mpi(MPI_Barrier(host_), "MPI_Barrier");
      const Picoseconds begin = machine::now();
      something();
      times.push_back((machine::now() - begin) / parts);
      if (times.size() > 1) time = median_of(std::span(times).subspan(1));
      const bool late = machine::now() > team_->until;
      const bool enough = times.size() > least && (late || is_precise(time, team_->precision));
      again = enough || times.size() > most ? 0 : 1;
      check_mpi(MPI_Bcast(&again, 1, MPI_INT, 0, host_), "MPI_Bcast");
    }
    return time;
  }

  Team* team_;
  MPI_Comm host_;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace

std::vector<CoreUse> measure_shared_cores(Team& team, const std::vector<Processor>& processors,
                                          const std::vector<Level>& hosts) {
  std::vector<CoreUse> found(hosts.size());
  if (machine::simulated()) return found;
  std::vector<std::pair<std::size_t, int>> shared;  // hosts and their cores
  int mine = MPI_UNDEFINED;
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    const int cores = cores_of(processors, hosts[h].ranks);
    if (std::ssize(hosts[h].ranks) <= cores) continue;
    shared.emplace_back(h, cores);
    if (std::ranges::binary_search(hosts[h].ranks, team.rank)) mine = static_cast<int>(h);
  }
  if (shared.empty()) return found;
  MPI_Comm host = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(team.communicator, mine, team.rank, &host), "MPI_Comm_split");
  Figures figures;
  if (mine != MPI_UNDEFINED) {
    std::vector<char> buffer(2 * large);
    Ring ring(team, host);
    for (const Measured& figure : {ring.token(buffer), ring.round(0, buffer), ring.round(large, buffer)}) {
      figures.insert(figures.end(), {figure.value, figure.error});
    }
    check_mpi(MPI_Comm_free(&host), "MPI_Comm_free");
  }
  const std::vector<Figures> all = gather(team, figures);
  if (team.rank != 0) return found;
  for (const auto& [h, cores] : shared) {
    const Level& of = hosts[h];
    const auto ranks = static_cast<std::int64_t>(of.ranks.size());
    const Figures& here = all[static_cast<std::size_t>(of.ranks.front())];
    const Measured hop{here[0], here[1]};
    const Measured empty{here[2], here[3]};
    const Measured full{here[4], here[5]};
    CoreUse& use = found[h];
    use.message = {.value = std::max<Picoseconds>(empty.value * cores / ranks, 1),
                   .error = empty.error * cores / ranks};
    use.wake_up = {.value = std::max<Picoseconds>(hop.value - of.latency.value - use.message.value, 0),
                   .error = hop.error + of.latency.error + use.message.error};
    const Picoseconds bytes_take = full.value - empty.value;
    if (bytes_take <= 0) continue;  // of a busy machine: the rate is not known
    const auto rate =
        std::min(static_cast<double>(ranks * large) / static_cast<double>(bytes_take) * picoseconds_per_second,
                 static_cast<double>(highest_rate));
    const double part = std::min(static_cast<double>(full.error + empty.error) / static_cast<double>(bytes_take), 1.0);
    use.exchange = {.value = std::llround(rate), .error = std::llround(rate * part)};
  }
  return found;
}

}  // namespace tombolo::discovery
