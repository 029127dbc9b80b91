#include <catch2/catch.hpp>

#include <tombolo/collectives/algorithms/common/channel_set.hpp>

using namespace tombolo;

TEST_CASE("a lane for each peer, or one for all, or the one without a window") {
  ScheduleWriter writer;
  ChannelSet unbounded = ChannelSet::with_children(writer, {});
  CHECK((unbounded.channel(1) == 0 && unbounded.channel(2) == 0));
  ChannelSet by_link = ChannelSet::with_children(writer, {.window = 3});
  const int first = by_link.channel(4);
  const int second = by_link.channel(5);
  CHECK((first != 0 && second != 0 && first != second && by_link.channel(4) == first));
  ChannelSet by_rank = ChannelSet::with_children(writer, {.window = 2, .channels = Channels::per_rank});
  const int all = by_rank.channel(4);
  CHECK((all != 0 && by_rank.channel(5) == all));
  CHECK(channel_of_single_messages(writer, {.window = 2}) == 0);
  const int single = channel_of_single_messages(writer, {.window = 4, .channels = Channels::per_rank});
  for (Rank peer = 1; peer <= 5; ++peer) writer.send(peer, {{Buffer::input, 0, 1}}, {.channel = single});
  const Schedule schedule = std::move(writer).finish();
  CHECK(schedule.window(schedule.step(0)) == 4);
  CHECK(schedule.windows()[static_cast<std::size_t>(second)] == 3);
  CHECK(schedule.windows()[static_cast<std::size_t>(all)] == 2);
}

TEST_CASE("a long link has a lane of its own, with more under way") {
  ScheduleWriter writer;
  ChannelSet shared(writer, 2, Channels::per_rank);
  const int near = shared.channel(5);
  CHECK(shared.channel(6) == near);
  const int far = shared.channel(7, 10);
  CHECK(far != near);
  CHECK(shared.channel(7, 10) == far);
  CHECK(shared.channel(8, 10) != far);
  const Schedule schedule = std::move(writer).finish();
  CHECK(schedule.windows()[static_cast<std::size_t>(near)] == 2);
  CHECK(schedule.windows()[static_cast<std::size_t>(far)] == 12);
  ScheduleWriter other;
  CHECK(ChannelSet(other, 0, Channels::per_link).channel(7, 10) == 0);
}
