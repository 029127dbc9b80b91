#include <algorithm>

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/places.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 2;

// After round k a place has heard, directly or not, from the radix^k - 1 places before it (Hensgen, Finkel and Manber
// 1988, for a radix of 2).
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const Places places(request, parameters);
  const std::int64_t radix = parameters.radix > 0 ? parameters.radix : usual_radix;
  const int size = places.size();
  const int place = places.place(rank);
  std::vector<StepId> heard;
  for (std::int64_t distance = 1; distance < size; distance *= radix) {
    const std::vector<StepId> before = heard;
    for (std::int64_t away = distance; away < std::min<std::int64_t>(radix * distance, size); away += distance) {
      const int steps = static_cast<int>(away);
      heard.push_back(writer.await(places.rank((place - steps + size) % size), {}));
      writer.signal(places.rank((place + steps) % size), before);
    }
  }
}

}  // namespace

const Algorithm barrier_dissemination{
    .name = "dissemination",
    .operation = Operation::barrier,
    .summary = "every rank signals `radix` - 1 ranks, ever farther, in every round; ceil(log_radix(ranks)) rounds",
    .write = write,
    .radix = usual_radix,
};

}  // namespace tombolo
