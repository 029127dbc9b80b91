// What the predictor makes of processors, sends that wait for their receives, flows that share, and windows.

#include <memory>

#include <catch2/catch.hpp>

#include <tombolo/collectives/predict/predict.hpp>

#include "requests.hpp"

using namespace tombolo;

namespace {

constexpr Picoseconds us = 1'000'000;

// One link that everything goes over, at a byte in a microsecond.
class OneLink : public Network {
 public:
  OneLink() { add_link(1'000'000); }
  void find_route(Rank, Rank, Route& route) const override { route = {.uses = {{0, whole}}, .weight = 1}; }
};

// Costs as the test says; local work takes a microsecond per byte.
class Given : public Model {
 public:
  explicit Given(MessageCost cost, bool flows = false) : cost_(cost) {
    if (flows) network_ = std::make_unique<OneLink>();
  }
  std::string name() const override { return "given"; }
  std::string describe() const override { return "given"; }
  MessageCost message(Rank, Rank, Bytes bytes) const override {
    MessageCost cost = cost_;
    if (network_) cost.flow.bytes = bytes;
    return cost;
  }
  Picoseconds local(Bytes bytes) const override { return bytes * us; }
  Picoseconds longest_latency() const override { return 0; }
  const Network* network() const override { return network_.get(); }

 private:
  MessageCost cost_;
  std::unique_ptr<Network> network_;
};

Picoseconds makespan(const Request& request, const Algorithm& algorithm, const Model& model, Parameters how = {}) {
  return predict(Plan(request, algorithm, how), model).makespan;
}

// Two ranks, of which the second works for `work` bytes before it receives `messages` messages of a byte.
std::vector<Schedule> late_receiver(std::int64_t work, int messages, int window) {
  ScheduleWriter sender;
  ScheduleWriter receiver;
  const int channel = sender.channel(window);
  const StepId copied = receiver.copy({{Buffer::input, 0, work}}, {{Buffer::output, 0, work}});
  for (int m = 0; m < messages; ++m) {
    sender.send(1, {{Buffer::input, m, 1}}, {.channel = channel});
    receiver.receive(0, {{Buffer::output, work + m, 1}}, {.after = {copied}});
  }
  return {std::move(sender).finish(), std::move(receiver).finish()};
}

}  // namespace

TEST_CASE("receives of a window's messages cost less where synchronous sends spare them") {
  MessageCost cost{
      .overhead = us, .send = us, .transit = us, .receive_overhead = 4 * us, .saved_if_synchronous = 3 * us};
  const auto received = [&](int window) { return predict(late_receiver(20, 3, window), 1, Given(cost)).finish[1]; };
  CHECK(received(0) == 20 * us + 3 * 4 * us);
  CHECK(received(2) == 20 * us + 3 * us);
  cost.saved_if_synchronous = 0;
  CHECK(received(2) == received(0));
}

TEST_CASE("a processor does overheads one after the other, of sends as of receives") {
  const Given model({.overhead = 2 * us, .send = 2 * us, .transit = 2 * us + 10 * us, .receive_overhead = 3 * us});
  for (int ranks = 2; ranks <= 9; ++ranks) {
    // The last message leaves after all others; they arrive at different ranks.
    CHECK(makespan(Request::scatterv(0, Blocks::equal(ranks, 1), 1).with_in_place(true), scatterv_flat, model) ==
          (ranks - 1) * 2 * us + 10 * us + 3 * us);
    // All arrive together; the root receives them one after the other.
    CHECK(makespan(Request::gatherv(0, Blocks::equal(ranks, 1), 1).with_in_place(true), gatherv_flat, model) ==
          2 * us + 10 * us + (ranks - 1) * 3 * us);
  }
}

TEST_CASE("what comes before it is asked for waits, or has not even left") {
  constexpr Picoseconds work = 100 * us;
  const auto end_of_receive = [&](const MessageCost& cost) {
    return predict(late_receiver(100, 1, 0), 1, Given(cost)).finish[1];
  };
  MessageCost cost{.overhead = 2 * us, .send = 2 * us, .transit = 12 * us, .receive_overhead = 3 * us};
  CHECK(end_of_receive(cost) == work + 3 * us);
  cost.awaits_receive = true;
  cost.transit_after_posting = 10 * us;
  CHECK(end_of_receive(cost) == work + 10 * us + 3 * us);
  cost.transit_after_posting = 0;
  CHECK(end_of_receive(cost) == work + 3 * us);
  cost.transit = 500 * us;  // posted long before
  CHECK(end_of_receive(cost) == 500 * us + 3 * us);
}

TEST_CASE("a window costs what the sender waits for: the arrival, whatever sends without one wait for") {
  MessageCost cost{.overhead = us, .send = us, .transit = 11 * us};
  const auto last = [&](int window) { return predict(late_receiver(1, 6, window), 1, Given(cost)).makespan; };
  for (const bool synchronous : {false, true}) {
    cost.synchronous = synchronous;
    CHECK(last(0) == 5 * us + 11 * us);
    CHECK(last(1) == 6 * 11 * us);
    CHECK(last(2) == 3 * 11 * us + us);
    CHECK(last(6) == last(0));
  }
}

TEST_CASE("flows share what they go over, and nothing is through before its bytes are") {
  const Given model({.transit = 5 * us}, true);
  for (int ranks = 2; ranks <= 9; ++ranks) {
    // All at once over one link of a byte a microsecond.
    const Picoseconds shared = makespan(Request::bcast(ranks, 0, 1000, 1), bcast_flat, model);
    CHECK(seconds(shared) == Approx(seconds(5 * us + (ranks - 1) * 1000 * us)).epsilon(1e-4));
  }
  // A port that is busy for longer than the bytes flow decides; so does a wire.
  CHECK(makespan(Request::bcast(2, 0, 10, 1), bcast_flat, Given({.transit = us, .receive = 50 * us}, true)) == 51 * us);
  CHECK(makespan(Request::bcast(2, 0, 10, 1), bcast_flat, Given({.wire = 70 * us, .receive = us}, true)) == 71 * us);
  CHECK(makespan(Request::bcast(2, 0, 10, 1), bcast_flat, Given({.receive = us}, true)) == 10 * us);
}
