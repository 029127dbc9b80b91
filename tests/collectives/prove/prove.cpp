#include <limits>
#include <map>
#include <string>

#include <catch2/catch.hpp>

#include <tombolo/collectives/prove/prove.hpp>

#include "collectives/mutations.hpp"
#include "collectives/requests.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using test::Spread;

namespace {

const std::vector<int> test_ranks = test::sanitized() ? std::vector<int>{2, 5} : std::vector<int>{2, 3, 5, 8};

std::vector<Schedule> schedules(const Plan& plan) {
  std::vector<Schedule> all;
  for (Rank rank = 0; rank < plan.request().ranks; ++rank) all.push_back(plan.schedule(rank));
  return all;
}

// Orders that no data needs may be broken without harm: the pace of pairwise and of neighbours, the order of sends of
// scans by halving.
bool only_paces(const Algorithm& algorithm, const std::string& what) {
  const bool scans = algorithm.operation == Operation::scan || algorithm.operation == Operation::exscan;
  const bool halves = scans && algorithm.name == "recursive_halving";
  return what.starts_with("forgotten order") &&
         (halves || algorithm.name == "pairwise" || algorithm.name == "neighbor_exchange");
}

Schedule written(void (*write)(ScheduleWriter&)) {
  ScheduleWriter writer;
  write(writer);
  return std::move(writer).finish();
}

constexpr BufferRange all_of(Buffer buffer) {
  return {buffer, 0, 4};
}

}  // namespace

TEST_CASE("every mutation of one step of any algorithm is caught") {
  std::map<std::string, int> caught;
  for (const Algorithm* algorithm : all_algorithms()) {
    std::mt19937 random(3);
    for (const int ranks : test_ranks) {
      for (const auto& [root, segment] : {std::pair<Rank, Bytes>{0, 128}, {ranks - 1, 0}}) {
        const Request request = test::request(algorithm->operation, ranks, root, Spread::equal, random);
        const Plan plan(request, *algorithm, {.segment_bytes = segment});
        const std::vector<Schedule> good = schedules(plan);
        REQUIRE(prove(request, good).holds());
        test::for_each_mutant(good, [&](const test::Mutant& mutant) {
          if (only_paces(*algorithm, mutant.what)) return;
          if (prove(request, mutant.schedules).holds())
            FAIL("not caught in " << plan.describe() << ": " << mutant.what);
          ++caught[mutant.what.substr(0, mutant.what.find(" at "))];
        });
      }
    }
  }
  for (const char* kind : {"wrong peer", "dropped step", "moved range read", "moved range written", "shorter range",
                           "swapped order", "forgotten order", "swapped messages"}) {
    INFO(kind);
    CHECK(caught[kind] > 100);
  }
}

TEST_CASE("a message that both sides forget is caught") {
  const Request request = Request::bcast(4, 0, 4, 8);
  std::vector<Schedule> flat = schedules(Plan(request, bcast_flat));
  flat[0] = test::without(flat[0], 1);
  flat[2] = test::without(flat[2], 0);
  CHECK_THAT(*prove(request, flat).fault, Catch::Contains("has no other side") || Catch::Contains("wrong element"));
}

TEST_CASE("a deadlock is caught, also one that only rendezvous or full windows bring about") {
  const Request request = Request::alltoallv(2, AlltoallCounts::equal(2, 4), 8);
  const auto exchange = [](bool receive_first) {
    ScheduleWriter writer;
    const Rank peer = 1;
    const auto send = [&](const std::vector<StepId>& after) {
      return writer.send(peer, {{Buffer::input, 4, 4}}, {.after = after});
    };
    const auto receive = [&](const std::vector<StepId>& after) {
      return writer.receive(peer, {{Buffer::output, 4, 4}}, {.after = after});
    };
    if (receive_first) {
      send({receive({})});
    } else {
      receive({send({})});
    }
    writer.copy({{Buffer::input, 0, 4}}, {{Buffer::output, 0, 4}});
    return std::move(writer).finish();
  };
  const auto mirrored = [](const Schedule& schedule) {
    Schedule::Parts parts = schedule.parts();
    for (Step& step : parts.steps) step.peer = step.is_message() ? 0 : step.peer;
    for (BufferRange& piece : parts.pieces) piece.offset = 4 - piece.offset;
    return Schedule(parts);
  };
  const Schedule receive_first = exchange(true);
  const Schedule send_first = exchange(false);
  CHECK(prove(request, std::vector{receive_first, mirrored(send_first)}).holds());
  CHECK_THAT(*prove(request, std::vector{receive_first, mirrored(receive_first)}).fault, Catch::Contains("for ever"));
  CHECK_THAT(*prove(request, std::vector{send_first, mirrored(send_first)}).fault, Catch::Contains("for ever"));

  // One channel of one message under way, in the same order on both sides: each waits for the other's receive.
  const auto narrow = [](const Schedule& schedule) {
    Schedule::Parts parts = schedule.parts();
    parts.windows.push_back(1);
    for (Step& step : parts.steps) {
      step.channel = step.is_message() ? 1 : 0;
      step.after = {};
    }
    return Schedule(parts);
  };
  CHECK(prove(request, std::vector{narrow(send_first), mirrored(narrow(receive_first))}).holds());
  CHECK_THAT(*prove(request, std::vector{narrow(send_first), mirrored(narrow(send_first))}).fault,
             Catch::Contains("for ever"));
}

TEST_CASE("a barrier through which somebody slips is caught") {
  const Request request = Request::barrier(3);
  const Schedule pass = written([](ScheduleWriter& w) {
    w.signal(1, {});
    w.await(1, {});
  });
  const Schedule middle = written([](ScheduleWriter& w) {
    const StepId heard = w.await(0, {});
    w.signal(0, {heard});
  });
  CHECK_THAT(*prove(request, std::vector{pass, middle, Schedule()}).fault, Catch::Contains("before rank 2 has begun"));
}

TEST_CASE("reductions out of order, twice or of other elements are caught") {
  Request request = Request::reduce(2, 0, 4, 8);
  const Schedule leaf = written([](ScheduleWriter& w) { w.send(0, {all_of(Buffer::input)}); });
  const Schedule in_order = written([](ScheduleWriter& w) {
    w.receive(1, {all_of(Buffer::output)});
    w.reduce({all_of(Buffer::input)}, {all_of(Buffer::output)});
  });
  const Schedule reversed = written([](ScheduleWriter& w) {
    w.scratch(4);
    w.receive(1, {all_of(Buffer::scratch)});
    w.copy({all_of(Buffer::input)}, {all_of(Buffer::output)});
    w.reduce({all_of(Buffer::scratch)}, {all_of(Buffer::output)});
  });
  const Schedule twice = written([](ScheduleWriter& w) {
    w.receive(1, {all_of(Buffer::output)});
    w.reduce({all_of(Buffer::input)}, {all_of(Buffer::output)});
    w.reduce({all_of(Buffer::input)}, {all_of(Buffer::output)});
  });
  const Schedule crossed = written([](ScheduleWriter& w) {
    w.receive(1, {all_of(Buffer::output)});
    w.reduce({{Buffer::input, 2, 2}, {Buffer::input, 0, 2}}, {all_of(Buffer::output)});
  });
  CHECK(prove(request, std::vector{in_order, leaf}).holds());
  CHECK(prove(request, std::vector{reversed, leaf}).holds());
  CHECK_THAT(*prove(request, std::vector{twice, leaf}).fault, Catch::Contains("contribution twice"));
  CHECK_THAT(*prove(request, std::vector{crossed, leaf}).fault, Catch::Contains("different indices"));
  request.commutative = false;
  CHECK(prove(request, std::vector{in_order, leaf}).holds());
  CHECK_THAT(*prove(request, std::vector{reversed, leaf}).fault, Catch::Contains("does not commute"));
}

TEST_CASE("scratch beyond what the call is about is refused") {
  const Request request = Request::bcast(2, 0, 4, 8);
  std::vector<Schedule> greedy = schedules(Plan(request, bcast_flat));
  Schedule::Parts parts = greedy[1].parts();
  parts.scratch = 1000;
  greedy[1] = Schedule(parts);
  CHECK_THAT(*prove(request, greedy).fault, Catch::Contains("scratch"));
}

TEST_CASE("a proof counts what a plan costs") {
  const Proof flat = prove(Plan(Request::bcast(8, 0, 100, 8), bcast_flat));
  CHECK(flat.messages == 7);
  CHECK(flat.elements_moved == 700);
  const Proof binomial = prove(Plan(Request::scatterv(0, Blocks::equal(8, 10), 8), scatterv_binomial));
  CHECK(binomial.messages == 7);
  CHECK(binomial.elements_moved == 120);  // 40 across the middle, twice 20, four times 10
  CHECK(binomial.largest_scratch == 30);
  CHECK(prove(Plan(Request::barrier(13), barrier_dissemination)).messages == std::int64_t{13} * 4);
}

TEST_CASE("several trees at once, segments in windows and levels are plain steps to the prover") {
  // Two trees over four ranks, each carrying half the vector: 0 > 1 > 2 > 3 and 0 > 3 > 2 > 1.
  const Request request = Request::bcast(4, 0, 8, 8);
  std::vector<Schedule> both;
  for (Rank rank = 0; rank < 4; ++rank) {
    ScheduleWriter writer;
    const int channel = writer.channel(2);
    for (std::int64_t at = 0; at < 4; ++at) {
      for (const int direction : {1, 3}) {
        const BufferRange segment{Buffer::output, at + (direction == 1 ? 0 : 4), 1};
        if (rank != 0) writer.receive((rank + 4 - direction) % 4, {segment});
        if ((rank + direction) % 4 != 0) writer.send((rank + direction) % 4, {segment}, {.channel = channel});
      }
    }
    both.push_back(std::move(writer).finish());
  }
  const Proof proof = prove(request, both);
  INFO(proof.fault.value_or(""));
  CHECK(proof.holds());
  CHECK(proof.messages == 24);
}

TEST_CASE("what a rank may not touch, it may not touch") {
  const auto fault = [](const Request& request, const std::vector<Schedule>& all) {
    return prove(request, all).fault.value_or("none");
  };
  const Request gather = Request::gatherv(0, Blocks::equal(2, 4), 8);
  std::vector<Schedule> flat = schedules(Plan(gather, gatherv_flat));
  const auto with_step_on_rank_1 = [&flat](void (*more)(ScheduleWriter&)) {
    ScheduleWriter writer;
    writer.send(0, {all_of(Buffer::input)});
    more(writer);
    return std::vector{flat[0], std::move(writer).finish()};
  };
  CHECK(fault(gather, flat) == "none");
  CHECK_THAT(fault(gather, with_step_on_rank_1([](ScheduleWriter& w) {
                     w.scratch(4);
                     w.copy({all_of(Buffer::input)}, {all_of(Buffer::scratch)});
                     w.copy({{Buffer::scratch, 1, 1}}, {{Buffer::input, 0, 1}});
                   })),
             Catch::Contains("writes to the input"));
  CHECK_THAT(fault(gather, with_step_on_rank_1([](ScheduleWriter& w) {
                     w.copy({{Buffer::counts, 0, 1}}, {{Buffer::counts, 1, 1}});
                   })),
             Catch::Contains("counts[0] of 0"));
  CHECK_THAT(fault(gather, with_step_on_rank_1([](ScheduleWriter& w) {
                     w.scratch(4);
                     w.copy({all_of(Buffer::input)}, {all_of(Buffer::scratch)});
                     w.reduce({all_of(Buffer::input)}, {all_of(Buffer::scratch)});
                   })),
             Catch::Contains("no operation to apply"));
  Schedule::Parts parts = flat[1].parts();
  parts.pieces.front().offset = std::numeric_limits<std::int64_t>::max();
  CHECK_THAT(fault(gather, {flat[0], Schedule(parts)}), Catch::Contains("touches 4 elements"));
  CHECK_THAT(fault(gather, {flat[0]}), Catch::Contains("1 schedules for 2 ranks"));
}
