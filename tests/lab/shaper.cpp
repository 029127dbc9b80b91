#include <set>

#include <catch2/catch.hpp>

#include <tombolo/lab/relay/shaper.hpp>
#include <tombolo/units.hpp>

#include "lab/frames.hpp"

namespace {

using namespace tombolo;
using namespace test_frames;
using test_frames::Bytes;

constexpr Nanoseconds ms = 1'000'000;
constexpr Nanoseconds for_ever = 1LL << 60;

struct Left {
  int site;
  int number;
  Nanoseconds due;
  MacAddress to;
};

/// All that is due until then, handed over when due.
std::vector<Left> all_until(Shaper& shaper, Nanoseconds until = for_ever) {
  std::vector<Left> left;
  while (const auto arrival = shaper.arrival(until)) {
    left.push_back({arrival->site, number_of(arrival->frame), arrival->due, *card_of(arrival->frame)});
    shaper.handed_over(arrival->due);
  }
  return left;
}

void send(Shaper& shaper, int from, int to, Nanoseconds now, std::size_t bytes = 64, std::uint8_t number = 0) {
  Bytes made = frame(from, to, 1, bytes, number);
  shaper.accept(from, made, now);
}

RelayCounts counts_of(const Shaper& shaper, int from, int to) {
  RelayCounts found;
  shaper.each_link([&](int a, int b, const RelayCounts& counts) {
    if (a == from && b == to) found = counts;
  });
  return found;
}

TEST_CASE("a frame arrives after its bits and the distance, with new addresses") {
  for (const int sites : {1, 2, 3, 7}) {
    const RelayShape shape{.delay = 5 * ms, .rate = 8'000'000, .most_wait = 10 * ms};
    Shaper shaper(all_linked(sites, shape));
    for (int from = 0; from < sites; ++from) {
      for (int to = 0; to < sites; ++to) {
        const Nanoseconds now = 100 * ms * (from * sites + to);
        send(shaper, from, to, now, 1000, 9);
        CHECK(!shaper.arrival(now + 6 * ms - 1));
        CHECK(shaper.next() == now + 6 * ms);
        const std::vector<Left> left = all_until(shaper);
        REQUIRE(left.size() == 1);
        CHECK(left[0].due == now + 6 * ms);
        CHECK(left[0].site == to);
        CHECK(left[0].number == 9);
        CHECK(left[0].to == card(to, 1));
        CHECK(!shaper.next());
      }
    }
    CHECK(shaper.unknown() == 0);
  }
}

TEST_CASE("without a limit, a delay and a queue a frame arrives at once, and none is dropped") {
  Shaper shaper(all_linked(2, {}));
  for (int i = 0; i < 1000; ++i) send(shaper, 0, 1, 5, 1514, static_cast<std::uint8_t>(i % 256));
  const std::vector<Left> left = all_until(shaper, 5);
  REQUIRE(left.size() == 1000);
  for (std::size_t i = 0; i < left.size(); ++i) CHECK(left[i].number == static_cast<int>(i % 256));
}

TEST_CASE("frames that would wait too long are dropped, and only these") {
  const RelayShape shape{.delay = ms, .rate = 8'000'000, .most_wait = 10 * ms};  // a ms for 1000 bytes
  Shaper shaper(all_linked(2, shape));
  for (int i = 0; i < 30; ++i) send(shaper, 0, 1, 0, 1000, static_cast<std::uint8_t>(i));
  const std::vector<Left> left = all_until(shaper);
  REQUIRE(left.size() == 11);  // the last has waited exactly 10 ms
  for (int i = 0; i < 11; ++i) {
    CHECK(left[static_cast<std::size_t>(i)].number == i);
    CHECK(left[static_cast<std::size_t>(i)].due == (i + 2) * ms);
  }
  CHECK(counts_of(shaper, 0, 1).dropped == 19);
  CHECK(counts_of(shaper, 0, 1).frames == 11);
  CHECK(counts_of(shaper, 0, 1).bytes == 11'000);
  CHECK(counts_of(shaper, 1, 0).dropped == 0);
}

TEST_CASE("a link without a queue takes what finds it free") {
  Shaper shaper(all_linked(2, {.delay = 0, .rate = 8'000'000, .most_wait = 0}));
  for (int i = 0; i < 100; ++i) send(shaper, 0, 1, i * ms / 2, 1000);
  CHECK(all_until(shaper).size() == 50);
}

TEST_CASE("a frame larger than any packet takes the time of its bytes") {
  Shaper shaper(all_linked(2, {.delay = 0, .rate = 8'000'000, .most_wait = 0}));
  send(shaper, 0, 1, 0, 65'000);
  CHECK(shaper.next() == 65 * ms);
}

TEST_CASE("no frame passes another of the same sites, whatever is set meanwhile") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    Shaper shaper(all_linked(3, {.delay = 20 * ms, .rate = 0, .most_wait = 1000 * ms}));
    Nanoseconds now = 0;
    std::vector<Left> left;
    for (int i = 0; i < 200; ++i) {
      now += static_cast<Nanoseconds>(random() % 1'000'000);
      if (random() % 10 == 0) {
        shaper.set(
            {0, 1, {static_cast<Nanoseconds>(random() % 30) * ms, random() % 2 == 0 ? 0 : 100'000'000, 1000 * ms}});
      }
      send(shaper, 0, 1, now, 64 + random() % 1400, static_cast<std::uint8_t>(i));
      for (const Left& one : all_until(shaper, now)) left.push_back(one);
    }
    for (const Left& one : all_until(shaper)) left.push_back(one);
    REQUIRE(left.size() == 200);
    for (std::size_t i = 0; i < left.size(); ++i) {
      CHECK(left[i].number == static_cast<int>(i));
      if (i > 0) CHECK(left[i].due >= left[i - 1].due);
    }
  }
}

TEST_CASE("links do not wait for one another, and arrivals are in the order of their time") {
  RelaySettings settings = all_linked(4, {.delay = 0, .rate = 0, .most_wait = 0});
  for (RelayLink& link : settings.links) link.shape.delay = (link.from * 4 + link.to) * ms;
  Shaper shaper(settings);
  std::multiset<Nanoseconds> expected;
  for (const RelayLink& link : settings.links) {
    for (int i = 0; i < 5; ++i) {
      send(shaper, link.from, link.to, i * ms, 64);
      expected.insert(i * ms + link.shape.delay);
    }
  }
  std::vector<Nanoseconds> dues;
  for (const Left& one : all_until(shaper)) dues.push_back(one.due);
  CHECK(std::ranges::equal(dues, expected));
}

TEST_CASE("what a site's hosts share slows all that they send to others, but nothing among them") {
  RelaySettings settings = all_linked(3, {.delay = 0, .rate = 0, .most_wait = 100 * ms});
  settings.sites[0].up = 8'000'000;
  Shaper shaper(settings);
  for (int i = 0; i < 10; ++i) {
    send(shaper, 0, 0, 0, 1000);
    send(shaper, 0, 1 + i % 2, 0, 1000);
    send(shaper, 1, 2, 0, 1000);
  }
  CHECK(all_until(shaper, 0).size() == 20);
  const std::vector<Left> left = all_until(shaper);
  REQUIRE(left.size() == 10);
  for (int i = 0; i < 10; ++i) CHECK(left[static_cast<std::size_t>(i)].due == (i + 1) * ms);
}

TEST_CASE("what a site's hosts share slows all that comes from others, in the order of its arrival") {
  RelaySettings settings = all_linked(3, {.delay = 0, .rate = 0, .most_wait = 5 * ms});
  settings.sites[2].down = 8'000'000;
  for (RelayLink& link : settings.links) link.shape.delay = (1 + link.from) * ms;
  Shaper shaper(settings);
  for (int i = 0; i < 10; ++i) {
    send(shaper, 1, 2, 0, 1000, 1);
    send(shaper, 0, 2, 0, 1000, 0);
    send(shaper, 2, 2, 0, 1000, 2);
  }
  std::vector<Left> left;
  for (const Left& one : all_until(shaper)) {
    if (one.number != 2) left.push_back(one);
    if (one.number == 2) CHECK(one.due == 3 * ms);
  }
  // From 1 ms on those of site 0, of which six wait for at most 5 ms; at 2 ms 5 are left, and one of site 1 gets in.
  REQUIRE(left.size() == 7);
  for (std::size_t i = 0; i < 7; ++i) {
    CHECK(left[i].number == (i < 6 ? 0 : 1));
    CHECK(left[i].due == static_cast<Nanoseconds>(i + 2) * ms);
  }
  CHECK(counts_of(shaper, 0, 2).frames == 6);
  CHECK(counts_of(shaper, 0, 2).dropped == 4);
  CHECK(counts_of(shaper, 1, 2).frames == 1);
  CHECK(counts_of(shaper, 1, 2).dropped == 9);
}

TEST_CASE("the slowest of three lines sets the pace") {
  for (const int slowest : {0, 1, 2}) {
    RelaySettings settings = all_linked(2, {.delay = ms, .rate = 80'000'000, .most_wait = 1000 * ms});
    settings.sites[0].up = settings.sites[1].down = 80'000'000;
    (slowest == 0   ? settings.sites[0].up
     : slowest == 1 ? settings.links[1].shape.rate
                    : settings.sites[1].down) = 8'000'000;
    Shaper shaper(settings);
    for (int i = 0; i < 100; ++i) send(shaper, 0, 1, 0, 1000);
    const std::vector<Left> left = all_until(shaper);
    REQUIRE(left.size() == 100);
    CHECK(left.front().due == ms + ms + ms / 5);
    CHECK(left.back().due == left.front().due + 99 * ms);
  }
}

TEST_CASE("frames that no link is for are counted") {
  RelaySettings settings = all_linked(2, {});
  std::erase_if(settings.links, [](const RelayLink& link) { return link.from == link.to; });
  Shaper shaper(settings);
  send(shaper, 0, 0, 0);           // no link
  send(shaper, 0, 5, 0);           // nobody
  Bytes strange = frame(0, 1, 0);  // flooded by a bridge
  std::ranges::copy(card(0, 1), strange.begin());
  shaper.accept(0, strange, 0);
  Bytes arp = frame(0, 1, 0);
  arp[13] = 6;
  shaper.accept(0, arp, 0);
  shaper.accept(0, {}, 0);
  CHECK(shaper.unknown() == 5);
  CHECK(!shaper.next());
}

TEST_CASE("how late frames are is counted, early ones as in time") {
  Shaper shaper(all_linked(2, {.delay = ms, .rate = 0, .most_wait = 0}));
  for (const Nanoseconds late : {-15'000, 10'000, 50'000}) {
    send(shaper, 0, 1, 0);
    REQUIRE(shaper.arrival(for_ever));
    shaper.handed_over(ms + late);
  }
  CHECK(counts_of(shaper, 0, 1).late == 60'000);
  CHECK(counts_of(shaper, 0, 1).most_late == 50'000);
}

TEST_CASE("the least delay is that of all links, as they are set now") {
  CHECK(Shaper(all_linked(1, {})).least_delay() == 0);
  CHECK(Shaper({}).least_delay() == 0);
  Shaper shaper(all_linked(3, {.delay = 5 * ms, .rate = 0, .most_wait = 0}));
  CHECK(shaper.least_delay() == 5 * ms);
  shaper.set({.from = 2, .to = 1, .shape = {.delay = ms, .rate = 0, .most_wait = 0}});
  CHECK(shaper.least_delay() == ms);
}

TEST_CASE("a link that is not there cannot be set") {
  RelaySettings settings = all_linked(2, {});
  settings.links.resize(1);
  Shaper shaper(settings);
  CHECK_THROWS_WITH(shaper.set({.from = 1, .to = 0, .shape = {}}), Catch::Contains("no link from site 1 to site 0; "));
}

}  // namespace
