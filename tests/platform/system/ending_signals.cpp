#include <csignal>

#include <catch2/catch.hpp>

#include <tombolo/platform/system/ending_signals.hpp>

using namespace tombolo;

namespace {

volatile std::sig_atomic_t by_the_program = 0;

extern "C" void count(int /*signal*/) {
  by_the_program = by_the_program + 1;
}

}  // namespace

TEST_CASE("signals that end a run are caught in an object's lifetime, and longer if they are to be") {
  for (const int number : {SIGTERM, SIGINT}) {
    CAPTURE(number);
    by_the_program = 0;
    const auto before = std::signal(number, count);
    {
      const EndingSignals outer;
      { const EndingSignals inner; }
      CHECK(EndingSignals::arrived() == 0);
      std::raise(number);
      CHECK(EndingSignals::arrived() == number);
    }
    CHECK(by_the_program == 0);
    std::raise(number);
    CHECK(by_the_program == 1);
    {
      const EndingSignals run;
      CHECK(EndingSignals::arrived() == 0);
      EndingSignals::keep_catching();
    }
    std::raise(number);
    CHECK(EndingSignals::arrived() == number);
    CHECK(by_the_program == 1);
    { const EndingSignals next; }
    std::raise(number);
    CHECK(by_the_program == 2);
    (void)std::signal(number, before);
  }
}
