#include <algorithm>

#include <fmt/format.h>

#include <tombolo/framework/program/declare/declaration.hpp>
#include <tombolo/framework/program/declare/newest_values.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// Returns the declaration to add before a read, depending on the copies that are up to date.
std::string remedy(const DeclaredArray& a, const Copies& now) {
  if (now.combined) return fmt::format("allreduce {} before", a.name);
  if (now.everywhere || now.root) {
    if (a.sliced() && a.root && now.root) return fmt::format("scatterv {} before", a.name);
    return a.everywhere ? fmt::format("bcast {} before", a.name) : fmt::format("move {} before", a.name);
  }
  if (!now.items) return fmt::format("write {} before, or move it without spending it", a.name);
  if (a.everywhere) return fmt::format("allgatherv {} before", a.name);
  return a.root ? fmt::format("gatherv {} before", a.name) : fmt::format("exchange the halo of {} before", a.name);
}

}  // namespace

NewestValues::NewestValues(const Declaration& program) : program_(&program) {
  for (const DeclaredArray& array : program.arrays) copies_.push_back(filled(array));
}

Copies NewestValues::filled(const DeclaredArray& array) {
  if (array.root) return {.root = true};
  if (array.everywhere) return {.items = array.sliced(), .everywhere = true};
  return {.items = true};
}

void NewestValues::swap(int one, int other) {
  std::swap(copies_[static_cast<std::size_t>(one)], copies_[static_cast<std::size_t>(other)]);
}

void NewestValues::refuse(const std::string& what, int number) const {
  const DeclaredArray& a = array(number);
  const Copies& now = of(number);
  std::string where = "nowhere, as a move has spent it";
  if (now.combined) where = "parts that ranks have combined";
  if (now.items) where = "in the items of each rank";
  if (now.root) where = "at its root";
  if (now.everywhere) where = "in the copies on all ranks";
  throw Error(fmt::format("program {}: {} of {}, whose newest values are {}", program_->name, what, a.name, where),
              remedy(a, now));
}

void NewestValues::need_items(const DeclaredTask& task, int array) const {
  if (!of(array).items) refuse(fmt::format("'{}' reads items", task.name), array);
}

void NewestValues::need_halo(const DeclaredTask& task, int number) const {
  need_items(task, number);
  if (of(number).halo) return;
  throw Error(fmt::format("program {}: '{}' reads the halo of {}, which nothing has exchanged since {} was written",
                          program_->name, task.name, array(number).name, array(number).name),
              fmt::format("exchange the halo of {} before", array(number).name));
}

void NewestValues::need_root(const DeclaredTask& task, int array) const {
  if (!of(array).root) refuse(fmt::format("'{}' reads the root's copy", task.name), array);
}

void NewestValues::need_everywhere(const DeclaredTask& task, int array) const {
  if (!of(array).everywhere) refuse(fmt::format("'{}' reads the whole", task.name), array);
}

void NewestValues::need_combined(const DeclaredTask& task, int number) const {
  if (of(number).combined) return;
  throw Error(fmt::format("program {}: '{}' reduces {}, which nothing has combined since it was reduced",
                          program_->name, task.name, array(number).name),
              "let a task combine() it before, once for each allreduce");
}

void NewestValues::need_moved(const DeclaredTask& task, int number) const {
  const DeclaredArray& a = array(number);
  if (a.sliced() || a.placed) return need_items(task, number);
  a.everywhere ? need_everywhere(task, number) : need_root(task, number);
}

void NewestValues::wrote_everywhere(int number) {
  set(number, {.items = array(number).sliced(), .root = array(number).root.has_value(), .everywhere = true});
}

void NewestValues::wrote_moved(int number) {
  const DeclaredArray& a = array(number);
  if (a.sliced() || a.placed) return wrote_items(number);
  if (a.everywhere) return wrote_everywhere(number);
  set(number, {.root = true});
}

void NewestValues::combined(const DeclaredTask& task, int number) {
  const DeclaredArray& a = array(number);
  if (of(number).combined && a.in_order) {
    throw Error(fmt::format("program {}: '{}' combines {} once more, whose parts are to stay in order", program_->name,
                            task.name, a.name),
                fmt::format("allreduce {} before, or say that its operation is commutative", a.name));
  }
  set(number, {.combined = true});
}

void NewestValues::pass(int first, int end) {
  for (int number = first; number < end; ++number) {
    const DeclaredTask& task = program_->tasks[static_cast<std::size_t>(number)];
    rules(task.kind).follow(*program_, task, *this);
  }
}

void NewestValues::passes(int first, int end, std::int64_t passes) {
  // States repeat after several passes because of swaps: only the remainder matters.
  std::vector<std::vector<Copies>> seen;
  for (; passes > 0; --passes) {
    const auto known = std::find(seen.begin(), seen.end(), copies_);
    if (known != seen.end()) {
      passes %= seen.end() - known;
      seen.clear();
      if (passes == 0) return;
    }
    seen.push_back(copies_);
    pass(first, end);
  }
}

namespace {

bool add(std::vector<NewestValues>& states, const NewestValues& state) {
  const bool known =
      std::any_of(states.begin(), states.end(), [&](const auto& one) { return one.all() == state.all(); });
  if (!known) states.push_back(state);
  return !known;
}

void check_rule(const Declaration& program, const DeclaredLoop& loop, const NewestValues& values) {
  const DeclaredTask rule{.name = "the rule of " + loop.name};
  for (const int watched : loop.watches) {
    if (!array_of(program, watched).everywhere) {
      refuse(program, fmt::format("{} reads {}, which is not everywhere", rule.name, array_of(program, watched).name),
             "a rule reads numbers, partial values and arrays that every rank holds");
    }
    values.need_everywhere(rule, watched);
  }
}

// Returns the states in which a loop that begins with `state` may end.
std::vector<NewestValues> ends_of(const Declaration& program, const Section& section, NewestValues state) {
  const DeclaredLoop& loop = program.loops[static_cast<std::size_t>(section.loop)];
  std::vector<NewestValues> begun;
  std::vector<NewestValues> ended;
  std::int64_t pass = 0;
  for (; pass < loop.most && add(begun, state); ++pass) {
    state.pass(section.first, section.end);
    check_rule(program, loop, state);
    if (loop.stops) add(ended, state);
  }
  if (!ended.empty()) return ended;
  state.passes(section.first, section.end, loop.most - pass);
  return {state};
}

}  // namespace

void check_values(const Declaration& program, const NewestValues& start) {
  std::vector<NewestValues> states{start};  // few, as states repeat
  for (const Section& section : sections_of(program)) {
    std::vector<NewestValues> next;
    for (NewestValues& state : states) {
      if (section.loop == DeclaredTask::none) {
        state.pass(section.first, section.end);
        add(next, state);
        continue;
      }
      for (const NewestValues& end : ends_of(program, section, state)) add(next, end);
    }
    states = std::move(next);
  }
}

NewestValues after_run(const Declaration& program, const NewestValues& before, std::span<const std::int64_t> passes,
                       std::size_t sections) {
  NewestValues now = before;
  for (const Section& section : sections_of(program)) {
    if (sections-- == 0) break;
    now.passes(section.first, section.end, passes_of(section.loop, passes));
  }
  return now;
}

}  // namespace tombolo
