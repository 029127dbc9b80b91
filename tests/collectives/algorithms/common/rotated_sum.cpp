#include <catch2/catch.hpp>

#include <tombolo/collectives/algorithms/common/rotated_sum.hpp>

using namespace tombolo;

namespace {

constexpr BufferRange own{Buffer::input, 0, 4};
constexpr BufferRange output{Buffer::output, 0, 4};

}  // namespace

TEST_CASE("areas are used in turn, the output last or where it is asked for") {
  ScheduleWriter writer;
  VectorAreas areas;
  areas.add(output);
  areas.add_scratch(2, 4, writer);
  const BufferRange first = areas.take();
  CHECK(first == BufferRange{Buffer::scratch, 0, 4});
  CHECK(areas.take_output() == output);
  CHECK(areas.take() == BufferRange{Buffer::scratch, 4, 4});
  areas.give_back(first);
  CHECK(areas.take_output() == first);
}

TEST_CASE("a sum in rotation reads its own vector once, and copies it only where nothing above it came") {
  for (const bool above : {true, false}) {
    ScheduleWriter writer;
    VectorAreas areas;
    areas.add(output);
    areas.add_scratch(2, 4, writer);
    RotatedSum sum(own, areas, writer);
    for (int from = 0; from < 2; ++from) {
      const BufferRange arrived = areas.take();
      writer.receive(from, {arrived});
      above ? sum.add_above(arrived) : sum.add_below(arrived);
    }
    const BufferRange result = sum.finish();
    CHECK((result == output) == !above);
    const Schedule schedule = std::move(writer).finish();
    int copies = 0;
    int reductions = 0;
    for (const Step& step : schedule.steps()) {
      copies += step.kind == Step::Kind::copy ? 1 : 0;
      reductions += step.kind == Step::Kind::reduce ? 1 : 0;
    }
    CHECK(copies == (above ? 0 : 1));
    CHECK(reductions == 2);
  }
}
