#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/platform/error.hpp>
#include <tombolo/platform/simgrid/simgrid_xml.hpp>

// Whatever a description holds, reading it gives a platform or an Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  constexpr std::size_t most = 24;  // ranks: their square is what reading takes
  try {
    std::vector<std::string> hosts = tombolo::hosts_of_simgrid(text, "fuzz.xml");
    if (hosts.size() > most) hosts.resize(most);
    const tombolo::Platform platform = tombolo::platform_from_simgrid(text, "fuzz.xml", hosts);
    if (platform.processors.size() != hosts.size()) __builtin_trap();
  } catch (const tombolo::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) __builtin_trap();
  }
  return 0;
}
