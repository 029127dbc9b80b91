#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <tombolo/framework/stored_kernels.hpp>
#include <tombolo/platform/error.hpp>

using namespace tombolo;
using Catch::Contains;

namespace {

Platform platform_of(std::size_t ranks) {
  Platform platform;
  platform.processors.resize(ranks);
  return platform;
}

KernelSpeeds some_speeds(std::size_t ranks) {
  KernelSpeeds speeds{.unit = "flop", .threads = {}, .by_rank = {}};
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const auto r = static_cast<std::int64_t>(rank);
    speeds.threads.push_back(static_cast<int>(rank) + 1);
    speeds.by_rank.push_back(r % 2 == 0 ? SpeedFunction({{1, 5 + r}, {1 << 20, 9'000'000'000'000'000'000}})
                                        : SpeedFunction::constant(r));
  }
  return speeds;
}

// The platform of two ranks with this in its section.
std::string refusal(const std::string& section) {
  Platform platform = platform_of(2);
  platform.sections[kernels_section] = section;
  try {
    stored_kernels(platform);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("what is stored of kernels is read back, beside what was there") {
  for (const std::size_t ranks : {1U, 2U, 7U, 100U}) {
    Platform platform = platform_of(ranks);
    CHECK(stored_kernels(platform).empty());
    store_kernel(platform, "one", some_speeds(ranks));
    KernelSpeeds other = some_speeds(ranks);
    other.unit = "B";
    other.by_rank.back() = SpeedFunction({{3, 0}, {4, 1}});
    store_kernel(platform, "other \"kernel\"", other);
    store_kernel(platform, "one", some_speeds(ranks));
    const auto all = stored_kernels(platform);
    CHECK(all.size() == 2);
    CHECK(all.at("one") == some_speeds(ranks));
    CHECK(all.at("other \"kernel\"") == other);
  }
}

TEST_CASE("speeds may be written as people do") {
  Platform platform = platform_of(1);
  platform.sections[kernels_section] = R"({"k": {"unit": "flop", "threads": [1], "speeds": [[[1e3, 21e9]]], "x": 1}})";
  CHECK(stored_kernels(platform).at("k").by_rank.front() == SpeedFunction({{1000, 21'000'000'000}}));
}

TEST_CASE("sections of kernels that are not right are refused, in one line that says what is wrong") {
  const auto kernel = [](const std::string& threads, const std::string& speeds) {
    return fmt::format(R"({{"k": {{"unit": "flop", "threads": {}, "speeds": {}}}}})", threads, speeds);
  };
  CHECK(refusal(kernel("[1, 1]", "[[[1, 2]], [[1, 2]]]")).empty());
  const std::pair<std::string, std::string> cases[] = {
      {"[]", "no object"},
      {"{", "no object"},
      {R"({"k": 1})", "\"k\" is no object"},
      {R"({"k": {}})", "no text \"unit\""},
      {R"({"k": {"unit": 5}})", "no text \"unit\""},
      {R"({"k": {"unit": "flop"}})", "no list \"threads\""},
      {kernel("1", "[]"), "no list \"threads\""},
      {kernel("[1, 1, 1]", "[]"), "\"threads\" of 3 ranks, and the platform has 2"},
      {kernel("[1, 0]", "[]"), "0 threads"},
      {kernel("[1, 3e9]", "[]"), "3000000000 threads"},
      {kernel("[1, 1.5]", "[]"), "1.5"},
      {kernel("[1, 1]", "{}"), "no list \"speeds\""},
      {kernel("[1, 1]", "[[[1, 2]]]"), "\"speeds\" of 1 ranks, and the platform has 2"},
      {kernel("[1, 1]", "[[[1, 2]], 7]"), "no list of points for rank 1"},
      {kernel("[1, 1]", "[[[1, 2]], []]"), "rank 1 a speed function of no points"},
      {kernel("[1, 1]", "[[[1, 2]], [[1]]]"), "[1]"},
      {kernel("[1, 1]", "[[[1, 2]], [[1, \"fast\"]]]"), "fast"},
      {kernel("[1, 1]", "[[[1, 2]], [[1, 18446744073709551615]]]"), "18446744073709551615"},
      {kernel("[1, 1]", "[[[1, 2]], [[1, 1e300]]]"), "1e+300"},
      {kernel("[1, 1]", "[[[1, 2]], [[1, -2]]]"), "speed -2"},
      {kernel("[1, 1]", "[[[1, 2]], [[2, 2], [1, 2]]]"), "size 1 after one at size 2"},
  };
  for (const auto& [section, words] : cases) {
    const std::string said = refusal(section);
    INFO(section);
    CHECK_THAT(said, Contains("\"kernels\"") && Contains(words) && Contains("; measure the kernels anew"));
    CHECK(said.find('\n') == std::string::npos);
  }
  Platform platform = platform_of(2);
  platform.sections[kernels_section] = "7";
  CHECK_THROWS_AS(store_kernel(platform, "k", some_speeds(2)), Error);
}
