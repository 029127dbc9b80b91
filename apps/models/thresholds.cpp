#include "models/thresholds.hpp"

#include <fmt/format.h>

#include <tombolo/collectives/mpi/measure_thresholds.hpp>
#include <tombolo/platform/readable.hpp>

#include "table.hpp"

namespace tombolo::modelling {

namespace {

std::string bytes(Bytes bytes) {
  return fmt::format("{} B", bytes);
}

std::string per_byte(PerMegabyte slope) {
  return fmt::format("{:.3f} ns/B", static_cast<double>(slope) / 1e9);
}

}  // namespace

void find_thresholds(Session& session, Platform& platform, const Options& options) {
  if (options.no_thresholds || (!options.anew && platform.sections.contains(thresholds_section))) return;
  store_thresholds(platform, measure_thresholds(session.communicator(), platform, {}, [](const Scope& scope) {
                     fmt::print(stderr, "looking for thresholds in {}\n", scope.name);
                   }));
}

std::string thresholds_text(const Platform& platform) {
  const std::vector<Thresholds> all = stored_thresholds(platform);
  if (all.empty()) return "";
  Table table({"cluster", "ranks", "S", "M1", "M2", "escalation", "kappa 1", "kappa 2"}, "<>>>>>>>");
  for (const Thresholds& found : all) {
    std::vector<std::string> line = {found.scope, fmt::format("{}", found.ranks),
                                     found.scatter ? bytes(*found.scatter) : "no break found"};
    if (found.gather) {
      line.push_back(bytes(found.gather->small));
      line.push_back(bytes(found.gather->large));
      line.push_back(found.escalation > 0 ? readable(found.escalation) : "none");
    } else {
      line.insert(line.end(), {"no break found", "", ""});
    }
    line.push_back(found.kappas && found.gather->small_slope != 0 ? per_byte(found.kappas->small) : "");
    line.push_back(found.kappas && found.gather->large_slope != 0 ? per_byte(found.kappas->large) : "");
    table.add(line);
  }
  return "Thresholds: linear scatters go one after the other above S; linear gathers escalate between M1 and M2\n\n" +
         table.text();
}

nlohmann::ordered_json thresholds_json(const Platform& platform) {
  const auto found = platform.sections.find(thresholds_section);
  if (found == platform.sections.end()) return nlohmann::ordered_json::array();
  return nlohmann::ordered_json::parse(found->second);
}

}  // namespace tombolo::modelling
