#include <catch2/catch.hpp>

#include <tombolo/collectives/mapping/message_times.hpp>
#include <tombolo/models/kinds/over_shared_links.hpp>

#include "models/figured_platform.hpp"
#include "models/random_models.hpp"

using namespace tombolo;

TEST_CASE("gap and latency make up the time of a message, of any model and any size") {
  const Platform platform = with_figures(clusters_of_hosts({{1, 1, 1}, {2, 1}}), 3);
  RandomModels models(platform, 3);
  const Lmo lmo = models.lmo(true);
  const PLogP plogp = models.plogp();
  const OverSharedLinks shared(platform, std::make_unique<Lmo>(lmo));
  for (const Model* model :
       {static_cast<const Model*>(&lmo), static_cast<const Model*>(&plogp), static_cast<const Model*>(&shared)}) {
    for (const Bytes bytes : {0, 1, 1000, 1 << 20}) {
      const MessageTimes times(*model, 6, bytes);
      for (Rank from = 0; from < 6; ++from) {
        for (Rank to = 0; to < 6; ++to) {
          if (from == to) continue;
          const MessageTime time = times.of(from, to);
          CHECK(time.gap > 0);
          CHECK(time.latency >= 0);
          CHECK(time.whole() == message_time(*model, from, to, bytes));
          CHECK(time == message_time_parts(*model, from, to, bytes));
        }
      }
    }
  }
}
