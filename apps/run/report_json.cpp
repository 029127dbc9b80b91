#include "run/report.hpp"

namespace tombolo {

namespace {

Json of_phases(const Timeline& t) {
  Json all = Json::array();
  for (const auto& [name, forecast, seconds] : t.phases) {
    all.push_back({{"name", name},
                   {"seconds", seconds},
                   {"predicted_s", forecast.predicted_s},
                   {"bound_s", forecast.bound_s},
                   {"how", forecast.how}});
  }
  return all;
}

Json of_processors(const Report& r) {
  Json all = Json::array();
  for (std::size_t rank = 0; rank < r.platform.processors.size(); ++rank) {
    const Processor& on = r.platform.processors[rank];
    Json seconds = Json::object();
    for (std::size_t p = 0; p < r.timeline.phases.size(); ++p) {
      seconds[r.timeline.phases[p].name] = r.timeline.spent[rank][p];
    }
    all.push_back({{"rank", rank},
                   {"host", on.host},
                   {"model", on.model},
                   {"cores", on.cores},
                   {"threads", on.threads},
                   {"speed_" + r.work.key, r.work.probed[rank]},
                   {r.counted, r.rows.count(static_cast<int>(rank))},
                   {"seconds", seconds},
                   {r.work.key, r.work.rank_speed(r.timeline, rank)}});
  }
  return all;
}

}  // namespace

std::string to_json(const Report& r) {
  Json json = r.input;
  json["shares"] = name(r.options.shares);
  json["collectives"] = r.options.collectives == Session::Kind::tombolo ? "tombolo" : "native";
  json["ranks"] = r.platform.processors.size();
  if (r.root) json["root"] = *r.root;
  json["seconds"] = r.timeline.total();
  json["predicted_s"] = r.timeline.predicted();
  json["bound_s"] = r.timeline.bound();
  json[r.work.verb + "_" + r.work.key] = r.work.speed(r.timeline);
  json["verified"] = r.verdict.verified;
  json["phantom"] = r.phantom;
  json["verification"] = r.verdict.details;
  json["phases"] = of_phases(r.timeline);
  json["processors"] = of_processors(r);
  json["notes"] = r.notes;
  json["model"] = r.platform.model;
  json["platform"] = r.platform.source;
  json["mpi_library"] = r.platform.mpi_library;
  json.update(r.more);
  return json.dump(2) + "\n";
}

}  // namespace tombolo
