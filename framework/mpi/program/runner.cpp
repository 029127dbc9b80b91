#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <tombolo/framework/mpi/program/farm.hpp>
#include <tombolo/framework/mpi/program/runner.hpp>

namespace tombolo {

namespace {

// In which a rank computes while a collective is under way: looking after that costs time too.
constexpr std::int64_t most_pieces = 8;
constexpr double shortest_piece = 1e-3;  // s

}  // namespace

void Runner::end(std::size_t action) {
  complete_[action] = true;
  done_[action].end = now_;
}

void Runner::computed(int task, double operations) {
  const double begin = now_;
  look();
  recorder_.computed(task, operations, now_ - begin);
}

bool Runner::may_begin(std::size_t action) const {
  const std::vector<int>& after = (*actions_)[action].after;
  return std::all_of(after.begin(), after.end(),
                     [&](int before) { return complete_[static_cast<std::size_t>(before)]; });
}

void Runner::compute(const Action& action, const Slice& slice, bool in_pieces) {
  if (slice.count == 0) return;
  const DeclaredTask& task = body_.task(action.task);
  const DeclaredSlices& slices = body_.declared.slices[static_cast<std::size_t>(task.slices)];
  const std::int64_t least = std::max<std::int64_t>(slices.grain, 1);
  std::int64_t pieces = 1;
  if (in_pieces) {
    const double all = task.operations * static_cast<double>(weight(slices, slice.first, slice.count));
    const double wanted = costs_.computing_s(task, member_, all) / shortest_piece;
    pieces = std::clamp<std::int64_t>(std::llround(std::min(wanted, 1e6)), 1, most_pieces);
  }
  const std::int64_t each = pieces > 1 ? std::max(least, (slice.count - 1) / pieces + 1) : slice.count;
  for (std::int64_t first = 0; first < slice.count; first += each) {
    const std::int64_t count = std::min(each, slice.count - first);
    const Slice piece{slice.first + first, count, slice.local + first};
    const double operations = task.operations * static_cast<double>(weight(slices, piece.first, count));
    session_.compute(operations, [&] { body_.works[static_cast<std::size_t>(action.task)].on_slice(piece); });
    computed(action.task, operations);
    if (pieces > 1) see_to_talk();
  }
}

void Runner::clear_partial(const DeclaredTask& task) {
  if (session_.phantom()) return;
  for (const int number : task.partial) {
    const ArrayMemory& array = body_.array(number);
    std::fill_n(array.data(), array.elements() * array.declared().element, std::byte{0});
  }
}

void Runner::put_in_order(const Action& action) {
  const auto elements = static_cast<double>(transfers_.elements(action));
  if (elements == 0) return transfers_.put_in_order(action);
  session_.compute(elements, [&] { transfers_.put_in_order(action); });
  computed(action.task, elements);
}

void Runner::compute(const Action& action, bool in_pieces) {
  const DeclaredTask& task = body_.task(action.task);
  if (task.puts_in_order()) return put_in_order(action);
  if (task.kind == TaskKind::swap) return body_.array(task.array).swap(body_.array(task.to));
  if (action.panel == 0 && action.portion != Action::Portion::border) clear_partial(task);
  for (const Slice& slice : slices_of(body_.declared, arrangement_, action, member_)) compute(action, slice, in_pieces);
}

void Runner::talk(const Action& action) {
  const DeclaredTask& task = body_.task(action.task);
  if (task.kind == TaskKind::own) {
    session_.compute(task.operations,
                     [&] { body_.works[static_cast<std::size_t>(action.task)].by_itself(collectives_); });
    computed(action.task, task.operations);
  } else if (task.kind == TaskKind::farm) {
    work_off(body_, arrangement_, action.task, communicator_, recorder_, session_);
  } else {
    transfers_.carry_out(action);
  }
  look();
}

void Runner::in_order(const std::vector<Action>& actions) {
  for (std::size_t i = 0; i < actions.size(); ++i) {
    start(i);
    if (body_.task(actions[i].task).communicates()) {
      talk(actions[i]);
    } else {
      compute(actions[i], false);
    }
    end(i);
  }
}

void Runner::begin_talk() {
  if (talking_ || next_talk_ == talks_.size() || !may_begin(talks_[next_talk_])) return;
  const std::size_t number = talks_[next_talk_];
  const Action& action = (*actions_)[number];
  start(number);
  const TaskKind kind = body_.task(action.task).kind;
  if (kind == TaskKind::own || kind == TaskKind::farm) {
    talk(action);
    end(number);
    ++next_talk_;
    return begin_talk();
  }
  under_way_ = transfers_.begin(action);
  talking_ = true;
  look();
}

void Runner::end_talk() {
  const std::size_t number = talks_[next_talk_++];
  transfers_.finish((*actions_)[number]);
  talking_ = false;
  look();
  end(number);
}

void Runner::see_to_talk() {
  if (talking_ && under_way_.test()) end_talk();
  begin_talk();
  look();
}

void Runner::in_lanes(const std::vector<Action>& actions) {
  std::vector<std::size_t> computations;
  talks_.clear();
  next_talk_ = 0;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    (body_.task(actions[i].task).communicates() ? talks_ : computations).push_back(i);
  }
  std::size_t next = 0;
  while (next < computations.size() || next_talk_ < talks_.size()) {
    begin_talk();
    if (next < computations.size() && may_begin(computations[next])) {
      start(computations[next]);
      compute(actions[computations[next]], next_talk_ < talks_.size());
      end(computations[next++]);
    } else if (talking_) {
      under_way_.wait();
      end_talk();
    } else if (next_talk_ < talks_.size() || next < computations.size()) {
      throw std::logic_error("actions of a program that wait for each other");
    }
  }
}

void Runner::pass(const Section& section, const std::vector<Action>& actions) {
  actions_ = &actions;
  look();
  done_.assign(actions.size(), {});
  complete_.assign(actions.size(), false);
  for (std::size_t i = 0; i < actions.size(); ++i) {
    done_[i].task = actions[i].task;
    done_[i].panel = actions[i].panel;
  }
  if (arrangement_.overlaps) {
    in_lanes(actions);
  } else {
    in_order(actions);
  }
  recorder_.note(section, actions, done_);
}

}  // namespace tombolo
