#include "interpreter.hpp"

#include <utility>

namespace tombolo::fuzz {

class GlobalSlots : public Slots {
 public:
  GlobalSlots(Interpreter& interpreter, const AbstractTask& task) : interpreter_(interpreter), task_(task) {}

  std::uint64_t get(std::size_t slot, std::int64_t row, std::int64_t column) override {
    return interpreter_.element(number(slot), row, column);
  }
  void put(std::size_t slot, std::int64_t row, std::int64_t column, std::uint64_t value) override {
    interpreter_.element(number(slot), row, column) = fitted(array(slot).type, value);
  }
  void combine(std::size_t slot, std::int64_t row, std::int64_t column, std::uint64_t value) override {
    const AbstractArray& partial = array(slot);
    auto& part = interpreter_.parts_[Interpreter::index(number(slot))]->at(
        static_cast<std::size_t>(row * partial.columns() + column));
    part = combined(partial.type, partial.op, part, fitted(partial.type, value));
  }
  Rows own(std::size_t slot) override { return {0, array(slot).rows()}; }
  Rows written(std::size_t slot) override { return {0, array(slot).rows()}; }
  std::uint64_t sum(std::uint64_t mine) override { return mine; }
  bool first() override { return true; }

 private:
  int number(std::size_t slot) const { return task_.accesses[slot].array; }
  const AbstractArray& array(std::size_t slot) const { return interpreter_.program_.array(number(slot)); }

  Interpreter& interpreter_;
  const AbstractTask& task_;
};

Interpreter::Interpreter(const AbstractProgram& program) : program_(program), parts_(program.arrays.size()) {
  for (const AbstractArray& array : program.arrays) {
    values_.emplace_back(static_cast<std::size_t>(array.size()),
                         array.op == Op::none ? 0 : identity(array.type, array.op));
  }
}

std::uint64_t& Interpreter::element(int array, std::int64_t row, std::int64_t column) {
  return values_[index(array)].at(static_cast<std::size_t>(row * program_.array(array).columns() + column));
}

void Interpreter::fill(int number, std::uint64_t seed) {
  const AbstractArray& array = program_.array(number);
  for (std::int64_t r = 0; r < array.rows(); ++r) {
    for (std::int64_t c = 0; c < array.columns(); ++c) element(number, r, c) = filling(seed, array, r, c);
  }
  parts_[index(number)].reset();
}

void Interpreter::run(const AbstractTask& task) {
  const AbstractProgram& program = program_;
  for (const AbstractAccess& access : task.accesses) {
    if (access.kind != AccessKind::combines || parts_[index(access.array)]) continue;
    const AbstractArray& partial = program.array(access.array);
    parts_[index(access.array)].emplace(static_cast<std::size_t>(partial.size()), identity(partial.type, partial.op));
  }
  GlobalSlots slots(*this, task);
  if (task.kind == TaskKind::compute || task.kind == TaskKind::farm) {
    const std::int64_t items = program.domains[static_cast<std::size_t>(task.domain)].extents.front();
    for (std::int64_t row = 0; row < items; ++row) item_body(program, task, row, slots);
  } else if (task.kind == TaskKind::custom) {
    custom_body(program, task, slots);
  } else if (task.kind == TaskKind::allreduce) {
    auto& parts = parts_[index(task.array)];
    if (parts) values_[index(task.array)] = *std::exchange(parts, std::nullopt);
  } else if (task.kind == TaskKind::swap) {
    std::swap(values_[index(task.array)], values_[index(task.to)]);
    std::swap(parts_[index(task.array)], parts_[index(task.to)]);
  } else if (task.kind == TaskKind::move) {
    const AbstractArray& to = program.array(task.to);
    const std::vector<std::uint64_t> from = values_[index(task.array)];
    if (!task.transposed) {
      values_[index(task.to)] = from;
    } else {
      for (std::int64_t r = 0; r < to.rows(); ++r) {
        for (std::int64_t c = 0; c < to.columns(); ++c) {
          element(task.to, r, c) = from.at(static_cast<std::size_t>(c * to.rows() + r));
        }
      }
    }
  }
}

std::vector<std::int64_t> Interpreter::run() {
  std::vector<std::int64_t> passes(program_.loops.size(), 0);
  const std::size_t all = program_.tasks.size();
  for (std::size_t first = 0; first < all;) {
    const int loop = program_.tasks[first].loop;
    if (loop < 0) {
      run(program_.tasks[first++]);
      continue;
    }
    std::size_t end = first;
    while (end < all && program_.tasks[end].loop == loop) ++end;
    const AbstractLoop& of = program_.loops[static_cast<std::size_t>(loop)];
    std::int64_t& done = passes[static_cast<std::size_t>(loop)];
    bool over = false;
    while (done < of.most && !over) {
      for (std::size_t task = first; task < end; ++task) run(program_.tasks[task]);
      ++done;
      std::vector<std::uint64_t> watched;
      for (const int array : of.watches) watched.push_back(element(array, 0, 0));
      over = !of.watches.empty() && enough(of, watched);
    }
    first = end;
  }
  return passes;
}

}  // namespace tombolo::fuzz
