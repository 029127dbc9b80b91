#include <catch2/catch.hpp>

#include <tombolo/collectives/algorithms/common/segments.hpp>
#include <tombolo/collectives/plan/progress.hpp>
#include <tombolo/collectives/plan/schedule_writer.hpp>

using namespace tombolo;

namespace {

std::vector<StepId> after(const Schedule& schedule, StepId id) {
  const auto waits = schedule.after(schedule.step(id));
  return {waits.begin(), waits.end()};
}

constexpr BufferRange out(std::int64_t offset, std::int64_t count) {
  return {Buffer::output, offset, count};
}

}  // namespace

TEST_CASE("order follows from what steps read and write") {
  ScheduleWriter writer;
  const StepId first = writer.receive(1, {out(0, 10)});
  const StepId second = writer.receive(1, {out(10, 10)});
  const StepId forward = writer.send(2, {out(5, 10)});  // reads what both wrote
  const StepId other = writer.send(2, {out(0, 5)});     // reads the first only
  const StepId again = writer.receive(1, {out(0, 6)});  // overwrites what both sends read
  const StepId elsewhere = writer.send(3, {{Buffer::input, 0, 4}});
  const Schedule schedule = std::move(writer).finish();
  CHECK(after(schedule, first).empty());
  CHECK(after(schedule, second).empty());
  CHECK(after(schedule, forward) == std::vector{first, second});
  CHECK(after(schedule, other) == std::vector{first});
  CHECK(after(schedule, again) == std::vector{forward, other});
  CHECK(after(schedule, elsewhere).empty());
}

TEST_CASE("pieces that touch become one, empty ones vanish, and a message of nothing is left out") {
  ScheduleWriter writer;
  CHECK(writer.send(1, {out(3, 0)}) == no_step);
  const StepId send = writer.send(1, {out(0, 4), out(4, 0), out(4, 2), out(9, 1)});
  writer.send(1, {out(0, 1)});
  writer.signal(1, {});
  const Schedule schedule = std::move(writer).finish();
  CHECK(schedule.from(schedule.step(send)).size() == 2);
  CHECK(schedule.step(send).count == 7);
  CHECK(schedule.step(0).tag == 0);
  CHECK(schedule.step(1).tag == 1);
  CHECK(schedule.step(2).tag == 2);
}

TEST_CASE("a lane starts messages in order, no more at a time than its window") {
  ScheduleWriter writer;
  const int channel = writer.channel(2);
  CHECK(writer.channel(0) == 0);
  for (std::int64_t i = 0; i < 5; ++i) writer.send(1, {{Buffer::input, i, 1}}, {.channel = channel});
  writer.send(2, {{Buffer::input, 0, 1}});
  const Schedule schedule = std::move(writer).finish();
  Progress progress(schedule);
  CHECK(progress.next() == 0);
  CHECK(progress.next() == 1);
  CHECK(progress.next() == 5);  // channel 0 has no limit
  CHECK(progress.next() == no_step);
  progress.complete(1);
  CHECK(progress.next() == 2);
  CHECK(progress.next() == no_step);
  progress.complete(0);
  progress.complete(2);
  CHECK(progress.next() == 3);
  CHECK(progress.next() == 4);
  for (const StepId id : {3, 4, 5}) progress.complete(id);
  CHECK(progress.done());
}

TEST_CASE("a lane does not let a later message pass one that has to wait") {
  ScheduleWriter writer;
  const int channel = writer.channel(1);
  const StepId arrival = writer.receive(1, {out(0, 1)});
  const StepId blocked = writer.send(2, {out(0, 1)}, {.channel = channel});
  const StepId behind = writer.send(2, {{Buffer::input, 0, 1}}, {.channel = channel});
  const Schedule schedule = std::move(writer).finish();
  Progress progress(schedule);
  CHECK(progress.next() == arrival);
  CHECK(progress.next() == no_step);
  progress.complete(arrival);
  CHECK(progress.next() == blocked);
  CHECK(progress.next() == no_step);
  progress.complete(blocked);
  CHECK(progress.next() == behind);
}

TEST_CASE("a lane with no more messages than its window is none") {
  for (const int messages : {1, 3, 4}) {
    ScheduleWriter writer;
    const int channel = writer.channel(3);
    for (int i = 0; i < messages; ++i) writer.send(1, {{Buffer::input, i, 1}}, {.channel = channel});
    const Schedule schedule = std::move(writer).finish();
    CHECK(schedule.window(schedule.step(0)) == (messages > 3 ? 3 : 0));
  }
}

TEST_CASE("segments end on element boundaries and cover the vector") {
  for (const std::int64_t count : {0, 1, 7, 64, 1000}) {
    for (const Bytes element : {1, 3, 8, 100}) {
      for (const Bytes limit : {0, 1, 8, 64, 5000}) {
        std::int64_t next = 5;
        for (const BufferRange& piece : segments(out(5, count), element, limit)) {
          CHECK(piece.offset == next);
          CHECK(piece.count > 0);
          if (limit > 0) CHECK((piece.count == 1 || piece.count * element <= limit));
          next = piece.end();
        }
        CHECK(next == 5 + count);
        const std::vector<BufferRange> equal = equal_segments(out(5, count), element, limit);
        CHECK(equal.size() <= segments(out(5, count), element, limit).size());
        next = 5;
        for (const BufferRange& piece : equal) {
          CHECK(piece.offset == next);
          CHECK((limit == 0 || piece.count == 1 || piece.count * element <= limit));
          CHECK((piece.count == equal.front().count || piece.end() == 5 + count));
          next = piece.end();
        }
        CHECK(next == 5 + count);
      }
    }
  }
}
