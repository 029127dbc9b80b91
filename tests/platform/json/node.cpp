#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/units.hpp>

#include "platform/random_platform.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using Catch::Matchers::Contains;

namespace {

constexpr std::array<std::string_view, 1> wanted = {"a"};

std::string zeros(std::size_t count) {
  std::string text = "[0";
  for (std::size_t i = 1; i < count; ++i) text += ",0";
  return text + "]";
}

JsonDocument parse(const std::string& text) {
  return parse_json(text, "x.json", "mend it", wanted);
}

}  // namespace

TEST_CASE("members that nobody wants are read over") {
  for (const char* const other :
       {"0", "\"x\"", "null", "[]", "{}", "[[0,{\"a\":[1]}],2]", "{\"a\":{\"a\":1,\"a\":2}}"}) {
    CAPTURE(other);
    const JsonDocument read = parse(std::string(R"({"b":)") + other + R"(,"a":{"b":[7]},"c":)" + other + "}");
    const std::vector<JsonNode> kept = JsonNode(read).member("a").member("b").list();
    REQUIRE(kept.size() == 1);
    CHECK(kept.front().integer() == 7);
    for (const char* const name : {"b", "c"}) {
      CHECK_THROWS_WITH(JsonNode(read).member(name).text(), Contains("is null, not text"));
    }
  }
}

TEST_CASE("what nobody wants has to be JSON all the same") {
  for (const char* const other : {"", "0,", "[", "[0}", "{\"a\"}", "nan"}) {
    CAPTURE(other);
    CHECK_THROWS_AS(parse(std::string(R"({"b":)") + other + "}"), Error);
  }
  CHECK_THROWS_WITH(parse(R"({"b":1,"b":2})"), Contains("more than once"));
  CHECK_NOTHROW(parse(R"({"b":)" + std::string(json_depth - 1, '[') + std::string(json_depth - 1, ']') + "}"));
  CHECK_THROWS_WITH(parse(R"({"b":)" + std::string(json_depth, '[') + std::string(json_depth, ']') + "}"),
                    Contains("nested more than 256 deep; mend it"));
}

TEST_CASE("values are limited, but not those that nobody wants") {
  if (test::sanitized()) return;  // millions of values
  const std::string many = zeros(most_json_values);
  CHECK_NOTHROW(parse(R"({"b":)" + many + "}"));
  CHECK_THROWS_WITH(parse(R"({"a":)" + many + "}"), Contains("more than 16777216 values; mend it"));
  CHECK_THROWS_WITH(parse_json(zeros(most_json_values + 1), "x.json", "mend it"), Contains("x.json: it has more than"));
  CHECK(platform_from_json("{\"zeros\":" + many + "," + to_json(small_platform()).substr(1), "p").processors ==
        small_platform().processors);
}
