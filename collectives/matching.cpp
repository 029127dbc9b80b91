#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include <tombolo/collectives/matching.hpp>

namespace tombolo {

namespace {

struct End {  // of a message
  Rank sender;
  Rank receiver;
  std::int32_t tag;
  Step::Kind kind;  // sends sort before receives
  StepOf step;

  auto message() const { return std::tie(sender, receiver, tag); }
  bool operator<(const End& other) const {
    return std::tie(sender, receiver, tag, kind) < std::tie(other.sender, other.receiver, other.tag, other.kind);
  }
};

std::vector<End> ends(std::span<const Schedule> schedules) {
  std::vector<End> all;
  for (std::size_t r = 0; r < schedules.size(); ++r) {
    const auto rank = static_cast<Rank>(r);
    for (StepId id = 0; id < schedules[r].size(); ++id) {
      const Step& step = schedules[r].step(id);
      if (!step.is_message()) continue;
      const bool sends = step.kind == Step::Kind::send;
      all.push_back({sends ? rank : step.peer, sends ? step.peer : rank, step.tag, step.kind, {rank, id}});
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

Matching::Matching(std::span<const Schedule> schedules) {
  for (const Schedule& schedule : schedules) partners_.emplace_back(schedule.steps().size());
  const auto at = [&](const StepOf& s) -> const Schedule& { return schedules[static_cast<std::size_t>(s.rank)]; };
  const auto blame = [&](const End& end, const char* what) {
    if (!fault_) fault_ = fmt::format("{} {}", describe(at(end.step), end.step.rank, end.step.step), what);
  };
  const std::vector<End> all = ends(schedules);
  for (std::size_t i = 0; i < all.size();) {
    const End& send = all[i];
    if (i + 1 == all.size() || all[i + 1].message() != send.message()) {
      blame(send, "has no other side");
      ++i;
      continue;
    }
    const End& receive = all[i + 1];
    const bool pair = send.kind == Step::Kind::send && receive.kind == Step::Kind::receive;
    const bool alone = i + 2 == all.size() || all[i + 2].message() != send.message();
    if (!pair || !alone) {
      blame(send, "has more than one other side");
    } else if (at(send.step).step(send.step.step).count != at(receive.step).step(receive.step.step).count) {
      blame(send, "has a receive of another size");
    }
    partners_[static_cast<std::size_t>(send.step.rank)][static_cast<std::size_t>(send.step.step)] = receive.step;
    partners_[static_cast<std::size_t>(receive.step.rank)][static_cast<std::size_t>(receive.step.step)] = send.step;
    i += 2;
  }
}

std::string describe(const Schedule& schedule, Rank rank, StepId id) {
  const Step& step = schedule.step(id);
  switch (step.kind) {
    case Step::Kind::send:
      return fmt::format("step {} of rank {}, send of {} elements to rank {},", id, rank, step.count, step.peer);
    case Step::Kind::receive:
      return fmt::format("step {} of rank {}, receive of {} elements from rank {},", id, rank, step.count, step.peer);
    case Step::Kind::reduce:
      return fmt::format("step {} of rank {}, reduction of {} elements,", id, rank, step.count);
    case Step::Kind::copy:
      return fmt::format("step {} of rank {}, copy of {} elements,", id, rank, step.count);
  }
  return "";
}

}  // namespace tombolo
