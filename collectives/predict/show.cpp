#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tombolo/collectives/predict/show.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo {

namespace {

/// By rank, the destinations of its sends, each once, in order.
std::vector<std::vector<Rank>> targets(const Plan& plan) {
  std::vector<std::vector<Rank>> all;
  for (const Schedule& schedule : plan.schedules()) {
    std::vector<Rank>& mine = all.emplace_back();
    for (const Step& step : schedule.steps()) {
      if (step.kind != Step::Kind::send) continue;
      if (std::ranges::find(mine, step.peer) == mine.end()) mine.push_back(step.peer);
    }
  }
  return all;
}

std::vector<std::vector<Rank>> turned_round(const std::vector<std::vector<Rank>>& targets) {
  std::vector<std::vector<Rank>> sources(targets.size());
  for (std::size_t r = 0; r < targets.size(); ++r) {
    for (const Rank target : targets[r]) sources[static_cast<std::size_t>(target)].push_back(static_cast<Rank>(r));
  }
  return sources;
}

/// True if the root has no parent and every other rank at most one.
bool is_tree(const std::vector<std::vector<Rank>>& children, Rank root) {
  std::vector<int> parents(children.size(), 0);
  for (const auto& of_one : children) {
    for (const Rank child : of_one) ++parents[static_cast<std::size_t>(child)];
  }
  if (parents[static_cast<std::size_t>(root)] != 0) return false;
  return std::ranges::all_of(parents, [](int n) { return n <= 1; });
}

void draw(const std::vector<std::vector<Rank>>& children, Rank at, const std::string& indent, std::string& text) {
  const auto& mine = children[static_cast<std::size_t>(at)];
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const bool last = i + 1 == mine.size();
    text += fmt::format("{}{} {}\n", indent, last ? "`-" : "|-", mine[i]);
    draw(children, mine[i], indent + (last ? "   " : "|  "), text);
  }
}

std::string pieces(std::span<const BufferRange> all) {
  std::string text;
  for (const BufferRange& piece : all) {
    text += fmt::format("{}{}[{}, {})", text.empty() ? "" : " ", name(piece.buffer), piece.offset, piece.end());
  }
  return text;
}

const char* verb(Step::Kind kind) {
  constexpr std::array verbs = {"send to", "receive from", "reduce", "copy"};
  return verbs.at(static_cast<std::size_t>(kind));
}

char letter(Step::Kind kind) {
  return kind == Step::Kind::send ? 's' : kind == Step::Kind::receive ? 'r' : 'l';
}

}  // namespace

std::string show_tree(const Plan& plan) {
  const auto down = targets(plan);
  const auto up = turned_round(down);
  const Rank root = plan.request().root;
  std::string text;
  if (is_rooted(plan.request().operation)) {
    for (const auto* children : {&down, &up}) {
      if (!is_tree(*children, root)) continue;
      text = fmt::format("{}\n", root);
      draw(*children, root, "", text);
      return text;
    }
  }
  for (std::size_t rank = 0; rank < down.size(); ++rank) {
    text += fmt::format("{} -> {}\n", rank, fmt::join(down[rank], " "));
  }
  return text;
}

std::string show_table(const Plan& plan, Rank rank) {
  const Schedule schedule = plan.schedule(rank, plan.request());
  std::string text =
      fmt::format("rank {}: {} steps, {} elements of scratch\n", rank, schedule.size(), schedule.scratch());
  for (StepId id = 0; id < schedule.size(); ++id) {
    const Step& step = schedule.step(id);
    const std::string what =
        step.is_message() ? fmt::format("{} {}", verb(step.kind), step.peer) : std::string(verb(step.kind));
    std::string where = pieces(schedule.from(step));
    if (step.from.size > 0 && step.into.size > 0) where += step.kind == Step::Kind::reduce ? " (op)> " : " > ";
    where += pieces(schedule.into(step));
    std::string line = fmt::format("{:>4}  {:<18} {:<36}", id, what, where);
    if (schedule.window(step) > 0) line += fmt::format("  lane {} of {}", step.channel, schedule.window(step));
    if (step.after.size > 0) line += fmt::format("  after {}", fmt::join(schedule.after(step), " "));
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string show_timeline(const Plan& plan, const Prediction& prediction, int columns) {
  const Picoseconds whole = std::max<Picoseconds>(prediction.makespan, 1);
  std::string text;
  const std::vector<Schedule> schedules = plan.schedules();
  for (Rank rank = 0; rank < plan.request().ranks; ++rank) {
    std::string row(static_cast<std::size_t>(columns), '.');
    const Schedule& schedule = schedules[static_cast<std::size_t>(rank)];
    for (StepId id = 0; id < schedule.size(); ++id) {
      const StepTime& time = prediction.steps[static_cast<std::size_t>(rank)][static_cast<std::size_t>(id)];
      const char mark = letter(schedule.step(id).kind);
      const auto column = [&](Picoseconds t) {
        return static_cast<int>(static_cast<double>(t) / static_cast<double>(whole) * columns);
      };
      const int first = std::min(column(time.start), columns - 1);
      const int last = std::max(first + 1, column(time.end));
      for (int at = first; at < std::min(last, columns); ++at) {
        char& cell = row[static_cast<std::size_t>(at)];
        cell = cell == '.' || cell == mark ? mark : 'b';
      }
    }
    text += fmt::format("{:>6} {} {}\n", rank, row, readable(prediction.finish[static_cast<std::size_t>(rank)]));
  }
  return text;
}

}  // namespace tombolo
