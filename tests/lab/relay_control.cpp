#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <tombolo/lab/relay/relay_control.hpp>
#include <tombolo/platform/json/json.hpp>

#include "lab/frames.hpp"

namespace {

using namespace tombolo;
using namespace test_frames;

Json ask(Shaper& shaper, const std::string& line) {
  const std::string answer = relay_answer(shaper, {.cpu_seconds = 0.5, .not_written = 3}, line);
  CHECK(answer.find('\n') == std::string::npos);
  return Json::parse(answer);
}

TEST_CASE("a link can be set while the relay runs") {
  Shaper shaper(all_linked(2, {.delay = 1000, .rate = 0, .most_wait = 0}));
  const std::string set = R"({"set": {"from": 0, "to": 1, "delay_us": 7.5, "rate_mbit": 0, "queue_ms": 60}})";
  CHECK(ask(shaper, set) == Json({{"ok", true}}));
  Bytes one = frame(0, 1, 0);
  shaper.accept(0, one, 0);
  CHECK(shaper.next() == 7500);
}

TEST_CASE("statistics say what every link has carried") {
  Shaper shaper(all_linked(2, {.delay = 1000, .rate = 8'000, .most_wait = 0}));
  for (int i = 0; i < 3; ++i) {
    Bytes one = frame(0, 1, 0, 100);
    shaper.accept(0, one, 0);
  }
  const auto arrival = shaper.arrival(1LL << 60);
  REQUIRE(arrival);
  shaper.handed_over(arrival->due + 12'500);
  const Json said = ask(shaper, R"({"statistics": true})");
  CHECK(said.at("cpu_s") == 0.5);
  CHECK(said.at("frames_unknown") == 0);
  CHECK(said.at("frames_not_written") == 3);
  REQUIRE(said.at("links").size() == 4);
  const Json expected = {{"from", 0},           {"to", 1},      {"frames", 1},
                         {"bytes", 100},        {"dropped", 2}, {"late_us_mean", 12.5},
                         {"late_us_most", 12.5}};
  CHECK(said.at("links").at(1) == expected);
}

TEST_CASE("what cannot be answered is an error of one line, and nothing changes") {
  Shaper shaper(all_linked(2, {.delay = 1000, .rate = 0, .most_wait = 0}));
  for (const char* line :
       {"", "{", "[]", "{}", R"({"statistics": false})", R"({"statistics": 1})", R"({"stop": true})", "\xff\xfe",
        R"({"set": {"from": 0, "to": 2, "delay_us": 7, "rate_mbit": 0, "queue_ms": 60}})",
        R"({"set": {"from": 0, "to": 1, "delay_us": -7, "rate_mbit": 0, "queue_ms": 60}})",
        R"({"set": {"from": 0, "to": 1, "delay_us": 7, "rate_mbit": 0}})",
        R"({"statistics": true, "set": {"from": 0, "to": 1, "delay_us": 7, "rate_mbit": 0, "queue_ms": 60}})"}) {
    CAPTURE(line);
    const Json said = ask(shaper, line);
    REQUIRE(said.contains("error"));
    CHECK(said.at("error").get<std::string>().find("; ") != std::string::npos);
  }
  Bytes one = frame(0, 1, 0);
  shaper.accept(0, one, 0);
  CHECK(shaper.next() == 1000);
}

}  // namespace
