#include <vector>

#include <tombolo/collectives/alltoallv/at_once.hpp>

namespace tombolo {

namespace {

// Everybody begins with rank 0: the direct exchange of Barchet-Estefanel and Mounié (2004), section 5, before its
// order is rotated.
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  std::vector<Rank> others;
  for (Rank other = 0; other < request.ranks; ++other) {
    if (other != rank) others.push_back(other);
  }
  exchange_at_once(others, others, request, parameters, rank, writer);
}

}  // namespace

const Algorithm alltoallv_linear{
    .name = "linear",
    .operation = Operation::alltoallv,
    .summary = "as direct, but all send to rank 0 first, then to 1, 2, ...; one receiver at a time is overrun",
    .write = write,
    .segments = true,
    .baseline = true,
};

}  // namespace tombolo
