#include <regex>

#include <catch2/catch.hpp>

#include <tombolo/lab/relay/relay_settings.hpp>
#include <tombolo/units.hpp>

namespace {

using namespace tombolo;

const std::string good = R"({
  "sites": [{"tap": "wan0", "mac": "02:4d:00:00:00:fe", "up_mbit": 0, "down_mbit": 12.5},
            {"tap": "wan1", "mac": "02:4d:00:00:01:fe", "up_mbit": 100, "down_mbit": 0}],
  "hosts": [{"site": 0, "address": "10.77.0.1", "mac": "02:4d:00:00:00:01"},
            {"site": 1, "address": "10.77.1.1", "mac": "02:4d:00:00:01:01"}],
  "links": [{"from": 0, "to": 1, "delay_us": 2500.5, "rate_mbit": 0.1, "queue_ms": 60},
            {"from": 1, "to": 1, "delay_us": 0, "rate_mbit": 0, "queue_ms": 0}]})";

TEST_CASE("the settings of a relay are read") {
  const RelaySettings settings = relay_settings_from(good, "settings.json");
  REQUIRE(settings.sites.size() == 2);
  CHECK(settings.sites[0].tap == "wan0");
  CHECK(settings.sites[0].gateway == MacAddress{2, 0x4d, 0, 0, 0, 0xfe});
  CHECK(settings.sites[0].up == 0);
  CHECK(settings.sites[0].down == 12'500'000);
  CHECK(settings.sites[1].up == 100'000'000);
  REQUIRE(settings.hosts.size() == 2);
  CHECK(settings.hosts[1].site == 1);
  CHECK(settings.hosts[1].address == 0x0a4d0101U);
  REQUIRE(settings.links.size() == 2);
  CHECK(settings.links[0].shape.delay == 2'500'500);
  CHECK(settings.links[0].shape.rate == 100'000);
  CHECK(settings.links[0].shape.most_wait == 60'000'000);
  CHECK(settings.links[1].from == 1);
  CHECK(settings.links[1].to == 1);
}

TEST_CASE("settings that cannot be are refused in one line that says where") {
  struct Wrong {
    const char* instead_of;
    const char* is;
    const char* message;
  };
  for (const Wrong& wrong : std::initializer_list<Wrong>{
           {R"("site": 1)", R"("site": 2)", "hosts\\[1\\].site is 2, not one of the 2 sites; "},
           {R"("to": 1)", R"("to": -1)", "links\\[0\\].to is -1, not one of"},
           {"10.77.1.1", "10.77.1", R"(hosts\[1\].address is "10.77.1", not like)"},
           {"10.77.1.1", "10.77.0.1", "hosts\\[1\\] has the address of another"},
           {"02:4d:00:00:01:fe", "gateway", R"(sites\[1\].mac is "gateway", not like)"},
           {"wan1", "wan0", "sites\\[1\\] has the TAP of another"},
           {"wan1", "a-name-of-16-bytes", "sites\\[1\\].tap is .*, no name of an interface"},
           {"wan1", "", "no name of an interface"},
           {"wan1", "wan%d", "no name of an interface"},
           {"wan1", "a\\u001b[2J", R"(tap is "a\\x1b\[2J", no name of an interface)"},
           {"02:4d:00:00:01:fe", "a\\u0000b\\n", R"(mac is "a\\x00b\\x0a", not like)"},
           {"2500.5", "-1", "links\\[0\\].delay_us is -1, not from 0 to"},
           {"2500.5", "1e300", R"(links\[0\].delay_us is 1e\+300, not from 0 to)"},
           {"0.1,", "0.0001,", "rate_mbit is 0.0001, neither 0"},
           {R"("queue_ms": 60)", R"("queue": 60)", "links\\[0\\]"},
           {R"("from": 1)", R"("from": 1, "loss": 1)", "loss"},
           {R"("from": 1, "to": 1)", R"("from": 0, "to": 1)", "links\\[1\\] is a second link"},
           {R"("links")", R"("lines")", "lines"},
           {"{", "", "settings.json: "},
       }) {
    CAPTURE(wrong.instead_of, wrong.is);
    std::string text = good;
    const std::size_t at = text.find(wrong.instead_of);
    REQUIRE(at != std::string::npos);
    text.replace(at, std::string(wrong.instead_of).size(), wrong.is);
    std::string message;
    try {
      relay_settings_from(text, "settings.json");
    } catch (const Error& error) {
      message = error.what();
    }
    CAPTURE(message);
    CHECK(std::regex_search(message, std::regex(wrong.message)));
    CHECK(message.starts_with("settings.json: "));
    CHECK(message.find('\n') == std::string::npos);
    CHECK(message.find("; ") != std::string::npos);
  }
  CHECK_THROWS_WITH(relay_settings_from(R"({"sites": [], "hosts": [], "links": []})", "a"),
                    Catch::Contains("sites is empty"));
}

}  // namespace
