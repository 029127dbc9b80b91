#include "predict/report.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tombolo/framework/report/table.hpp>

#include "output.hpp"

namespace tombolo::predicting {

namespace {

std::string in_seconds(double seconds) {
  return fmt::format("{:.6f}", seconds);
}

double times(double time, double of) {
  return of > 0 ? time / of : 1;
}

int ranks_used(const std::vector<ClusterUse>& uses) {
  int used = 0;
  for (const ClusterUse& use : uses) used += use.used;
  return used;
}

/// "5,200"
std::string with_commas(std::int64_t number) {
  std::string text = std::to_string(number);
  for (auto place = std::ssize(text) - 3; place > 0; place -= 3) text.insert(static_cast<std::size_t>(place), ",");
  return text;
}

std::string ordinal(int number) {
  constexpr const char* words[] = {"", "first", "second", "third", "fourth", "fifth"};
  return number < static_cast<int>(std::size(words)) ? words[number] : fmt::format("{}th", number);
}

std::string heading(const Forecasts& all) {
  const Prediction& first = all.sizes.front().prediction;
  return fmt::format("{}\nplatform: {}, {} in {}; speeds: {}\n", all.sizes.size() == 1 ? first.what : first.in_general,
                     all.source, counted(all.processors.size(), "rank"),
                     counted(all.sizes.front().uses.size(), "cluster"), first.speeds);
}

std::string phase_table(const Prediction& p) {
  Table table({"phase", "predicted s", "bound s", "how"}, "<>><");
  for (const TaskReport& task : p.run.tasks) {
    table.add({task.name, in_seconds(task.predicted_s), in_seconds(task.bound_s), task.how});
  }
  table.add({"total", in_seconds(p.predicted_s()), in_seconds(p.bound_s()),
             fmt::format("{:.2f} x the bound", times(p.predicted_s(), p.bound_s()))});
  return table.text();
}

std::string cluster_table(const Sized& sized) {
  const Prediction& p = sized.prediction;
  Table table({"cluster", "ranks", "take part", p.shared, "%", "working s"}, "<>>>>>");
  const auto all = static_cast<double>(std::max<std::int64_t>(p.shares.total(), 1));
  for (const ClusterUse& use : sized.uses) {
    table.add({use.name, std::to_string(use.ranks), std::to_string(use.used), std::to_string(use.shares),
               fmt::format("{:.1f}", 100 * static_cast<double>(use.shares) / all), in_seconds(use.working_s)});
  }
  return table.text();
}

std::string rank_table(const Forecasts& all, const Prediction& p) {
  Table table({"rank", "host", p.shared, "working s"}, "><>>");
  std::vector<double> working(all.processors.size(), 0);
  for (const MemberReport& member : p.run.members) working[static_cast<std::size_t>(member.rank)] = member.predicted_s;
  for (std::size_t rank = 0; rank < working.size(); ++rank) {
    table.add({std::to_string(rank), all.processors[rank].host, std::to_string(p.shares.count(static_cast<Rank>(rank))),
               in_seconds(working[rank])});
  }
  return table.text();
}

std::string details(const Forecasts& all, const Sized& sized) {
  const Prediction& p = sized.prediction;
  std::string text = phase_table(p) + "\n" + cluster_table(sized) + "\n";
  text += fmt::format("way: {}\n", p.way);
  const int left_out = static_cast<int>(all.processors.size()) - ranks_used(sized.uses);
  if (left_out > 0 && all.chooses) {
    text += fmt::format("left out: {}, with which it is predicted to take longer\n", counted(left_out, "rank"));
  }
  if (p.full_speed_s > 0) {
    text += fmt::format("all ranks at full speed, if nothing had to travel: {} s\n", in_seconds(p.full_speed_s));
  }
  text += fmt::format("memory: {:.2f} GB of matrices on the rank that holds the most\n", p.memory * 1e-9);
  if (!p.chosen.empty()) text += p.chosen + "\n";
  if (all.explain) text += "\n" + p.explained + (p.explained.empty() ? "" : "\n") + rank_table(all, p);
  return text;
}

std::string size_table(const Forecasts& all) {
  Table table({"size", "predicted s", "bound s", "/ bound", "working s", "rest s", "clusters", "ranks", "way"},
              ">>>>>>>><");
  for (const Sized& sized : all.sizes) {
    const Prediction& p = sized.prediction;
    table.add({std::to_string(sized.size), in_seconds(p.predicted_s()), in_seconds(p.bound_s()),
               fmt::format("{:.2f}", times(p.predicted_s(), p.bound_s())), in_seconds(p.working_s()),
               in_seconds(std::max(p.predicted_s() - p.working_s(), 0.0)), std::to_string(clusters_used(sized.uses)),
               std::to_string(ranks_used(sized.uses)), p.way});
  }
  return table.text();
}

/// From which size on which cluster pays, a line each.
std::string steps_text(const Forecasts& all) {
  const Sized& first = all.sizes.front();
  if (!all.chooses || first.uses.size() < 2) return "";
  int before = least_clusters(all.sizes).front();
  std::string text;
  if (before > 1) {
    text = fmt::format("At size {} already, {} clusters pay.\n", with_commas(first.size), before);
  } else if (all.steps.empty()) {
    const Sized& last = all.sizes.back();
    text =
        fmt::format("At size {} no second cluster pays beside {}.\n", with_commas(last.size), last.uses.front().name);
  }
  for (const Step& step : all.steps) {
    const std::string which = step.clusters == before + 1 ? fmt::format("a {} cluster pays", ordinal(step.clusters))
                                                          : fmt::format("{} clusters pay", step.clusters);
    text += fmt::format("From size {} on {}: {}.\n", with_commas(step.size), which, fmt::join(step.names, ", then "));
    before = step.clusters;
  }
  return text;
}

Json json_of(const Forecasts& all, const Sized& sized) {
  const Prediction& p = sized.prediction;
  Json phases = Json::array();
  for (const TaskReport& task : p.run.tasks) {
    phases.push_back(
        {{"name", task.name}, {"predicted_s", task.predicted_s}, {"bound_s", task.bound_s}, {"how", task.how}});
  }
  Json in_clusters = Json::array();
  for (const ClusterUse& use : sized.uses) {
    in_clusters.push_back({{"name", use.name},
                           {"ranks", use.ranks},
                           {"used", use.used},
                           {p.shared, use.shares},
                           {"working_s", use.working_s}});
  }
  std::vector<double> working(all.processors.size(), 0);
  for (const MemberReport& member : p.run.members) working[static_cast<std::size_t>(member.rank)] = member.predicted_s;
  Json processors = Json::array();
  for (std::size_t rank = 0; rank < working.size(); ++rank) {
    processors.push_back({{"rank", rank},
                          {"host", all.processors[rank].host},
                          {p.shared, p.shares.count(static_cast<Rank>(rank))},
                          {"working_s", working[rank]}});
  }
  Json json{{"shape", p.shape},
            {"predicted_s", p.predicted_s()},
            {"bound_s", p.bound_s()},
            {"working_s", p.working_s()},
            {"full_speed_s", p.full_speed_s},
            {"memory_bytes", p.memory},
            {"way", p.way},
            {"clusters_used", clusters_used(sized.uses)},
            {"ranks_used", ranks_used(sized.uses)},
            {"phases", std::move(phases)},
            {"clusters", std::move(in_clusters)},
            {"processors", std::move(processors)},
            {"compared", p.compared}};
  if (sized.size > 0) json["size"] = sized.size;
  return json;
}

}  // namespace

std::string to_text(const Forecasts& all) {
  std::string text = heading(all) + "\n";
  if (all.sizes.size() == 1) return text + details(all, all.sizes.front());
  text += size_table(all) + "\n" + steps_text(all);
  if (!all.explain) return text;
  for (const Sized& sized : all.sizes) {
    text += fmt::format("\n{}\n\n{}", sized.prediction.what, details(all, sized));
  }
  return text;
}

std::string to_csv(const Forecasts& all) {
  std::string text = "size,predicted_s,bound_s,working_s,full_speed_s,memory_bytes,clusters,ranks,way\n";
  for (const Sized& sized : all.sizes) {
    const Prediction& p = sized.prediction;
    text += fmt::format("{},{:.9f},{:.9f},{:.9f},{:.9f},{:.0f},{},{},{}\n", sized.size, p.predicted_s(), p.bound_s(),
                        p.working_s(), p.full_speed_s, p.memory, clusters_used(sized.uses), ranks_used(sized.uses),
                        csv_field(p.way));
  }
  return text;
}

std::string to_json(const Forecasts& all) {
  Json json{{"command", all.command},
            {"platform", all.source},
            {"model", all.model},
            {"ranks", all.processors.size()},
            {"speeds", all.sizes.front().prediction.speeds},
            {"predictions", Json::array()},
            {"steps", Json::array()}};
  for (const Sized& sized : all.sizes) json["predictions"].push_back(json_of(all, sized));
  for (const Step& step : all.steps) {
    json["steps"].push_back({{"size", step.size}, {"clusters", step.clusters}, {"names", step.names}});
  }
  if (!all.on_fewer.empty()) json["on_fewer_clusters"] = Json::array();
  for (const auto& [name, seconds] : all.on_fewer) {
    Json times = Json::array();
    for (const auto& [size, time] : seconds) times.push_back({{"size", size}, {"predicted_s", time}});
    json["on_fewer_clusters"].push_back({{"name", name}, {"predictions", std::move(times)}});
  }
  return json.dump(2) + "\n";
}

}  // namespace tombolo::predicting
