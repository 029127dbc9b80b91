#include <fmt/format.h>

#include <tombolo/framework/report/table.hpp>

#include "run/report.hpp"

namespace tombolo {

namespace {

std::string heading(const Report& r) {
  const std::size_t ranks = r.platform.processors.size();
  return fmt::format("{}; {} by {}, {} collectives, {} rank{}{}", r.what, r.shared,
                     r.options.shares == Shares::equal  ? "equal shares"
                     : r.options.shares == Shares::best ? r.shared_out
                                                        : name(r.options.shares),
                     r.options.collectives == Session::Kind::tombolo ? "planned" : "native", ranks,
                     ranks == 1 ? "" : "s", r.root ? fmt::format(", root {}", *r.root) : "");
}

std::string in_seconds(double seconds) {
  return fmt::format("{:.6f}", seconds);
}

std::string in_giga(double per_second) {
  return fmt::format("{:.2f}", per_second * 1e-9);
}

std::string phase_table(const Report& r) {
  Table table({"phase", "seconds", "predicted s", "bound s", "how"}, "<>>><");
  const auto add = [&table](const std::string& name, double seconds, double predicted, double bound,
                            const std::string& how) {
    table.add({name, in_seconds(seconds), in_seconds(predicted), in_seconds(bound), how});
  };
  const Timeline& t = r.timeline;
  for (const auto& [name, forecast, seconds] : t.phases) {
    add(name, seconds, forecast.predicted_s, forecast.bound_s, forecast.how);
  }
  const Work& work = r.work;
  add("total", t.total(), t.predicted(), t.bound(),
      work.total() == 0 ? "nothing to " + work.verb
                        : fmt::format("{} G{}/s while {}", in_giga(work.speed(t)), work.unit, work.gerund));
  return table.text();
}

std::string rank_table(const Report& r) {
  const Timeline& t = r.timeline;
  const Work& work = r.work;
  std::vector<std::string> headings{"rank", "host", "threads", r.counted, fmt::format("probed G{}/s", work.unit)};
  for (const Phase& phase : t.phases) headings.push_back(phase.name + " s");
  headings.push_back(fmt::format("reached G{}/s", work.unit));
  Table table(std::move(headings), "><>>>" + std::string(t.phases.size(), '>') + ">");
  for (std::size_t rank = 0; rank < r.platform.processors.size(); ++rank) {
    const Processor& on = r.platform.processors[rank];
    std::vector<std::string> words{std::to_string(rank), on.host, std::to_string(on.threads),
                                   std::to_string(r.rows.count(static_cast<int>(rank))),
                                   work.probed[rank] == 0 ? "-" : in_giga(static_cast<double>(work.probed[rank]))};
    for (std::size_t p = 0; p < t.phases.size(); ++p) words.push_back(in_seconds(t.spent[rank][p]));
    words.push_back(work.amount[rank] == 0 ? "idle" : in_giga(work.rank_speed(t, rank)));
    table.add(std::move(words));
  }
  return table.text();
}

}  // namespace

std::string to_text(const Report& r) {
  std::string text = heading(r) + "\n\n" + phase_table(r) + "\n" + rank_table(r) + "\n" + r.verdict.words + "\n";
  text += "platform: " + r.platform.source + "\n";
  for (const std::string& note : r.notes) text += "note: " + note + "\n";
  for (const std::string& remark : r.remarks) text += remark + "\n";
  return text;
}

}  // namespace tombolo
