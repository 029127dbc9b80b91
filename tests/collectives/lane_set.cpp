#include <catch2/catch.hpp>

#include <tombolo/collectives/lane_set.hpp>

using namespace tombolo;

TEST_CASE("a lane for each peer, or one for all, or the one without a window") {
  ScheduleWriter writer;
  LaneSet unbounded = LaneSet::with_children(writer, {});
  CHECK((unbounded.lane(1) == 0 && unbounded.lane(2) == 0));
  LaneSet by_link = LaneSet::with_children(writer, {.window = 3});
  const int first = by_link.lane(4);
  const int second = by_link.lane(5);
  CHECK((first != 0 && second != 0 && first != second && by_link.lane(4) == first));
  LaneSet by_rank = LaneSet::with_children(writer, {.window = 2, .lanes = Lanes::per_rank});
  const int all = by_rank.lane(4);
  CHECK((all != 0 && by_rank.lane(5) == all));
  CHECK(lane_of_single_messages(writer, {.window = 2}) == 0);
  const int single = lane_of_single_messages(writer, {.window = 4, .lanes = Lanes::per_rank});
  for (Rank peer = 1; peer <= 5; ++peer) writer.send(peer, {{Buffer::input, 0, 1}}, {.lane = single});
  const Schedule schedule = std::move(writer).finish();
  CHECK(schedule.window(schedule.step(0)) == 4);
  CHECK(schedule.windows()[static_cast<std::size_t>(second)] == 3);
  CHECK(schedule.windows()[static_cast<std::size_t>(all)] == 2);
}

TEST_CASE("a long link has a lane of its own, with more under way") {
  ScheduleWriter writer;
  LaneSet shared(writer, 2, Lanes::per_rank);
  const int near = shared.lane(5);
  CHECK(shared.lane(6) == near);
  const int far = shared.lane(7, 10);
  CHECK(far != near);
  CHECK(shared.lane(7, 10) == far);
  CHECK(shared.lane(8, 10) != far);
  const Schedule schedule = std::move(writer).finish();
  CHECK(schedule.windows()[static_cast<std::size_t>(near)] == 2);
  CHECK(schedule.windows()[static_cast<std::size_t>(far)] == 12);
  ScheduleWriter other;
  CHECK(LaneSet(other, 0, Lanes::per_link).lane(7, 10) == 0);
}
