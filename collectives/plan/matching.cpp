#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include <tombolo/collectives/plan/matching.hpp>

namespace tombolo {

namespace {

struct End {  // one side of a message
  Rank sender;
  Rank receiver;
  std::int32_t tag;
  StepOf step;

  auto message() const { return std::tie(receiver, sender, tag); }
  bool operator<(const End& other) const { return message() < other.message(); }
};

// Stable counting sort by rank.
std::vector<End> sorted_by(Rank End::*rank, const std::vector<End>& ends, std::size_t ranks) {
  std::vector<std::size_t> place(ranks + 1, 0);
  for (const End& end : ends) ++place[static_cast<std::size_t>(end.*rank) + 1];
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<End> sorted(ends.size());
  for (const End& end : ends) sorted[place[static_cast<std::size_t>(end.*rank)]++] = end;
  return sorted;
}

// Sorts by receiver, sender, tag. Tags ascend in the order listed, so a counting sort in linear time suffices; messages
// listed otherwise are sorted again by comparison.
std::vector<End> ends(std::span<const Schedule> schedules, Step::Kind kind) {
  const auto ranks = static_cast<Rank>(schedules.size());
  std::vector<End> all;
  std::vector<End> strangers;  // with a peer that does not exist
  for (Rank rank = 0; rank < ranks; ++rank) {
    const Schedule& schedule = schedules[static_cast<std::size_t>(rank)];
    for (StepId id = 0; id < schedule.size(); ++id) {
      const Step& step = schedule.step(id);
      if (step.kind != kind) continue;
      const bool sends = kind == Step::Kind::send;
      const End end{sends ? rank : step.peer, sends ? step.peer : rank, step.tag, {rank, id}};
      (step.peer >= 0 && step.peer < ranks ? all : strangers).push_back(end);
    }
  }
  if (kind == Step::Kind::receive) all = sorted_by(&End::sender, all, schedules.size());
  all = sorted_by(&End::receiver, all, schedules.size());
  all.insert(all.end(), strangers.begin(), strangers.end());
  if (!std::is_sorted(all.begin(), all.end())) std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

Matching::Matching(std::span<const Schedule> schedules) {
  first_.reserve(schedules.size());
  std::size_t steps = 0;
  for (const Schedule& schedule : schedules) {
    first_.push_back(steps);
    steps += schedule.steps().size();
  }
  partners_.resize(steps);
  const auto at = [&](const StepOf& s) -> const Schedule& { return schedules[static_cast<std::size_t>(s.rank)]; };
  const auto partner = [&](const StepOf& s) -> StepOf& {
    return partners_[first_[static_cast<std::size_t>(s.rank)] + static_cast<std::size_t>(s.step)];
  };
  const auto blame = [&](const End& end, const char* what) {
    if (!fault_) fault_ = fmt::format("{} {}", describe(at(end.step), end.step.rank, end.step.step), what);
  };
  const std::vector<End> sends = ends(schedules, Step::Kind::send);
  const std::vector<End> receives = ends(schedules, Step::Kind::receive);
  auto send = sends.begin();
  auto receive = receives.begin();
  while (send != sends.end() || receive != receives.end()) {
    if (receive == receives.end() || (send != sends.end() && *send < *receive)) {
      blame(*send++, "has no other side");
      continue;
    }
    if (send == sends.end() || *receive < *send) {
      blame(*receive++, "has no other side");
      continue;
    }
    const auto again = [](auto end, auto last) { return end + 1 != last && !(*end < end[1]); };
    if (again(send, sends.end()) || again(receive, receives.end())) {
      blame(*send, "has more than one other side");
    } else if (at(send->step).step(send->step.step).count != at(receive->step).step(receive->step.step).count) {
      blame(*send, "has a receive of another size");
    }
    partner(send->step) = receive->step;
    partner(receive->step) = send->step;
    ++send;
    ++receive;
  }
}

std::string describe(const Schedule& schedule, Rank rank, StepId id) {
  constexpr std::array kinds = {"send", "receive", "reduction", "copy"};  // by Step::Kind
  const Step& step = schedule.step(id);
  const std::string text = fmt::format("step {} of rank {}, {} of {} elements", id, rank,
                                       kinds.at(static_cast<std::size_t>(step.kind)), step.count);
  if (!step.is_message()) return text + ",";
  return text + fmt::format(" {} rank {},", step.kind == Step::Kind::send ? "to" : "from", step.peer);
}

}  // namespace tombolo
