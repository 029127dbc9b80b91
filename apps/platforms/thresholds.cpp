#include "platforms/thresholds.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <tombolo/collectives/calibrate/stored_thresholds.hpp>
#include <tombolo/collectives/mpi/timing/measure_thresholds.hpp>
#include <tombolo/framework/report/table.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/readable.hpp>
#include <tombolo/session.hpp>

namespace tombolo::modelling {

namespace {

std::string bytes(Bytes bytes) {
  return fmt::format("{} B", bytes);
}

std::string per_byte(PerMegabyte slope) {
  return fmt::format("{:.3f} ns/B", static_cast<double>(slope) / 1e9);
}

}  // namespace

void find_thresholds(Session& session, Platform& platform, bool anew, double time_given, ProgressPrinter& progress) {
  if (!anew && platform.sections.contains(thresholds_section)) {
    agree(session.communicator(), [&] {
      std::vector<Thresholds> known = stored_thresholds(platform);
      add_kappas(known, platform);  // of an LMO model that has been estimated since
      store_thresholds(platform, known);
    });
    return;
  }
  const std::vector<Scope> scopes = threshold_scopes(platform);
  // On the first rank of the scope, which has a progress of its own.
  const auto said = [&](const Scope& scope, std::size_t done, std::size_t of) {
    const auto before = std::find(scopes.begin(), scopes.end(), scope) - scopes.begin();
    if (done == 0) {
      progress.begin("looking for thresholds in " + scope.name, static_cast<std::size_t>(before) + 1, scopes.size());
    }
    progress.at(done, of);
  };
  ThresholdSearch search;
  constexpr double sizes = 60;  // of a scope, about
  const double each = time_given / sizes / static_cast<double>(std::max<std::size_t>(scopes.size(), 1));
  search.budget = std::min(search.budget, static_cast<Picoseconds>(std::min(each, 1e3) * picoseconds_per_second));
  store_thresholds(platform, measure_thresholds(session.communicator(), platform, search, said));
}

std::string thresholds_text(const Platform& platform) {
  if (!platform.sections.contains(thresholds_section)) return "";
  const std::vector<Thresholds> all = stored_thresholds(platform);
  if (all.empty()) return "Thresholds: none looked for, as they take three ranks and more\n";
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
  return "Thresholds: linear scatters go one after the other above S; linear gathers escalate between M1 and M2,\n"
         "by so much on average; kappa: what a byte of all blocks takes beyond LMO, up to M1 and above M2\n\n" +
         table.text();
}

Json thresholds_json(const Platform& platform) {
  const auto found = platform.sections.find(thresholds_section);
  if (found == platform.sections.end()) return Json::array();
  return Json::parse(found->second);
}

}  // namespace tombolo::modelling
