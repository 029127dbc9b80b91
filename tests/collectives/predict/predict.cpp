// On equal links the predictor equals the closed forms of textbooks; a is the latency and b the time per byte.

#include <algorithm>
#include <bit>

#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/predict/lower_bound.hpp>
#include <tombolo/collectives/predict/predict.hpp>

#include "collectives/choose_by_model.hpp"
#include "collectives/requests.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using test::Spread;

namespace {

const Hockney model({.latency = 30'000'000, .rate = 1'000'000'000, .memory_rate = 1'000'000'000'000'000});
constexpr Picoseconds per_byte = 1000;

Picoseconds makespan(const Request& request, const Algorithm& algorithm, const Parameters& parameters = {}) {
  return predict(Plan(request, algorithm, parameters), model).makespan;
}

// The model with ranks whose processors work for the whole of a message, on some cores.
class OnCores final : public Model {
 public:
  static constexpr Picoseconds work = 5'000'000;
  OnCores(int ranks, int cores, Picoseconds wake_up) {
    std::vector<Rank> all;
    for (Rank rank = 0; rank < ranks; ++rank) all.push_back(rank);
    cores_ = SharedCores({{.ranks = all, .cores = cores, .wake_up = wake_up}}, ranks);
  }
  std::string name() const override { return "on cores"; }
  std::string describe() const override { return "on cores"; }
  MessageCost message(Rank, Rank, Bytes) const override {
    return {.overhead = work, .send = work, .transit = work, .receive_overhead = work};
  }
  Picoseconds local(Bytes bytes) const override { return bytes * per_byte; }
  Picoseconds longest_latency() const override { return 2 * work; }
  const SharedCores* shared_cores() const override { return cores_.any() ? &cores_ : nullptr; }

 private:
  SharedCores cores_;
};

int rounds(int ranks) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks) - 1));
}

}  // namespace

TEST_CASE("broadcasts take what their closed forms say") {
  for (int ranks = 2; ranks <= 40; ++ranks) {
    for (const std::int64_t bytes : {1, 1000, 1'000'000}) {
      const Request request = Request::bcast(ranks, ranks / 2, bytes, 1);
      CHECK(makespan(request, bcast_flat) == (ranks - 1) * model.time(bytes));
      CHECK(makespan(request, bcast_binomial) == rounds(ranks) * model.time(bytes));
      CHECK(makespan(request, bcast_chain) == (ranks - 1) * model.time(bytes));
    }
    // Segments that divide the vector: the last one leaves after all others, then crosses the rest of the chain.
    const Request request = Request::bcast(ranks, 0, 64'000, 1);
    for (const Bytes segment : {1000, 4000, 32'000}) {
      CHECK(makespan(request, bcast_chain, {.segment_bytes = segment}) ==
            (ranks - 2 + 64'000 / segment) * model.time(segment));
    }
  }
}

TEST_CASE("scatters and gathers take what their closed forms say") {
  for (int ranks = 2; ranks <= 40; ++ranks) {
    const std::int64_t block = 5000;
    const Request scatter = Request::scatterv(1, Blocks::equal(ranks, block), 1).with_in_place(true);
    const Request gather = Request::gatherv(1, Blocks::equal(ranks, block), 1).with_in_place(true);
    CHECK(makespan(scatter, scatterv_flat) == (ranks - 1) * model.time(block));
    CHECK(makespan(gather, gatherv_flat) == (ranks - 1) * model.time(block));
    if (std::has_single_bit(static_cast<unsigned>(ranks))) {
      const Picoseconds binomial = rounds(ranks) * model.time(0) + (ranks - 1) * block * per_byte;
      CHECK(makespan(scatter, scatterv_binomial) == binomial);
      CHECK(makespan(gather, gatherv_binomial) == binomial);
    }
  }
}

TEST_CASE("exchanges and barriers take what their closed forms say") {
  for (int ranks = 2; ranks <= 33; ++ranks) {
    const std::int64_t block = 700;
    const Request request = Request::alltoallv(ranks, AlltoallCounts::equal(ranks, block), 1);
    // The processor copies the rank's own block before it sends.
    CHECK(makespan(request, alltoallv_pairwise) == model.local(block) + (ranks - 1) * model.time(block));
    CHECK(makespan(request, alltoallv_direct) == (ranks - 1) * model.time(block));
    // All send to the last rank last, when each has sent P - 2 messages; P - 1 then come to it at a time.
    CHECK(makespan(request, alltoallv_linear) == (2 * ranks - 3) * model.time(block));
    const AlltoallCounts product = AlltoallCounts::product(
        Blocks::equal(ranks, 7), Blocks(std::vector<std::int64_t>(static_cast<std::size_t>(ranks), 100)));
    CHECK(makespan(Request::alltoallv(ranks, product, 1), alltoallv_pairwise) ==
          model.local(block) + (ranks - 1) * model.time(block));
    CHECK(makespan(Request::barrier(ranks), barrier_dissemination) == rounds(ranks) * model.time(0));
  }
}

TEST_CASE("no plan is predicted to beat the bound, and flat scatter of equal blocks to two ranks meets it") {
  std::mt19937 random(5);
  for (const int ranks : test::sanitized() ? std::vector{1, 2, 5, 13} : std::vector{1, 2, 3, 5, 8, 13, 61}) {
    for (const Operation operation : all_operations()) {
      for (const Spread spread : {Spread::none, Spread::equal, Spread::uneven, Spread::one}) {
        const Request request = test::request(operation, ranks, ranks / 3, spread, random);
        const Picoseconds bound = lower_bound(request, model);
        for (const Candidate& candidate : candidates(request, model)) {
          INFO(candidate.plan.describe());
          CHECK(candidate.predicted >= bound);
        }
      }
    }
  }
  const Request request = Request::scatterv(0, Blocks({9, 100, 0, 100}), 10).with_in_place(true);
  CHECK(makespan(request, scatterv_flat) == lower_bound(request, model));
}

TEST_CASE("ranks that begin late delay what waits for them, and nothing else") {
  const Request request = Request::bcast(4, 0, 1000, 1);
  const Plan plan(request, bcast_flat);
  const std::vector<Picoseconds> start{0, 0, 0, 500'000'000'000};
  const Prediction late = predict(plan, model, start);
  const Prediction prompt = predict(plan, model);
  CHECK(late.finish[1] == prompt.finish[1]);
  CHECK(late.finish[3] == start[3]);  // the message had long been there
  const std::vector<Picoseconds> root_late{500'000'000'000, 0, 0, 0};
  CHECK(predict(plan, model, root_late).makespan == root_late[0] + prompt.makespan);
}

TEST_CASE("windows hold messages back: a gather through a window of one takes its messages in order") {
  // Rank 1 begins late. Without a window the others' blocks come in meanwhile; with one they wait behind it in the
  // channel.
  const Request request = Request::gatherv(0, Blocks::equal(4, 1000), 1).with_in_place(true);
  const std::vector<Picoseconds> start{0, 90'000'000'000, 0, 0};
  const Prediction open = predict(Plan(request, gatherv_flat), model, start);
  const Prediction narrow =
      predict(Plan(request, gatherv_flat, {.window = 1, .channels = Channels::per_rank}), model, start);
  CHECK(open.makespan == start[1] + model.time(1000));
  CHECK(narrow.steps[0][1].end >= narrow.steps[0][0].end);
  CHECK(open.steps[0][1].end < open.steps[0][0].end);
}

TEST_CASE("learning counts is part of the predicted time") {
  const Request known = Request::scatterv(0, Blocks::equal(16, 8), 8);
  const Picoseconds without = makespan(known, scatterv_binomial);
  const Picoseconds with = makespan(known.knowing(Knowledge::as_in_mpi), scatterv_binomial);
  CHECK(with > without + 2 * model.time(0));
  CHECK(makespan(known.knowing(Knowledge::as_in_mpi), scatterv_flat) == makespan(known, scatterv_flat));
}

TEST_CASE("steps are inside the run and a rank sends one message at a time") {
  std::mt19937 random(2);
  for (const Algorithm* algorithm : all_algorithms()) {
    const Request request = test::request(algorithm->operation, 11, 4, Spread::uneven, random);
    const Plan plan(request, *algorithm);
    const Prediction prediction = predict(plan, model);
    for (Rank rank = 0; rank < request.ranks; ++rank) {
      const Schedule schedule = plan.schedule(rank);
      std::vector<StepTime> sends;
      for (StepId id = 0; id < schedule.size(); ++id) {
        const StepTime time = prediction.steps[static_cast<std::size_t>(rank)][static_cast<std::size_t>(id)];
        CHECK(time.start <= time.end);
        CHECK(time.end <= prediction.makespan);
        if (schedule.step(id).kind == Step::Kind::send) sends.push_back(time);
      }
      std::sort(sends.begin(), sends.end(), [](StepTime a, StepTime b) { return a.start < b.start; });
      for (std::size_t i = 1; i < sends.size(); ++i) CHECK(sends[i].start >= sends[i - 1].end);
    }
  }
}

TEST_CASE("the longest chain of messages is the depth of a tree, and a pipeline's segments after it") {
  CHECK(longest_chain(Plan(Request::bcast(8, 3, 100, 1), bcast_flat)) == 1);
  CHECK(longest_chain(Plan(Request::bcast(8, 3, 100, 1), bcast_binomial)) == 3);
  CHECK(longest_chain(Plan(Request::bcast(8, 3, 100, 1), bcast_chain)) == 7);
  CHECK(longest_chain(Plan(Request::bcast(8, 3, 100, 1), bcast_chain, {.segment_bytes = 10, .window = 1})) == 7 + 9);
  CHECK(longest_chain(Plan(Request::barrier(9), barrier_dissemination)) == 4);
  CHECK(longest_chain(Plan(Request::bcast(1, 0, 100, 1), bcast_flat)) == 0);
}

TEST_CASE("no schedule ends before the cores have done its work") {
  std::mt19937 random(7);
  for (const Algorithm* algorithm : all_algorithms()) {
    constexpr int ranks = 9;
    const Request request = test::request(algorithm->operation, ranks, 4, Spread::uneven, random);
    const Plan plan(request, *algorithm);
    INFO(plan.describe());
    const std::vector<Schedule> schedules = plan.schedules();
    Picoseconds work = 0;
    const OnCores one(ranks, 1, 0);
    for (Rank rank = 0; rank < ranks; ++rank) {
      for (const Step& step : schedules[static_cast<std::size_t>(rank)].steps()) {
        work += step.is_message() ? OnCores::work : one.local(step.count * request.element_bytes);
      }
    }
    for (int cores = 1; cores < ranks; ++cores) {
      CHECK(predict(plan, OnCores(ranks, cores, 0)).makespan >= work / cores);
      CHECK(predict(plan, OnCores(ranks, cores, 40'000'000)).makespan >= work / cores);
    }
  }
}

TEST_CASE("a core serves ranks in turn, and a rank that waits must be woken up") {
  constexpr Picoseconds work = OnCores::work;
  constexpr Picoseconds wake_up = 40'000'000;
  // One message after the other: each of the hops finds a core free, and a rank asleep.
  const Request chain = Request::bcast(6, 0, 1, 1);
  CHECK(predict(Plan(chain, bcast_chain), OnCores(6, 1, 0)).makespan == 5 * 2 * work);
  CHECK(predict(Plan(chain, bcast_chain), OnCores(6, 1, wake_up)).makespan == 5 * (2 * work + wake_up));
  // Five ranks send at once on two cores; the receiver, awake from the first message on, takes them one by one.
  const Request gather = Request::gatherv(0, Blocks::equal(6, 1), 1).with_in_place(true);
  CHECK(predict(Plan(gather, gatherv_flat), OnCores(6, 6, 0)).makespan == work + 5 * work);
  const Picoseconds shared = predict(Plan(gather, gatherv_flat), OnCores(6, 2, 0)).makespan;
  CHECK(shared > work + 5 * work);
  CHECK(shared <= 3 * work + 5 * work);
  CHECK(predict(Plan(gather, gatherv_flat), OnCores(6, 2, wake_up)).makespan <= wake_up + shared);
}

TEST_CASE("on shared cores, acknowledgements of messages through a window are work too") {
  const Request request = Request::bcast(3, 0, 4, 1);
  const auto makespan_of = [&](int window) {
    return predict(Plan(request, bcast_chain, {.segment_bytes = 1, .window = window}), OnCores(3, 1, 0)).makespan;
  };
  CHECK(makespan_of(0) == 8 * 2 * OnCores::work);
  CHECK(makespan_of(1) == 8 * 4 * OnCores::work);
}
