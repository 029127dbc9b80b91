// What contradicts itself in the declaration of a program.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <tombolo/framework/program/aspects.hpp>
#include <tombolo/framework/program/declaration.hpp>
#include <tombolo/framework/program/spent.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {

namespace {

class Checker {
 public:
  explicit Checker(const Declaration& program) : program_(program) {}

  void all() {
    for (const DeclaredSlices& slices : program_.slices) check_slices(slices);
    for (const DeclaredArray& array : program_.arrays) check_array(array);
    for (const DeclaredTask& task : program_.tasks) {
      check_within(task.slices, program_.slices.size(), task.name);
      check_sizes(task);
      check_work(task);
      check_order(task);
    }
    if (const auto late = read_when_spent(program_)) {
      refuse(fmt::format("'{}' reads {}, whose memory a move has spent", late->task->name, array(late->array).name),
             "move it without spending it, or write it before");
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& cause, const std::string& remedy) const {
    throw Error(fmt::format("program {}: {}", program_.name, cause), remedy);
  }
  const DeclaredArray& array(int number) const { return program_.arrays[static_cast<std::size_t>(number)]; }
  const DeclaredSlices& slices(int number) const { return program_.slices[static_cast<std::size_t>(number)]; }

  void check_slices(const DeclaredSlices& s) const {
    const auto negative = [](const std::vector<std::int64_t>& counts) {
      return std::any_of(counts.begin(), counts.end(), [](std::int64_t count) { return count < 0; });
    };
    if (s.items < 0 || negative(s.weights) || negative(s.given)) {
      refuse(fmt::format("{} are {} items, or have a weight or a share below 0", s.name, s.items),
             "give 0 or more of everything");
    }
    if (s.grain < 1) refuse(fmt::format("{} have a grain of {}", s.name, s.grain), "give 1 item or more");
    if (s.weights.empty() || static_cast<std::int64_t>(s.weights.size()) == s.items) return;
    refuse(fmt::format("{} are {} items and have {} weights", s.name, s.items, s.weights.size()),
           "give a weight for each item, or none at all");
  }

  void check_array(const DeclaredArray& a) const {
    constexpr std::int64_t most = std::int64_t{1} << 60;  // that collectives count
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
      refuse(fmt::format("{} is held by nobody", a.name), "hold it by slices, at a root, or everywhere");
    }
    check_within(a.slices, program_.slices.size(), a.name);
    if (!a.sliced()) return;
    if (a.shape.rows == slices(a.slices).items) return;
    refuse(fmt::format("{} has {} rows and {} are {} items", a.name, a.shape.rows, slices(a.slices).name,
                       slices(a.slices).items),
           "an array in slices has a row for each item");
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

  // -1: none.
  void check_within(int slices, std::size_t all, const std::string& user) const {
    if (slices < static_cast<int>(all)) return;
    refuse(fmt::format("{} is about slices {}, and there are {}", user, slices, all), "declare slices first");
  }

  void need(bool good, const DeclaredTask& task, const char* what) const { need(good, task, task.array, what); }
  void need(bool good, const DeclaredTask& task, int of, const char* what) const {
    if (good) return;
    refuse(fmt::format("{} '{}' needs {} to be {}", tombolo::name(task.kind), task.name, array(of).name, what),
           "declare the array so, or use another task");
  }

  void check_sizes(const DeclaredTask& task) const {
    switch (task.kind) {
      case TaskKind::scatterv:
      case TaskKind::gatherv:
        return need(array(task.array).sliced() && array(task.array).root, task, "in slices and at a root");
      case TaskKind::farm:
        return need(array(task.array).slices == task.slices && array(task.array).root, task,
                    "in the slices of the farm and at a root");
      case TaskKind::allgatherv:
        return need(array(task.array).sliced() && array(task.array).everywhere, task, "in slices and everywhere");
      case TaskKind::bcast:
        return need(array(task.array).everywhere && array(task.array).root, task, "everywhere, from a root");
      case TaskKind::allreduce:
        return need(array(task.array).everywhere, task, "everywhere");
      case TaskKind::halo:
        return need(array(task.array).sliced() && array(task.array).halo > 0, task, "in slices with a halo");
      case TaskKind::move:
      case TaskKind::pack:
      case TaskKind::unpack:
        if (task.spends) check_spent(task);
        return check_pair(task);
      case TaskKind::swap:
        return check_pair(task);
      case TaskKind::compute:
        for (const int used : task.writes) {
          if (array(used).sliced() && array(used).slices == task.slices) continue;
          refuse(fmt::format("'{}' computes over {} and writes {}, which {}", task.name, slices(task.slices).name,
                             array(used).name,
                             array(used).sliced() ? "is in other slices" : "every rank would write as a whole"),
                 "write arrays in the same slices; sums over all ranks are partial, for allreduce");
        }
        for (const int part : task.partial) {
          need(array(part).everywhere && !array(part).sliced(), task, part, "everywhere and in no slices");
        }
        return;
      case TaskKind::own:
        return;
    }
  }

  // What changes places must be all that is held of both.
  void check_spent(const DeclaredTask& task) const {
    for (const int of : {task.array, task.to}) {
      const DeclaredArray& a = array(of);
      need(a.halo == 0 && a.least == 0 && !(a.sliced() && (a.root || a.everywhere)), task, of,
           "held in one way, without a halo");
    }
  }

  void check_pair(const DeclaredTask& task) const {
    const DeclaredArray& from = array(task.array);
    const DeclaredArray& to = array(task.to);
    const MatrixShape wanted = task.transposed ? MatrixShape{from.shape.columns, from.shape.rows} : from.shape;
    const bool alike =
        task.moves() || (from.slices == to.slices && from.root == to.root && from.everywhere == to.everywhere &&
                         from.halo == to.halo && from.placed == to.placed);
    if (to.shape == wanted && from.element == to.element && alike && task.array != task.to) return;
    refuse(
        fmt::format("'{}' is about {}, {} x {} of {} B, and {}, {} x {} of {} B", task.name, from.name, from.shape.rows,
                    from.shape.columns, from.element, to.name, to.shape.rows, to.shape.columns, to.element),
        task.kind == TaskKind::swap ? "only two arrays that are declared alike can be swapped"
                                    : "both must be of one size, or one the other's transpose where that is asked");
  }

  void check_work(const DeclaredTask& task) const {
    if (!task.computes()) return;
    if (task.operations < 0)
      refuse(fmt::format("'{}' takes {} operations", task.name, task.operations), "give 0 or more");
    if (task.operations == 0 || !task.kernel.empty()) return;
    refuse(fmt::format("'{}' computes by no kernel, so its speed is not known", task.name),
           "name one, dgemm or stencil, or register your own");
  }

  struct Written {
    const DeclaredTask* by = nullptr;
    bool read = false;
  };

  void check_order(const DeclaredTask& task) {
    if (task.kind == TaskKind::swap) return swap_states(task);
    const Touches touched = touches(program_, task);
    for (const Touch& touch : touched.reads) {
      Written& written = state(touch);
      written.read = true;
      check_filled(task, touch, written);
    }
    for (const Touch& touch : touched.writes) {
      Written& written = state(touch);
      const auto reads = [&](const Touch& what) {
        return std::find(touched.reads.begin(), touched.reads.end(), what) != touched.reads.end();
      };
      // Who has written slices of what all hold wrote part of the whole, which an allgatherv completes.
      const Touch slices{touch.array, Aspect::slices};
      const bool completes = touch.aspect == Aspect::whole && state(slices).by == written.by && reads(slices);
      if (written.by != nullptr && !written.read && !reads(touch) && !completes && written.by->loop == task.loop) {
        refuse(fmt::format("{} is written by '{}' and again by '{}', and nothing reads it in between",
                           array(touch.array).name, written.by->name, task.name),
               "leave one out, or say that the second reads what it updates");
      }
      written = {&task, false};
    }
    // What is spent is nothing that anybody should have read.
    for (const Aspect aspect : {Aspect::whole, Aspect::slices}) {
      if (task.kind == TaskKind::unpack && task.spends) states_[{task.array, aspect}] = {};
    }
  }

  // What the user fills before the run is there: what is held as a whole, and slices that are held as nothing else.
  void check_filled(const DeclaredTask& task, const Touch& touch, const Written& written) const {
    if (written.by != nullptr) return;
    const DeclaredArray& a = array(touch.array);
    // In a loop, a later task may have written it in the pass before.
    const bool later = std::any_of(program_.tasks.begin(), program_.tasks.end(), [&](const DeclaredTask& other) {
      if (task.loop == DeclaredTask::none || other.loop != task.loop) return false;
      const Touches touched = touches(program_, other);
      return std::find(touched.writes.begin(), touched.writes.end(), touch) != touched.writes.end();
    });
    if (later) return;
    if (touch.aspect == Aspect::slices && a.root && !a.everywhere) {
      refuse(fmt::format("'{}' reads slices of {}, which nothing has scattered or written", task.name, a.name),
             fmt::format("scatterv {} before", a.name));
    }
    if (touch.aspect == Aspect::halo) {
      refuse(fmt::format("'{}' reads the halo of {}, which nothing has exchanged", task.name, a.name),
             fmt::format("exchange the halo of {} before", a.name));
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
