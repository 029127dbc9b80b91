#include <catch2/catch.hpp>

#include <tombolo/collectives/lanes.hpp>

using namespace tombolo;

TEST_CASE("a lane for each peer, or one for all, or the one without a window") {
  ScheduleWriter writer;
  PeerLanes unbounded(writer, {});
  CHECK((unbounded.to(1) == 0 && unbounded.to(2) == 0));
  PeerLanes by_link(writer, {.window = 3});
  const int first = by_link.to(4);
  const int second = by_link.to(5);
  CHECK((first != 0 && second != 0 && first != second && by_link.to(4) == first));
  PeerLanes by_rank(writer, {.window = 2, .lanes = Lanes::per_rank});
  const int all = by_rank.to(4);
  CHECK((all != 0 && by_rank.to(5) == all));
  CHECK(lane_of_single_messages(writer, {.window = 2}) == 0);
  const int single = lane_of_single_messages(writer, {.window = 4, .lanes = Lanes::per_rank});
  writer.send(1, {{Buffer::input, 0, 1}}, {.lane = single});
  const Schedule schedule = std::move(writer).finish();
  CHECK(schedule.window(schedule.step(0)) == 4);
  CHECK(schedule.windows()[static_cast<std::size_t>(second)] == 3);
  CHECK(schedule.windows()[static_cast<std::size_t>(all)] == 2);
}
