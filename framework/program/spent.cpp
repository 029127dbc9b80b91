#include <set>

#include <tombolo/framework/program/aspects.hpp>
#include <tombolo/framework/program/outlook.hpp>
#include <tombolo/framework/program/spent.hpp>

namespace tombolo {

namespace {

class Walk {
 public:
  explicit Walk(const Declaration& program) : program_(program) {}

  std::optional<ReadWhenSpent> over(const Section& section) {
    for (int number = section.first; number < section.end; ++number) {
      const DeclaredTask& task = program_.tasks[static_cast<std::size_t>(number)];
      if (task.kind == TaskKind::swap) {
        swap(task.array, task.to);
        continue;
      }
      const Touches touched = touches(program_, task);
      for (const Touch& touch : touched.reads) {
        if (spent_.contains(touch.array)) return ReadWhenSpent{&task, touch.array};
      }
      for (const Touch& touch : touched.writes) spent_.erase(touch.array);
      if (task.kind == TaskKind::unpack && task.spends) spent_.insert(task.array);
    }
    return std::nullopt;
  }

 private:
  void swap(int one, int other) {
    const bool had_one = spent_.erase(one) > 0;
    const bool had_other = spent_.erase(other) > 0;
    if (had_one) spent_.insert(other);
    if (had_other) spent_.insert(one);
  }

  const Declaration& program_;
  std::set<int> spent_;  // arrays
};

}  // namespace

std::optional<ReadWhenSpent> read_when_spent(const Declaration& program) {
  Walk walk(program);
  for (const Section& section : sections_of(program)) {
    const int passes = section.loop == DeclaredTask::none ? 1 : 2;
    for (int pass = 0; pass < passes; ++pass) {
      if (const auto found = walk.over(section)) return found;
    }
  }
  return std::nullopt;
}

}  // namespace tombolo
