#include <catch2/catch.hpp>

#include <tombolo/lab/relay/pace.hpp>

namespace {

using namespace tombolo;

TEST_CASE("a line without a limit is always free") {
  Pace pace;
  CHECK(!pace.limited());
  CHECK(pace.begin(17) == 17);
  CHECK(pace.take(17, 1514) == 17);
  CHECK(pace.begin(17) == 17);
  CHECK(pace.end(17, 1UL << 32) == 17);
}

TEST_CASE("a frame takes as long as its bits do") {
  Pace pace;
  pace.set(100'000'000);
  CHECK(pace.take(1000, 1250) == 101'000);
  CHECK(pace.begin(50'000) == 101'000);
  CHECK(pace.begin(200'000) == 200'000);
  CHECK(pace.end(200'000, 1250) == 300'000);
  CHECK(pace.take(200'000, 0) == 200'000);
}

TEST_CASE("many frames in a row take exactly as long as all their bits, at any rate") {
  for (const std::int64_t rate : {1'000LL, 7'000'000LL, 33'333'333LL, 300'000'000LL, 999'999'999'999LL}) {
    CAPTURE(rate);
    for (const std::size_t bytes : {1UL, 60UL, 1514UL, 65549UL}) {
      Pace pace;
      pace.set(rate);
      const int frames = 1000;
      for (int i = 0; i < frames; ++i) pace.take(pace.begin(5), bytes);
      const auto all = static_cast<std::int64_t>(bytes) * 8 * 1'000'000'000 * frames / rate;
      CHECK(pace.begin(5) == 5 + all);
    }
  }
}

TEST_CASE("a new rate is that of the next frame") {
  Pace pace;
  pace.set(8'000'000);
  CHECK(pace.take(0, 1000) == 1'000'000);
  pace.set(80'000'000);
  CHECK(pace.begin(0) == 1'000'000);
  CHECK(pace.take(1'000'000, 1000) == 1'100'000);
  pace.set(0);
  CHECK(pace.begin(0) == 0);
}

}  // namespace
