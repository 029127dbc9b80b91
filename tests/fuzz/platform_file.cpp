// Any text is an Error of one line, or a platform that is written and read back as it is, and can be asked for routes.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <tombolo/platform/description/routes.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/units.hpp>

namespace {

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz_platform_file: %s\n", what);
  std::abort();
}

void check(const tombolo::Platform& platform) {
  demand(tombolo::platform_from_json(tombolo::to_json(platform), "again") == platform, "not the same again");
  const tombolo::Routes routes(platform);
  const tombolo::Rank asked = std::min(platform.ranks(), 8);
  for (tombolo::Rank from = 0; from < asked; ++from) {
    for (tombolo::Rank to = 0; to < asked; ++to) {
      demand(routes.latency(from, to) >= 0 && routes.rate(from, to) >= 0, "a negative figure");
    }
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it so
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  tombolo::Platform platform;
  try {
    platform = tombolo::platform_from_json(text, "fuzzed");
  } catch (const tombolo::Error& error) {
    const std::string_view message = error.what();
    demand(message.find_first_of("\n\r") == std::string_view::npos, "an Error on several lines");
    return 0;
  }
  check(platform);  // outside: no Error may come from what was read
  return 0;
}
