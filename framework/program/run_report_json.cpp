#include <tombolo/framework/program/run_report.hpp>

namespace tombolo {

using Json = nlohmann::ordered_json;

Json to_json(const RunReport& r) {
  Json json{{"program", r.name},
            {"collectives", r.collectives},
            {"shares", r.how},
            {"overlaps", r.overlaps},
            {"ran", r.ran},
            {"ranks", r.ranks},
            {"seconds", r.seconds},
            {"predicted_s", r.predicted_s},
            {"bound_s", r.bound_s},
            {"slices", r.slices},
            {"phases", Json::array()},
            {"loops", Json::array()},
            {"processors", Json::array()}};
  for (const TaskReport& t : r.tasks) {
    json["phases"].push_back({{"name", t.name},
                              {"seconds", t.seconds},
                              {"predicted_s", t.predicted_s},
                              {"bound_s", t.bound_s},
                              {"what", t.what},
                              {"how", t.how},
                              {"loop", t.loop}});
  }
  for (const LoopReport& l : r.loops) {
    json["loops"].push_back({{"name", l.name}, {"most", l.most}, {"passes", l.passes}, {"changes", l.changes}});
  }
  for (const MemberReport& m : r.members) {
    json["processors"].push_back({{"rank", m.rank},
                                  {"host", m.host},
                                  {"items", m.items},
                                  {"predicted_s", m.predicted_s},
                                  {"computing_s", m.computing_s},
                                  {"operations", m.operations},
                                  {"seconds", m.seconds}});
  }
  return json;
}

RunReport run_report_from_json(const Json& json) {
  RunReport r;
  json.at("program").get_to(r.name);
  json.at("collectives").get_to(r.collectives);
  json.at("shares").get_to(r.how);
  json.at("overlaps").get_to(r.overlaps);
  json.at("ran").get_to(r.ran);
  json.at("ranks").get_to(r.ranks);
  json.at("seconds").get_to(r.seconds);
  json.at("predicted_s").get_to(r.predicted_s);
  json.at("bound_s").get_to(r.bound_s);
  json.at("slices").get_to(r.slices);
  for (const Json& t : json.at("phases")) {
    r.tasks.push_back({.name = t.at("name"),
                       .what = t.at("what"),
                       .how = t.at("how"),
                       .loop = t.at("loop"),
                       .predicted_s = t.at("predicted_s"),
                       .bound_s = t.at("bound_s"),
                       .seconds = t.at("seconds")});
  }
  for (const Json& l : json.at("loops")) {
    r.loops.push_back(
        {.name = l.at("name"), .most = l.at("most"), .passes = l.at("passes"), .changes = l.at("changes")});
  }
  for (const Json& m : json.at("processors")) {
    r.members.push_back({.rank = m.at("rank"),
                         .host = m.at("host"),
                         .items = m.at("items").get<std::vector<std::int64_t>>(),
                         .predicted_s = m.at("predicted_s"),
                         .computing_s = m.at("computing_s"),
                         .operations = m.at("operations"),
                         .seconds = m.at("seconds").get<std::vector<double>>()});
  }
  return r;
}

}  // namespace tombolo
