#include <catch2/catch.hpp>

#include <tombolo/lab/relay/frame.hpp>

#include "lab/frames.hpp"

namespace {

using namespace tombolo;
using namespace test_frames;

TEST_CASE("addresses are read as they are written") {
  CHECK(mac_address_from("02:4d:00:00:00:fe") == MacAddress{0x02, 0x4d, 0, 0, 0, 0xfe});
  CHECK(mac_address_from("2:4D:0:0:0:FE") == MacAddress{0x02, 0x4d, 0, 0, 0, 0xfe});
  CHECK(ipv4_address_from("10.77.0.1") == 0x0a4d0001U);
  CHECK(ipv4_address_from("255.255.255.255") == 0xffffffffU);
}

TEST_CASE("what is no address is refused") {
  for (const char* text : {"", "02", "02:4d:00:00:00", "02:4d:00:00:00:fe:", "02:4d:00:00:00:1fe", "02-4d-00-00-00-fe",
                           "02:4d:00:00:00:0fe", " 02:4d:00:00:00:fe", "02:4d:00:00::fe"}) {
    CAPTURE(text);
    CHECK(!mac_address_from(text));
  }
  for (const char* text :
       {"", "10", "10.77.0", "10.77.0.256", "10.77.0.1.", "10.77.0.1 ", "10..0.1", "10.77.0.-1", "10.77.0.0001"}) {
    CAPTURE(text);
    CHECK(!ipv4_address_from(text));
  }
}

TEST_CASE("a frame says for which card and which host it is") {
  const Bytes made = frame(3, 1, 0);
  CHECK(card_of(made) == gateway(3));
  CHECK(destination_of(made) == address(1, 0));
}

TEST_CASE("frames of something else say for no host") {
  const Bytes good = frame(0, 1, 1);
  for (std::size_t size = 0; size < 34; ++size) CHECK(!destination_of(std::span(good).first(size)));
  for (std::size_t size = 0; size < 14; ++size) CHECK(!card_of(std::span(good).first(size)));
  CHECK(destination_of(std::span(good).first(34)));
  Bytes arp = good;
  arp[13] = 0x06;
  CHECK(!destination_of(arp));
  Bytes ipv6 = good;
  ipv6[12] = 0x86;
  ipv6[13] = 0xdd;
  CHECK(!destination_of(ipv6));
  Bytes tagged = good;
  tagged[12] = 0x81;
  CHECK(!destination_of(tagged));
  Bytes version = good;
  version[14] = 0x65;
  CHECK(!destination_of(version));
}

TEST_CASE("a frame that is passed on has other addresses and the same contents") {
  const Bytes before = frame(0, 1, 1, 200, 7);
  Bytes after = before;
  readdress(after, gateway(1), card(1, 1));
  CHECK(card_of(after) == card(1, 1));
  CHECK(std::equal(after.begin() + 12, after.end(), before.begin() + 12, before.end()));
  CHECK(std::ranges::equal(std::span(after).subspan(6, 6), gateway(1)));
}

}  // namespace
