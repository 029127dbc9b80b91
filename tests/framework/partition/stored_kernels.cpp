#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <tombolo/framework/partition/stored_kernels.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;
using Catch::Contains;

namespace {

Platform platform_of(std::size_t ranks) {
  Platform platform;
  platform.processors.resize(ranks);
  return platform;
}

KernelSpeeds some_speeds(std::size_t ranks) {
  KernelSpeeds speeds{.unit = "flop", .conditions = {.version = "2", .sizes = {1, 1 << 20}}, .date = "2026-11-20"};
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const auto r = static_cast<std::int64_t>(rank);
    speeds.conditions.threads.push_back(static_cast<int>(rank) + 1);
    speeds.conditions.millicores.push_back(250 * r);
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

TEST_CASE("stored speeds of a kernel are dropped, those of others stay") {
  Platform platform = platform_of(2);
  CHECK_FALSE(drop_kernel(platform, "one"));
  CHECK(platform.sections.empty());
  store_kernel(platform, "one", some_speeds(2));
  store_kernel(platform, "program/two", some_speeds(2));
  CHECK(drop_kernel(platform, "one"));
  CHECK_FALSE(drop_kernel(platform, "one"));
  CHECK(stored_kernels(platform).size() == 1);
  CHECK(stored_kernels(platform).at("program/two") == some_speeds(2));
  CHECK(drop_kernel(platform, "program/two"));
  CHECK(stored_kernels(platform).empty());
}

TEST_CASE("speeds hold for what they were measured with, and quotas that differ by little") {
  const KernelConditions kept{.version = "1", .sizes = {10, 20}, .threads = {1, 2}, .millicores = {0, 500}};
  CHECK(hold_for(kept, kept));
  KernelConditions now = kept;
  for (const std::int64_t alike : {475, 490, 525}) {
    now.millicores = {0, alike};
    CHECK(hold_for(kept, now));
    CHECK(hold_for(now, kept));
  }
  const std::vector<std::vector<std::int64_t>> others = {{0, 474}, {0, 530}, {0, 0}, {500, 0}, {500, 500}, {0}, {}};
  for (const auto& other : others) {
    now.millicores = other;
    CHECK_FALSE(hold_for(kept, now));
    CHECK_FALSE(hold_for(now, kept));
  }
  const auto changed = [&](auto change) {
    KernelConditions other = kept;
    change(other);
    return !hold_for(kept, other) && !hold_for(other, kept);
  };
  CHECK(changed([](KernelConditions& other) { other.version = ""; }));
  CHECK(changed([](KernelConditions& other) { other.sizes = {10}; }));
  CHECK(changed([](KernelConditions& other) { other.sizes = {}; }));
  CHECK(changed([](KernelConditions& other) { other.threads = {1, 1}; }));
  CHECK_FALSE(hold_for({}, {}));
}

TEST_CASE("files of before say neither version, sizes, quotas nor a date: they are read, and hold for no run") {
  Platform platform = platform_of(2);
  platform.sections[kernels_section] = R"({"k": {"unit": "flop", "threads": [1, 1], "speeds": [[[1, 2]], [[1, 2]]]}})";
  const KernelSpeeds old = stored_kernels(platform).at("k");
  CHECK(old.conditions == KernelConditions{.threads = {1, 1}});
  CHECK_FALSE(hold_for(old.conditions, {.sizes = {1}, .threads = {1, 1}, .millicores = {0, 0}}));
  CHECK(when_measured("k", old) == "k: no date of measurement");
  CHECK(when_measured("k", some_speeds(2)) == "k: measured 2026-11-20");
  store_kernel(platform, "other", some_speeds(2));
  CHECK(stored_kernels(platform).at("k") == old);
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
      {R"({"k": {"unit": "flop", "version": 2}})", "no text \"version\""},
      {R"({"k": {"unit": "flop", "measured": 20261120}})", "no text \"measured\""},
      {R"({"k": {"unit": "flop", "sizes": 5}})", "no list \"sizes\""},
      {R"({"k": {"unit": "flop", "sizes": [1.5]}})", "1.5"},
      {R"({"k": {"unit": "flop", "threads": [1, 1], "quota_millicores": [0]}})", "\"quota_millicores\" of 1 ranks"},
      {R"({"k": {"unit": "flop", "threads": [1, 1], "quota_millicores": [0, -5]}})", "a quota of -5"},
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
