#include <limits>
#include <utility>

#include <tombolo/models/memory_rate.hpp>
#include <tombolo/models/platform_multiport.hpp>

namespace tombolo {

Multiport multiport_of(const Platform& platform) {
  const Multiport::Protocol eager{.eager = std::numeric_limits<Bytes>::max()};
  Multiport::Parameters parameters;
  parameters.protocols.assign(static_cast<std::size_t>(PairClasses(platform).size()), eager);
  parameters.ports.together.assign(clusters(platform.levels).size(), Network::whole);
  parameters.memory_rate = memory_rate_of(platform);
  return {platform, std::move(parameters)};
}

}  // namespace tombolo
