// Checks for contradictions in the declaration of a program.
#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/program/declare/declaration.hpp>
#include <tombolo/framework/program/declare/newest_values.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>

namespace tombolo {

namespace {

class Checker {
 public:
  explicit Checker(const Declaration& program) : program_(program) {}

  void all() {
    for (const DeclaredDomain& slices : program_.slices) check_slices(slices);
    for (const DeclaredArray& array : program_.arrays) check_array(array);
    for (const DeclaredTask& task : program_.tasks) {
      check_within(task.slices, program_.slices.size(), task.name);
      if (task.parts < 1) refuse(fmt::format("'{}' is in {} parts", task.name, task.parts), "give 1 part or more");
      check_arrays(task);
      rules(task.kind).check(program_, task);
      check_order(task);
    }
    check_values(program_, NewestValues(program_));
  }

 private:
  [[noreturn]] void refuse(const std::string& cause, const std::string& remedy) const {
    tombolo::refuse(program_, cause, remedy);
  }
  const DeclaredArray& array(int number) const { return program_.arrays[static_cast<std::size_t>(number)]; }
  const DeclaredDomain& slices(int number) const { return program_.slices[static_cast<std::size_t>(number)]; }

  void check_slices(const DeclaredDomain& s) const {
    const auto negative = [](const std::vector<std::int64_t>& counts) {
      return std::any_of(counts.begin(), counts.end(), [](std::int64_t count) { return count < 0; });
    };
    if (s.items < 0 || s.inner[0] < 0 || s.inner[1] < 0 || negative(s.weights) || negative(s.given)) {
      refuse(fmt::format("{} are {} x {} x {} items, or have a weight or a share below 0", s.name, s.items, s.inner[0],
                         s.inner[1]),
             "give 0 or more of everything");
    }
    if (s.grain < 1) refuse(fmt::format("{} have a grain of {}", s.name, s.grain), "give 1 item or more");
    if (s.weights.empty() || static_cast<std::int64_t>(s.weights.size()) == s.items) return;
    refuse(fmt::format("{} are {} items and have {} weights", s.name, s.items, s.weights.size()),
           "give a weight for each item, or none at all");
  }

  void check_array(const DeclaredArray& a) const {
    constexpr std::int64_t most = std::int64_t{1} << 60;  // limit of the counts of collectives
    if (a.shape.rows < 0 || a.shape.columns < 0 || a.halo < 0) {
      refuse(fmt::format("{} is {} x {} with a halo of {}", a.name, a.shape.rows, a.shape.columns, a.halo),
             "give sizes of 0 or more");
    }
    if (a.shape.rows > 0 && a.shape.columns > most / a.element / a.shape.rows) {
      refuse(fmt::format("{} is {} x {}, beyond 2^60 bytes", a.name, a.shape.rows, a.shape.columns),
             "take a smaller problem");
    }
    if (a.placed) return check_placed(a);
    if (!a.sliced() && !a.everywhere && !a.root) {
      refuse(fmt::format("{} is held by nobody", a.name), "hold it over a domain, at a root, or everywhere");
    }
    check_within(a.slices, program_.slices.size(), a.name);
    if (!a.sliced()) return;
    if (a.shape.rows == slices(a.slices).items) return;
    refuse(fmt::format("{} has {} rows and {} are {} items", a.name, a.shape.rows, slices(a.slices).name,
                       slices(a.slices).items),
           "an array over a domain has its extents first");
  }

  void check_placed(const DeclaredArray& a) const {
    if (a.sliced() || a.everywhere || a.root || a.halo > 0) {
      refuse(fmt::format("{} is held as a distribution says, and in another way too", a.name), "say one of the two");
    }
    const auto [rows, columns] = a.placed->shape();
    if (a.placed->shape() == a.shape) return;
    refuse(
        fmt::format("{} is {} x {}, held as a matrix of {} x {}", a.name, a.shape.rows, a.shape.columns, rows, columns),
        "give a distribution of a matrix of its size");
  }

  // Throws Error if the number of a domain is too large; -1 means no domain.
  void check_within(int slices, std::size_t all, const std::string& user) const {
    if (slices < static_cast<int>(all)) return;
    refuse(fmt::format("{} is about domain {}, and there are {}", user, slices, all), "declare the domain first");
  }

  void check_arrays(const DeclaredTask& task) const {
    for (const auto* accesses :
         {&task.reads, &task.around, &task.wholes, &task.writes, &task.updates, &task.combines}) {
      for (const int number : *accesses) (void)program_.arrays.at(static_cast<std::size_t>(number));
    }
  }

  struct Written {
    const DeclaredTask* by = nullptr;
    bool read = false;
  };

  void check_order(const DeclaredTask& task) {
    if (rules(task.kind).swaps()) return swap_states(task);
    const Touches touched = touches(program_, task);
    for (const Touch& touch : touched.reads) {
      Written& written = state(touch);
      written.read = true;
    }
    for (const Touch& touch : touched.writes) {
      Written& written = state(touch);
      const auto reads = [&](const Touch& what) {
        return std::find(touched.reads.begin(), touched.reads.end(), what) != touched.reads.end();
      };
      // A write of slices of a replicated array is part of the whole, which an allgatherv completes; a farm leaves
      // slices for a scatterv to complete.
      const Touch other{touch.array, touch.aspect == Aspect::whole ? Aspect::slices : Aspect::whole};
      const bool completes = touch.aspect != Aspect::halo && state(other).by == written.by && reads(other);
      if (written.by != nullptr && !written.read && !reads(touch) && !completes && written.by->loop == task.loop) {
        refuse(fmt::format("{} is written by '{}' and again by '{}', and nothing reads it in between",
                           array(touch.array).name, written.by->name, task.name),
               "leave one out, or say that the second reads what it updates");
      }
      written = {&task, false};
    }
    // A spent array needs no reader.
    for (const Aspect aspect : {Aspect::whole, Aspect::slices}) {
      if (task.spends) states_[{task.array, aspect}] = {};
    }
  }

  Written& state(const Touch& touch) { return states_[{touch.array, touch.aspect}]; }
  void swap_states(const DeclaredTask& task) {
    for (const Aspect aspect : {Aspect::whole, Aspect::slices, Aspect::halo}) {
      Written& one = states_[{task.array, aspect}];
      Written& other = states_[{task.to, aspect}];
      std::swap(one, other);
      one.read = other.read = true;
    }
  }

  const Declaration& program_;
  std::map<std::pair<int, Aspect>, Written> states_;
};

}  // namespace

void check(const Declaration& program) {
  Checker(program).all();
}

}  // namespace tombolo
