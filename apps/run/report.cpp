#include "run/report.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include <tombolo/framework/report/table.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/session.hpp>

#include "output.hpp"

namespace tombolo {

Environment environment_of(const Session& session) {
  const std::string model = session.planner()->describe();
  return {.processors = session.processors(),
          .model = model,
          .source = session.platform_source(),
          .mpi_library = mpi_library()};
}

double Work::total() const {
  return std::accumulate(amount.begin(), amount.end(), 0.0);
}

namespace {

// Null for ranks that were left out.
const MemberReport* member_of(const RunReport& run, std::size_t rank) {
  const auto member = std::ranges::find(run.members, static_cast<Rank>(rank), &MemberReport::rank);
  return member == run.members.end() ? nullptr : &*member;
}

// Returns the seconds of one rank in a phase, waiting included; 0 for ranks that were left out.
double spent(const RunReport& run, std::size_t rank, std::size_t phase) {
  const MemberReport* const member = member_of(run, rank);
  return member == nullptr ? 0 : member->seconds[phase];
}

// Where phases overlap, what is computed while data travels counts as time of moving it, so computing has its own
// figure.
double seconds_of_work(const Report& report, std::size_t rank) {
  const MemberReport* const member = member_of(report.run, rank);
  if (member != nullptr && member->computing_s > 0) return member->computing_s;
  double sum = 0;
  for (const std::size_t phase : report.work.phases) sum += spent(report.run, rank, phase);
  return sum;
}

double sum_of(const RunReport& run, double TaskReport::*figure) {
  double sum = 0;
  for (const TaskReport& task : run.tasks) sum += task.*figure;
  return sum;
}

}  // namespace

double bound_of(const RunReport& run) {
  return run.overlaps ? run.bound_s : sum_of(run, &TaskReport::bound_s);
}

double Report::rank_speed(std::size_t rank) const {
  return per_second(work.amount[rank], seconds_of_work(*this, rank));
}

double Report::speed() const {
  double slowest = 0;
  for (std::size_t rank = 0; rank < work.amount.size(); ++rank) {
    slowest = std::max(slowest, seconds_of_work(*this, rank));
  }
  return per_second(work.total(), slowest);
}

Blocks shares_of(const RunReport& run) {
  std::vector<std::int64_t> shares(static_cast<std::size_t>(run.ranks), 0);
  for (const MemberReport& member : run.members) {
    shares[static_cast<std::size_t>(member.rank)] = member.items.front();
  }
  return Blocks(std::move(shares));
}

Verdict verdict_on_phantoms() {
  return {.words = "phantom: no data was held and nothing computed; only the time that it takes was simulated"};
}

std::vector<std::string> notes_on_crowding(const std::vector<Processor>& processors) {
  std::set<std::string> crowded;
  std::vector<std::string> notes;
  for (const Processor& on : processors) {
    if (on.ranks_sharing * on.threads <= on.cores || !crowded.insert(on.host).second) continue;
    notes.push_back(fmt::format("{} of {} with {} each on {}: they take turns, and times hold waiting",
                                counted(on.ranks_sharing, "rank"), on.host, counted(on.threads, "thread"),
                                counted(on.cores, "core")));
  }
  return notes;
}

namespace {

std::string heading(const Report& r) {
  const std::string shares = r.options.shares_name();
  return fmt::format("{}; {} by {}, {} collectives, {}{}", r.what, r.shared,
                     shares == "equal"  ? "equal shares"
                     : shares == "best" ? r.run.how
                                        : shares,
                     r.options.collectives == Session::Kind::tombolo ? "planned" : "native",
                     tombolo::counted(r.platform.processors.size(), "rank"),
                     r.root ? fmt::format(", root {}", *r.root) : "");
}

std::string in_seconds(double seconds) {
  return fmt::format("{:.6f}", seconds);
}

std::string in_giga(double per_second) {
  return fmt::format("{:.2f}", per_second * 1e-9);
}

/// Phases that are one line of the text: those of all panels, which are numbered.
struct PhaseGroup {
  std::string name;
  std::vector<std::size_t> phases;
};

// Returns the words that are no numbers: "compute 2" is "compute".
std::string without_numbers(const std::string& name) {
  std::istringstream words(name);
  std::string kept;
  for (std::string word; words >> word;) {
    if (word.find_first_not_of("0123456789") != std::string::npos) kept += (kept.empty() ? "" : " ") + word;
  }
  return kept;
}

std::vector<PhaseGroup> phase_groups(const RunReport& run) {
  std::vector<PhaseGroup> groups;
  for (std::size_t phase = 0; phase < run.tasks.size(); ++phase) {
    const std::string name = without_numbers(run.tasks[phase].name);
    const auto known = std::ranges::find(groups, name, &PhaseGroup::name);
    if (known == groups.end()) {
      groups.push_back({name, {phase}});
    } else {
      known->phases.push_back(phase);
    }
  }
  return groups;
}

std::string phase_table(const Report& r) {
  Table table({"phase", "seconds", "predicted s", "bound s", "how"}, "<>>><");
  const auto add = [&table](const std::string& name, double seconds, double predicted, double bound,
                            const std::string& how) {
    table.add({name, in_seconds(seconds), in_seconds(predicted), in_seconds(bound), how});
  };
  for (const PhaseGroup& group : phase_groups(r.run)) {
    const TaskReport& first = r.run.tasks[group.phases.front()];
    const auto sum = [&](double TaskReport::*figure) {
      double all = 0;
      for (const std::size_t phase : group.phases) all += r.run.tasks[phase].*figure;
      return all;
    };
    const std::size_t panels = group.phases.size();
    add(group.name, sum(&TaskReport::seconds), sum(&TaskReport::predicted_s), sum(&TaskReport::bound_s),
        panels == 1 ? first.how : fmt::format("{}, in {} panels", first.how, panels));
  }
  add("total", sum_of(r.run, &TaskReport::seconds), sum_of(r.run, &TaskReport::predicted_s), bound_of(r.run),
      r.work.total() == 0 ? "nothing to " + r.work.verb
                          : fmt::format("{} G{}/s while {}", in_giga(r.speed()), r.work.unit, r.work.gerund));
  std::string text = table.text();
  if (r.run.overlaps) text += "phases overlap: seconds are what each adds to the total, bounds those of each alone\n";
  return text;
}

std::string rank_table(const Report& r) {
  const Work& work = r.work;
  std::vector<std::string> headings{"rank", "host", "threads", r.counted, fmt::format("probed G{}/s", work.unit)};
  const std::vector<PhaseGroup> groups = phase_groups(r.run);
  for (const PhaseGroup& group : groups) headings.push_back(group.name + " s");
  headings.push_back(fmt::format("reached G{}/s", work.unit));
  Table table(std::move(headings), "><>>>" + std::string(groups.size(), '>') + ">");
  for (std::size_t rank = 0; rank < r.platform.processors.size(); ++rank) {
    const Processor& on = r.platform.processors[rank];
    std::vector<std::string> words{std::to_string(rank), on.host, std::to_string(on.threads),
                                   std::to_string(r.rows.count(static_cast<int>(rank))),
                                   work.probed[rank] == 0 ? "-" : in_giga(static_cast<double>(work.probed[rank]))};
    for (const PhaseGroup& group : groups) {
      double seconds = 0;
      for (const std::size_t phase : group.phases) seconds += spent(r.run, rank, phase);
      words.push_back(in_seconds(seconds));
    }
    words.push_back(work.amount[rank] == 0 ? "idle" : in_giga(r.rank_speed(rank)));
    table.add(std::move(words));
  }
  return table.text();
}

Json of_phases(const RunReport& run) {
  Json all = Json::array();
  for (const TaskReport& t : run.tasks) {
    all.push_back({{"name", t.name},
                   {"group", without_numbers(t.name)},
                   {"seconds", t.seconds},
                   {"predicted_s", t.predicted_s},
                   {"bound_s", t.bound_s},
                   {"how", t.how}});
  }
  return all;
}

Json of_processors(const Report& r) {
  Json all = Json::array();
  for (std::size_t rank = 0; rank < r.platform.processors.size(); ++rank) {
    const Processor& on = r.platform.processors[rank];
    Json seconds = Json::object();
    for (std::size_t p = 0; p < r.run.tasks.size(); ++p) seconds[r.run.tasks[p].name] = spent(r.run, rank, p);
    all.push_back({{"rank", rank},
                   {"host", on.host},
                   {"model", on.model},
                   {"cores", on.cores},
                   {"threads", on.threads},
                   {"speed_" + r.work.key, r.work.probed[rank]},
                   {r.counted, r.rows.count(static_cast<int>(rank))},
                   {"seconds", seconds},
                   {r.work.key, r.rank_speed(rank)}});
  }
  return all;
}

}  // namespace

std::string to_text(const Report& r) {
  std::string text = heading(r) + "\n\n" + phase_table(r) + "\n" + rank_table(r) + "\n" + r.verdict.words + "\n";
  text += "platform: " + r.platform.source + "\n";
  for (const std::string& note : r.notes) text += "note: " + note + "\n";
  for (const std::string& remark : r.remarks) text += remark + "\n";
  return text;
}

std::string to_json(const Report& r) {
  Json json = r.input;
  json["shares"] = r.options.shares_name();
  json["collectives"] = r.options.collectives == Session::Kind::tombolo ? "tombolo" : "native";
  json["ranks"] = r.platform.processors.size();
  if (r.root) json["root"] = *r.root;
  json["seconds"] = sum_of(r.run, &TaskReport::seconds);
  json["predicted_s"] = sum_of(r.run, &TaskReport::predicted_s);
  json["bound_s"] = bound_of(r.run);
  json[r.work.verb + "_" + r.work.key] = r.speed();
  json["verified"] = r.verdict.verified;
  json["phantom"] = r.phantom;
  json["verification"] = r.verdict.details;
  json["phases"] = of_phases(r.run);
  json["processors"] = of_processors(r);
  json["notes"] = r.notes;
  json["model"] = r.platform.model;
  json["platform"] = r.platform.source;
  json["mpi_library"] = r.platform.mpi_library;
  json.update(r.more);
  return json.dump(2) + "\n";
}

// Files first: whoever closes the pipe that reads the text still gets the result.
void deliver(Session& session, const Report& report, const std::function<void()>& write_result, const Error& if_wrong) {
  agree(session.communicator(), [&] {
    if (session.rank() == 0 && !report.options.report.empty()) write_text(report.options.report, to_json(report));
  });
  if (!report.verdict.wrong) write_result();
  print(session, to_text(report));
  agree(session.communicator(), [&] {
    if (report.verdict.wrong) throw Error(if_wrong);
  });
}

}  // namespace tombolo
