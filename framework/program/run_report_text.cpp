#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tombolo/framework/program/run_report.hpp>
#include <tombolo/framework/table.hpp>

namespace tombolo {

namespace {

std::string in_seconds(double seconds) {
  return fmt::format("{:.6f}", seconds);
}

// Of a loop, of all its passes.
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
  return heading(report) + "\n" + task_table(report) + "\n" + rank_table(report);
}

}  // namespace tombolo
