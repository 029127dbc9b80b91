// Compares the plans chosen for even networks with the optimum that is known in Hockney's model: the recording half of
// scripts/tables even. Writes a line of CSV for each operation, number of ranks, size and network.
#include <algorithm>
#include <array>
#include <bit>
#include <exception>
#include <functional>
#include <iostream>
#include <optional>

#include <fmt/format.h>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/request/regular.hpp>

namespace {

using namespace tombolo;

struct Even {
  const char* name;
  Picoseconds latency;
  BytesPerSecond rate;
};

// Combining and copying take no time in Hockney's model.
constexpr BytesPerSecond free_of_charge = std::int64_t{1} << 60;

constexpr std::array<Even, 3> networks = {Even{"Ethernet", 50'000'000, 125'000'000},
                                          Even{"fast", 2'000'000, 12'500'000'000},
                                          Even{"wide", 5'000'000'000, 10'000'000}};
constexpr std::array numbers_of_ranks = {2,   3,   4,   5,   6,   7,   8,   9,   10,  11,  12,  13,  14,  15,  16,
                                         17,  19,  21,  23,  24,  27,  31,  32,  33,  37,  45,  48,  53,  63,  64,
                                         65,  72,  89,  96,  100, 113, 127, 128, 129, 150, 191, 200, 255, 256, 257,
                                         300, 384, 409, 500, 511, 512, 513, 600, 727, 800, 900, 997, 1000};
constexpr std::array<Bytes, 10> sizes_of_vectors = {64,       256,       1 << 10, 4 << 10, 16 << 10,
                                                    64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20};

// The optimum of one operation over `ranks` ranks, `bytes` a vector, or all blocks of one rank.
class Optimum {
 public:
  Optimum(const Hockney& model, int ranks, Bytes bytes)
      : model_(model), ranks_(ranks), bytes_(bytes), rounds_(std::bit_width(static_cast<unsigned>(ranks) - 1)) {}

  Picoseconds barrier() const { return rounds_ * model_.time(0); }

  // Traeff 2022: n blocks in n - 1 + ceil(log2 p) rounds.
  Picoseconds pipelined() const {
    Picoseconds least = never;
    for (std::int64_t blocks = 1; blocks <= std::min<std::int64_t>(bytes_, 2000); ++blocks)
      least = std::min(least, (rounds_ - 1 + blocks) * model_.time((bytes_ + blocks - 1) / blocks));
    return least;
  }

  // Bruck et al. 1997; Traeff 2024: (p - 1) / p of the vector in ceil(log2 p) messages.
  Picoseconds halved() const {
    return rounds_ * model_.time(0) + model_.time(bytes_ - bytes_ / ranks_) - model_.time(0);
  }

  // All of the vector in every round (Bar-Noy, Kipnis, Schieber 1993, for any p), or reduce-scatter and allgather.
  Picoseconds allreduce() const { return std::min({rounds_ * model_.time(bytes_), 2 * halved(), 2 * pipelined()}); }

 private:
  const Hockney& model_;
  int ranks_;
  Bytes bytes_;
  std::int64_t rounds_;
};

struct Compared {
  Operation operation;
  bool shared_out;  // the size is that of all blocks of one rank
  Picoseconds (Optimum::*optimum)() const;
};

const std::array<Compared, 8> operations = {Compared{Operation::barrier, false, &Optimum::barrier},
                                            Compared{Operation::bcast, false, &Optimum::pipelined},
                                            Compared{Operation::reduce, false, &Optimum::pipelined},
                                            Compared{Operation::allreduce, false, &Optimum::allreduce},
                                            Compared{Operation::scatterv, true, &Optimum::halved},
                                            Compared{Operation::gatherv, true, &Optimum::halved},
                                            Compared{Operation::allgatherv, true, &Optimum::halved},
                                            Compared{Operation::reduce_scatter, false, &Optimum::halved}};

void compare(const Even& network, const Compared& compared, int ranks, Bytes bytes) {
  const Hockney model({.latency = network.latency, .rate = network.rate, .memory_rate = free_of_charge});
  // Blocks of whole bytes; the optimum is of as many.
  const Bytes block = (bytes + ranks - 1) / ranks;
  const Optimum optimum(model, ranks, compared.shared_out ? block * ranks : bytes);
  const Request request = regular_request(compared.operation, ranks, 0, compared.shared_out ? block : bytes);
  const Candidate chosen = Planner(model).choice(request);
  fmt::print("{},{},{},{},\"{}\",{},{}\n", network.name, name(compared.operation), ranks, bytes, chosen.plan.how(),
             chosen.predicted, (optimum.*compared.optimum)());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::optional<Operation> only = argc > 1 ? find_operation(argv[1]) : std::nullopt;
    fmt::print("network,operation,ranks,bytes,plan,predicted_ps,optimum_ps\n");
    for (const Compared& compared : operations) {
      if (only && compared.operation != *only) continue;
      for (const Even& network : networks) {
        for (const int ranks : numbers_of_ranks) {
          for (const Bytes bytes : sizes_of_vectors) {
            if (compared.operation == Operation::barrier && bytes != sizes_of_vectors.front()) continue;
            compare(network, compared, ranks, bytes);
          }
        }
      }
    }
  } catch (const std::exception& error) {
    std::cerr << "even_plans: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
