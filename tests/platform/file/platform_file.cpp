#include <algorithm>

#include <catch2/catch.hpp>

#include <tombolo/platform/description/routes.hpp>
#include <tombolo/platform/file/platform_check.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/units.hpp>

#include "platform/random_platform.hpp"
#include "support/files.hpp"
#include "support/sanitized.hpp"
#include "support/source.hpp"

using namespace tombolo;
using Catch::Matchers::Contains;
using test_files::TemporaryFolder;

namespace {

/// False where it is an Error, which is one line that begins with the name.
bool is_read(const std::string& text) {
  try {
    const Platform platform = platform_from_json(text, "p.json");
    check_platform(platform);
    return true;
  } catch (const Error& error) {
    const std::string message = error.what();
    CHECK(message.starts_with("p.json: "));
    CHECK(message.find('\n') == std::string::npos);
    return false;
  }
}

}  // namespace

TEST_CASE("what is written is read back, whatever the platform") {
  for (unsigned seed = 0; seed < 300; seed += test::sanitized() ? 21 : 3) {
    RandomPlatform random(seed);
    const int ranks = seed < 100 ? 1 + static_cast<int>(seed) % 10 : 1 + static_cast<int>(seed * seed % 150);
    Platform platform = random.make(ranks);
    Host& host = platform.hosts.back();
    host.wake_up = {30'000, 2'000};
    host.message = {10'000, 1'000};
    host.exchange = {9'000'000'000, 70'000};
    const std::string text = to_json(platform);
    INFO("seed " << seed << "\n" << text);
    REQUIRE(platform_from_json(text, "p.json") == platform);
    REQUIRE(to_json(platform_from_json(text, "p.json")) == text);
  }
}

TEST_CASE("a large platform has one processor and one link a line") {
  const Platform platform = RandomPlatform(1).make(1024);
  const std::string text = to_json(platform);
  CHECK(platform_from_json(text, "p.json") == platform);
  for (const std::string what : {"\n  {\"rank\": 1023, \"host\": ", "\n  {\"between\": [\"c"}) {
    const std::size_t found = text.find(what);
    REQUIRE(found != std::string::npos);
    const std::string line = text.substr(found + 1, text.find('\n', found + 1) - found - 1);
    CHECK((line.ends_with("},") || line.ends_with("}")));
  }
}

TEST_CASE("the members that scripts depend on") {
  const std::string text = to_json(small_platform());
  CHECK_THAT(text, Contains("\n \"format\": \"tombolo platform\",\n \"version\": 1,\n"));
  CHECK_THAT(text, Contains("  {\"rank\": 2, \"host\": \"a2\", \"speed_flops\": 4000000000, \"model\": \"Opteron\", "
                            "\"cores\": 2},\n"));
  CHECK_THAT(text, Contains(" \"levels\": {\n  \"name\": \"all\",\n  \"kind\": \"group\",\n  \"ranks\": [0, 1, 2, 3, "
                            "4],\n  \"children\": [\n"));
  CHECK_THAT(text,
             Contains("{\"between\": [\"c1\", \"c3\"], \"latency_ps\": 4000000000, \"latency_error_ps\": 5000000, "
                      "\"rate_bytes_per_s\": 40000000, \"total_bytes_per_s\": 90000000, \"flows\": 3}"));
}

TEST_CASE("a file is written whole and read back") {
  const TemporaryFolder folder;
  const Platform platform = small_platform();
  write_platform(folder / "p.json", platform);
  CHECK(read_platform(folder / "p.json") == platform);
  CHECK(folder.files() == 1);
  Platform wrong = platform;
  wrong.links.pop_back();
  CHECK_THROWS_AS(write_platform(folder / "p.json", wrong), Error);
  CHECK(read_platform(folder / "p.json") == platform);
}

TEST_CASE("files that cannot be read or written") {
  const TemporaryFolder folder;
  const auto reading = [](const test_files::fs::path& path) {
    return test_files::error_of(path, [&] { read_platform(path); });
  };
  CHECK_THAT(reading(folder / "missing.json"), Contains("No such file"));
  CHECK_THAT(reading(folder.path()), Contains("a directory"));
  CHECK_THAT(reading(test_files::put(folder / "empty.json", "")), Contains("it is empty"));
  CHECK_THAT(reading(test_files::put(folder / "text.json", "a.npy")),
             Contains("no JSON at byte 1, in line 1, after \"a\""));
  test_files::put(folder / "large.json", "");
  test_files::fs::resize_file(folder / "large.json", std::uintmax_t{1} << 31);
  CHECK_THAT(reading(folder / "large.json"), Contains("too many"));
  const test_files::fs::path nowhere = folder / "none/p.json";
  CHECK_THAT(test_files::error_of(nowhere, [&] { write_platform(nowhere, small_platform()); }), Contains("mkdir"));
}

TEST_CASE("the order in which a file lists things says nothing") {
  const Platform platform = small_platform();
  std::string text = to_json(platform);
  // What stands on lines of its own within a list, the other way round, commas aside.
  for (const std::string list : {"processors", "hosts", "links"}) {
    const std::size_t begin = text.find("[\n", text.find("\"" + list + "\"")) + 2;
    const std::size_t end = text.find("\n ]", begin);
    std::vector<std::string> lines;
    for (std::size_t at = begin; at < end;) {
      const std::size_t line_end = std::min(text.find('\n', at), end);
      std::string line = text.substr(at, line_end - at);
      if (line.ends_with(',')) line.pop_back();
      lines.push_back(line);
      at = line_end + 1;
    }
    std::string turned;
    std::reverse(lines.begin(), lines.end());
    for (const std::string& line : lines) turned += (turned.empty() ? "" : ",\n") + line;
    text.replace(begin, end - begin, turned);
  }
  text.replace(text.find("[0, 1, 2, 3, 4]"), 15, "[4, 1, 2, 0, 3]");
  CHECK(text != to_json(platform));
  CHECK(platform_from_json(text, "p.json") == platform);
}

TEST_CASE("members that this version does not know are ignored, at the top they are kept") {
  std::string text = to_json(small_platform());
  text.replace(text.find(R"({"rank": 0)"), 1, R"({"colour": {"red": [1]}, )");
  text.replace(text.find(" \"origin\""), 1, " \"later\" : { \"b\" : 1.50, \"a\" : [ 1 , \"x y\" ] },\n ");
  Platform expected = small_platform();
  expected.sections["later"] = R"({"b":1.50,"a":[1,"x y"]})";
  CHECK(platform_from_json(text, "p.json") == expected);
  CHECK_THAT(to_json(expected), Contains(R"("b": 1.50)"));
}

TEST_CASE("a file that is cut short anywhere is an Error") {
  const std::string text = to_json(small_platform());
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {  // the last byte is a newline
    INFO(length);
    CHECK_FALSE(is_read(text.substr(0, length)));
  }
  CHECK(is_read(text.substr(0, text.size() - 1)));
}

TEST_CASE("a file in which any byte is another is an Error or a valid platform") {
  const std::string text = to_json(small_platform());
  int read = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char other :
         {'\0', '0', '9', '-', '"', '\\', ',', '{', ']', ' ', '\xff', static_cast<char>(text[at] ^ 1)}) {
      std::string changed = text;
      changed[at] = other;
      INFO(at << ": " << static_cast<int>(other));
      read += is_read(changed) ? 1 : 0;
    }
  }
  CHECK(read > 0);
}

TEST_CASE("a zero byte ends nothing") {
  const std::string zero(1, '\0');
  const std::string text = to_json(small_platform());
  for (const std::string& after : {zero, zero + "more", zero + "\""}) {
    CHECK_FALSE(is_read(text + after));
    CHECK_FALSE(is_read(after + text));
  }
  CHECK_THROWS_WITH(platform_from_json(text.substr(0, 30) + zero, "p.json"), Contains("at byte 31, in line 2, after"));
}

TEST_CASE("documents nested without end are refused") {
  for (const char* const bracket : {"[", "{\"a\":"}) {
    std::string bomb;
    for (int depth = 0; depth < 200'000; ++depth) bomb += bracket;
    try {
      platform_from_json(bomb, "p.json");
      FAIL("no Error");
    } catch (const Error& error) {
      CHECK_THAT(error.what(), Contains("nested more than 256 deep"));
    }
  }
}

TEST_CASE("text that is not UTF-8 is refused where it would be written") {
  Platform platform = small_platform();
  platform.processors[0].model = "Intel\xae Xeon";
  CHECK_THROWS_WITH(to_json(platform), Contains("not UTF-8") && Contains("Xeon"));
}

TEST_CASE("the example in the documentation is read") {
  const Platform platform = read_platform(test::source_folder() / "examples/platform.json");
  CHECK(platform.ranks() == 4);
  CHECK(clusters(platform.levels).size() == 2);
  const Routes routes(platform);
  CHECK(routes.latency(0, 3) == 5'000'000 + 4'000'000'000 + 6'000'000);
  CHECK(routes.rate(0, 3) == 40'000'000);
  CHECK(routes.latency(1, 2) == 400'000);
  CHECK(platform_from_json(to_json(platform), "p.json") == platform);
}
