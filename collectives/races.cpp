#include <algorithm>
#include <vector>

#include <tombolo/collectives/accesses.hpp>
#include <tombolo/collectives/races.hpp>

namespace tombolo {

namespace {

// Whether `later` waits, directly or not, for `earlier`. Steps wait for earlier ones only, so the search never looks
// below `earlier`; most answers are found at the first look.
class Order {
 public:
  explicit Order(const Schedule& schedule) : schedule_(schedule), seen_(schedule.steps().size(), 0) {}

  bool follows(StepId later, StepId earlier) {
    ++mark_;
    stack_.assign(1, later);
    while (!stack_.empty()) {
      const StepId at = stack_.back();
      stack_.pop_back();
      for (const StepId before : schedule_.after(schedule_.step(at))) {
        if (before == earlier) return true;
        if (before < earlier || seen_[static_cast<std::size_t>(before)] == mark_) continue;
        seen_[static_cast<std::size_t>(before)] = mark_;
        stack_.push_back(before);
      }
    }
    return false;
  }

 private:
  const Schedule& schedule_;
  std::vector<int> seen_;
  std::vector<StepId> stack_;
  int mark_ = 0;
};

}  // namespace

std::optional<std::pair<StepId, StepId>> find_race(const Schedule& schedule) {
  Accesses accesses;
  Order order(schedule);
  std::vector<StepId> conflicts;
  for (StepId id = 0; id < schedule.size(); ++id) {
    const Step& step = schedule.step(id);
    conflicts.clear();
    for (const Piece& piece : schedule.from(step)) accesses.read(piece, id, conflicts);
    for (const Piece& piece : schedule.into(step)) accesses.write(piece, id, conflicts);
    std::sort(conflicts.begin(), conflicts.end());
    conflicts.erase(std::unique(conflicts.begin(), conflicts.end()), conflicts.end());
    for (const StepId earlier : conflicts) {
      if (earlier == id) {
        // Pieces of one step overlap, in what it writes or between that and what it reads: a race with itself.
        return std::pair{id, id};
      }
      if (!order.follows(id, earlier)) return std::pair{earlier, id};
    }
  }
  return std::nullopt;
}

}  // namespace tombolo
