#include <algorithm>

#include <tombolo/framework/program/aspects.hpp>

namespace tombolo {

namespace {

const DeclaredArray& array_of(const Declaration& program, int array) {
  return program.arrays[static_cast<std::size_t>(array)];
}

void add_used(const Declaration& program, const DeclaredTask& task, int array, std::vector<Touch>& to) {
  const DeclaredArray& used = array_of(program, array);
  const bool in_slices = used.sliced() && (task.slices == used.slices || (!used.everywhere && !used.root));
  if (in_slices) to.push_back({array, Aspect::slices});
  if (!in_slices || used.everywhere) to.push_back({array, Aspect::whole});
}

// All that is held of an array.
void add_all(const Declaration& program, int array, std::vector<Touch>& to) {
  const DeclaredArray& used = array_of(program, array);
  if (used.sliced()) to.push_back({array, Aspect::slices});
  if (!used.sliced() || used.root || used.everywhere) to.push_back({array, Aspect::whole});
}

// What a move takes from, or puts to: the slices where there are some, else the whole.
Touch moved(const Declaration& program, int array) {
  return {array, array_of(program, array).sliced() ? Aspect::slices : Aspect::whole};
}

bool meet(const std::vector<Touch>& one, const std::vector<Touch>& other) {
  return std::any_of(one.begin(), one.end(),
                     [&](const Touch& touch) { return std::find(other.begin(), other.end(), touch) != other.end(); });
}

}  // namespace

Touches touches(const Declaration& program, const DeclaredTask& task) {
  const Touch whole{task.array, Aspect::whole};
  const Touch slices{task.array, Aspect::slices};
  Touches found;
  switch (task.kind) {
    case TaskKind::scatterv:
      return {{whole}, {slices}};
    case TaskKind::gatherv:
    case TaskKind::allgatherv:
      return {{slices}, {whole}};
    case TaskKind::bcast:
    case TaskKind::allreduce:
      return {{whole}, {whole}};
    case TaskKind::halo:
      return {{slices}, {{task.array, Aspect::halo}}};
    case TaskKind::pack:
      return {{moved(program, task.array)}, {moved(program, task.to)}};
    case TaskKind::unpack:
    case TaskKind::move:
      if (!task.spends) return {{moved(program, task.array)}, {moved(program, task.to)}};
      // Their memories take turns.
      found.reads = found.writes = {moved(program, task.array), moved(program, task.to)};
      return found;
    case TaskKind::swap:
      for (const int array : {task.array, task.to}) {
        add_all(program, array, found.writes);
        if (array_of(program, array).halo > 0) found.writes.push_back({array, Aspect::halo});
      }
      found.reads = found.writes;
      return found;
    case TaskKind::farm:
      found.writes.push_back(whole);
      break;
    case TaskKind::compute:
    case TaskKind::own:
      break;
  }
  for (const int array : task.reads) add_used(program, task, array, found.reads);
  for (const int array : task.writes) add_used(program, task, array, found.writes);
  for (const int array : task.partial) found.writes.push_back({array, Aspect::whole});
  for (const int array : task.around) {
    add_used(program, task, array, found.reads);
    found.reads.push_back({array, Aspect::halo});
  }
  return found;
}

bool conflict(const Touches& one, const Touches& other) {
  return meet(one.writes, other.reads) || meet(one.reads, other.writes) || meet(one.writes, other.writes);
}

}  // namespace tombolo
