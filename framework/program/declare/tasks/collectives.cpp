// Rules of collectives on one array. Each kind is a row of preconditions, source and destination of values, and
// request.
#include <tombolo/framework/program/declare/tasks/halo_rows.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>

namespace tombolo {

namespace {

/// Context of an action for its request.
struct Asked {
  const DeclaredTask& task;
  const DeclaredArray& array;
  const Arrangement& arrangement;
  int panel;
  Rank member;

  int ranks() const { return arrangement.ranks(); }
  Rank root() const { return arrangement.member(array.root.value_or(arrangement.members.front())); }
  std::int64_t elements() const { return array.shape.rows * array.shape.columns; }
  const Division& division() const { return arrangement.division(array.slices); }
  Blocks blocks() const { return division().panel(panel).times(array.shape.columns); }
};

struct CollectiveRow {
  const char* array_is;  // precondition, as text
  bool (*suits)(const DeclaredArray& array);
  void (NewestValues::*needs)(const DeclaredTask& task, int array) const;
  Aspect reads;
  std::vector<Aspect> writes;
  void (*leaves)(const DeclaredArray& array, Copies& copies);
  Request (*request)(const Asked& asked);
  bool in_panels = false;
};

class CollectiveRules : public TaskRules {
 public:
  explicit CollectiveRules(CollectiveRow row) : row_(std::move(row)) {}

  Activity activity() const override { return Activity::collective; }
  void check(const Declaration& program, const DeclaredTask& task) const override {
    need(row_.suits(array_of(program, task.array)), program, task, task.array, row_.array_is);
  }
  Touches touches(const Declaration& program, const DeclaredTask& task) const override {
    Touches found{{{task.array, row_.reads}}, {}};
    for (const Aspect aspect : row_.writes) {
      if (aspect != Aspect::slices || array_of(program, task.array).sliced())
        found.writes.push_back({task.array, aspect});
    }
    return found;
  }
  void follow(const Declaration& program, const DeclaredTask& task, NewestValues& values) const override {
    (values.*row_.needs)(task, task.array);
    Copies copies = values.of(task.array);
    row_.leaves(array_of(program, task.array), copies);
    values.set(task.array, copies);
  }
  int cut_along(const Declaration& program, const DeclaredTask& task) const override {
    return row_.in_panels ? array_of(program, task.array).slices : DeclaredTask::none;
  }
  std::optional<Request> request(const Declaration& program, const Arrangement& arrangement, const Action& action,
                                 Rank member) const override {
    const DeclaredTask& task = program.tasks[static_cast<std::size_t>(action.task)];
    return row_.request({task, array_of(program, task.array), arrangement, action.panel, member});
  }

 private:
  CollectiveRow row_;
};

void leaves_everywhere(const DeclaredArray& array, Copies& copies) {
  copies = {.items = array.sliced(), .root = array.root.has_value(), .everywhere = true};
}

}  // namespace

const TaskRules& scatterv_rules() {
  static const CollectiveRules rules({
      .array_is = "in items of a domain and at a root",
      .suits = [](const DeclaredArray& array) { return array.sliced() && array.root; },
      .needs = &NewestValues::need_root,
      .reads = Aspect::whole,
      .writes = {Aspect::slices},
      .leaves =
          [](const DeclaredArray&, Copies& copies) {
            copies.items = true;
            copies.halo = false;
          },
      .request =
          [](const Asked& a) { return Request::scatterv(a.root(), a.blocks(), a.array.element).with_in_place(true); },
      .in_panels = true,
  });
  return rules;
}

const TaskRules& gatherv_rules() {
  static const CollectiveRules rules({
      .array_is = "in items of a domain and at a root",
      .suits = [](const DeclaredArray& array) { return array.sliced() && array.root; },
      .needs = &NewestValues::need_items,
      .reads = Aspect::slices,
      .writes = {Aspect::whole},
      .leaves = [](const DeclaredArray&, Copies& copies) { copies.root = true; },
      .request =
          [](const Asked& a) { return Request::gatherv(a.root(), a.blocks(), a.array.element).with_in_place(true); },
      .in_panels = true,
  });
  return rules;
}

const TaskRules& bcast_rules() {
  static const CollectiveRules rules({
      .array_is = "everywhere, from a root",
      .suits = [](const DeclaredArray& array) { return array.everywhere && array.root; },
      .needs = &NewestValues::need_root,
      .reads = Aspect::whole,
      .writes = {Aspect::slices, Aspect::whole},
      .leaves = leaves_everywhere,
      .request = [](const Asked& a) { return Request::bcast(a.ranks(), a.root(), a.elements(), a.array.element); },
  });
  return rules;
}

const TaskRules& allgatherv_rules() {
  static const CollectiveRules rules({
      .array_is = "in items of a domain and everywhere",
      .suits = [](const DeclaredArray& array) { return array.sliced() && array.everywhere; },
      .needs = &NewestValues::need_items,
      .reads = Aspect::slices,
      .writes = {Aspect::whole},
      .leaves = leaves_everywhere,
      .request = [](const Asked& a) { return Request::allgatherv(a.blocks(), a.array.element).with_in_place(true); },
      .in_panels = true,
  });
  return rules;
}

const TaskRules& allreduce_rules() {
  static const CollectiveRules rules({
      .array_is = "a partial value",
      .suits = [](const DeclaredArray& array) { return array.partial(); },
      .needs = &NewestValues::need_combined,
      .reads = Aspect::whole,
      .writes = {Aspect::whole},
      .leaves = leaves_everywhere,
      .request =
          [](const Asked& a) {
            return Request::allreduce(a.ranks(), a.elements(), a.array.element, a.task.commutative).with_in_place(true);
          },
  });
  return rules;
}

const TaskRules& halo_rules() {
  static const CollectiveRules rules({
      .array_is = "in items of a domain with a halo",
      .suits = [](const DeclaredArray& array) { return array.sliced() && array.halo > 0; },
      .needs = &NewestValues::need_items,
      .reads = Aspect::slices,
      .writes = {Aspect::halo},
      .leaves = [](const DeclaredArray&, Copies& copies) { copies.halo = true; },
      .request = [](const Asked& a) { return halo_request(a.array, a.division(), a.member); },
  });
  return rules;
}

}  // namespace tombolo
