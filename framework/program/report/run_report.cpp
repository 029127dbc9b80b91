#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <tombolo/framework/program/report/run_report.hpp>
#include <tombolo/framework/report/table.hpp>
#include <tombolo/platform/json/json.hpp>

namespace tombolo {

namespace {

std::string in_seconds(double seconds) {
  return fmt::format("{:.6f}", seconds);
}

std::string heading(const RunReport& r) {
  std::string text = fmt::format("{}: {} collectives, shares {}, {} of {} ranks{}\n", r.name,
                                 r.collectives == "native" ? "native" : "planned", r.how, r.members.size(), r.ranks,
                                 r.overlaps ? ", collectives beside computation" : "");
  for (const LoopReport& l : r.loops) {
    text += fmt::format("{} {} pass{} of {}{}{}\n", r.ran ? "did" : "reckons with", l.passes, l.passes == 1 ? "" : "es",
                        l.name, l.passes < l.most ? fmt::format(", at most {}", l.most) : "",
                        l.changes > 0 ? fmt::format(", shares changed {} times", l.changes) : "");
  }
  return text;
}

std::string task_table(const RunReport& r) {
  std::vector<std::string> columns{"task", "predicted s", "bound s", "how"};
  std::string sides = "<>><";
  if (r.ran) {
    columns.insert(columns.begin() + 1, "seconds");
    sides = "<>>><";
  }
  Table table(std::move(columns), sides);
  const auto add = [&](const std::string& name, double seconds, double predicted, double bound,
                       const std::string& how) {
    std::vector<std::string> words{name, in_seconds(predicted), in_seconds(bound), how};
    if (r.ran) words.insert(words.begin() + 1, in_seconds(seconds));
    table.add(std::move(words));
  };
  for (const TaskReport& t : r.tasks) {
    add((t.loop.empty() ? "" : t.loop + ": ") + t.name, t.seconds, t.predicted_s, t.bound_s, t.how);
  }
  add("total", r.seconds, r.predicted_s, r.bound_s,
      r.ran && r.seconds > 0 ? fmt::format("prediction off by {:+.1f} %", 100 * r.error()) : "");
  return table.text();
}

std::string rank_table(const RunReport& r) {
  std::vector<std::string> columns{"rank", "host"};
  for (const std::string& slices : r.slices) columns.push_back(slices);
  std::string sides = "><" + std::string(r.slices.size(), '>') + ">";
  columns.emplace_back("computing predicted s");
  if (r.ran) {
    columns.emplace_back("computing s");
    columns.emplace_back("reached G/s");
    sides += ">>";
  }
  Table table(std::move(columns), sides);
  for (const MemberReport& m : r.members) {
    std::vector<std::string> words{std::to_string(m.rank), m.host};
    for (const std::int64_t items : m.items) words.push_back(std::to_string(items));
    words.push_back(in_seconds(m.predicted_s));
    if (r.ran) {
      words.push_back(in_seconds(m.computing_s));
      words.push_back(m.computing_s > 0 ? fmt::format("{:.3f}", m.operations / m.computing_s * 1e-9) : "-");
    }
    table.add(std::move(words));
  }
  return table.text();
}

}  // namespace

std::string to_text(const RunReport& report) {
  std::string text = heading(report) + "\n" + task_table(report) + "\n" + rank_table(report);
  for (const std::string& note : report.notes) text += note + "\n";
  for (const std::string& kernel : report.belied) {
    text += fmt::format("{}: its work took another time than its speed says; it will be measured again\n", kernel);
  }
  return text;
}

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
            {"processors", Json::array()},
            {"notes", r.notes},
            {"belied_kernels", r.belied}};
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
  json.at("notes").get_to(r.notes);
  json.at("belied_kernels").get_to(r.belied);
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

std::string to_json(const Chosen& chosen) {
  const Arrangement& a = chosen.arrangement;
  Json json;
  json["members"] = a.members;
  json["overlaps"] = a.overlaps;
  json["how"] = a.how;
  json["divisions"] = Json::array();
  for (const Division& division : a.divisions) {
    Json panels = Json::array();
    for (int panel = 0; panel < division.panels(); ++panel) {
      Json shares = Json::array();
      for (Rank rank = 0; rank < division.ranks(); ++rank) shares.push_back(division.panel(panel).count(rank));
      panels.push_back(std::move(shares));
    }
    json["divisions"].push_back(std::move(panels));
  }
  json["expected"] = to_json(chosen.expected);
  // Many tasks have the same plan.
  std::vector<std::string> plans;
  json["plan_of_task"] = Json::array();
  for (const std::string& plan : chosen.plans) {
    const auto at = std::ranges::find(plans, plan);
    json["plan_of_task"].push_back(at - plans.begin());
    if (at == plans.end()) plans.push_back(plan);
  }
  json["plans"] = plans;
  return json.dump();
}

Chosen chosen_from_json(const std::string& text) {
  const Json json = Json::parse(text);
  Chosen chosen;
  Arrangement& a = chosen.arrangement;
  a.members = json["members"].get<std::vector<Rank>>();
  a.overlaps = json["overlaps"].get<bool>();
  a.how = json["how"].get<std::string>();
  for (const Json& panels : json["divisions"]) {
    a.divisions.emplace_back(panels.get<std::vector<std::vector<std::int64_t>>>());
  }
  chosen.expected = run_report_from_json(json["expected"]);
  const auto plans = json["plans"].get<std::vector<std::string>>();
  for (const Json& plan : json["plan_of_task"]) chosen.plans.push_back(plans[plan.get<std::size_t>()]);
  return chosen;
}

}  // namespace tombolo
