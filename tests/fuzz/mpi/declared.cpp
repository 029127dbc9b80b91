#include "declared.hpp"

#include <chrono>
#include <numeric>

#include <fmt/format.h>

#include <tombolo/framework/program/declare/declaration.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/units.hpp>

namespace tombolo::fuzz {

namespace {

std::uint64_t of_bits(std::uint64_t a, std::uint64_t b) {
  return combined(Type::u64, Op::bits, a, b);
}
std::uint64_t of_last(std::uint64_t a, std::uint64_t b) {
  return combined(Type::u64, Op::last, a, b);
}

std::vector<std::int64_t> shares(Draw& draw, std::int64_t items, int ranks) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(ranks), 0);
  for (std::int64_t item = 0; item < items; ++item) {
    // Some ranks are likely to get nothing.
    const std::int64_t rank = draw.chance(50) ? draw.below(ranks) : draw.below(ranks / 2 + 1);
    ++all[static_cast<std::size_t>(rank)];
  }
  return all;
}

// Costs that are said to be next to nothing, and are not: ranks are left out by them, and come back.
bool belied(std::uint64_t seed) {
  return !machine::simulated() && Draw(mix(seed, 41)).chance(25);
}

void work_for(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

ProgramOptions options(std::uint64_t seed, int ranks) {
  Draw draw(mix(seed, 17));
  ProgramOptions options;
  options.shares = draw.of<SharePolicy>({SharePolicy::speed, SharePolicy::equal, SharePolicy::best, SharePolicy::best});
  options.collectives = draw.chance(30) ? Session::Kind::native : Session::Kind::tombolo;
  options.panels = draw.of<int>({0, 1, 2, 3, 5});
  options.overlap = draw.chance(75);
  options.adapt = draw.chance(80);
  options.progress = false;
  if (belied(seed)) {
    options.shares = SharePolicy::best;
    options.panels = 1;
    for (const char* kernel : {"k", "l"}) options.speeds[kernel].assign(static_cast<std::size_t>(ranks), 1'000'000'000);
    return options;
  }
  for (const char* kernel : {"k", "l"}) {
    const auto alike = draw.of<std::int64_t>({1'000, 1'000'000, 1'000'000'000});
    const int kind = static_cast<int>(draw.below(3));  // all alike, a few fast ones, anything
    for (int rank = 0; rank < ranks; ++rank) {
      const bool fast = draw.chance(25);
      const std::int64_t any = draw.between(1, alike);
      options.speeds[kernel].push_back(kind == 0 ? alike : kind == 1 ? (fast ? alike * 1000 : alike) : any);
    }
  }
  return options;
}

Reduce reduce_of(Op op) {
  return op == Op::sum ? Reduce::sum : op == Op::product ? Reduce::product : op == Op::max ? Reduce::max : Reduce::min;
}

template <std::size_t D, class What>
AnyArray with_extents(const std::vector<std::int64_t>& from, const What& what) {
  std::int64_t extents[D];  // NOLINT(modernize-avoid-c-arrays): as the framework takes them
  std::copy(from.begin(), from.end(), extents);
  return what(extents);
}

}  // namespace

Declared::Declared(Session& session, const AbstractProgram& abstract)
    : abstract_(abstract),
      ranks_(session.ranks()),
      program_(session, fmt::format("fuzz {}", abstract.seed), options(abstract.seed, session.ranks())) {
  for (const AbstractDomain& domain : abstract.domains) {
    const std::string name = fmt::format("d{}", domains_.size());
    DomainOptions with{.weights = domain.weights, .grain = domain.grain, .adapts = domain.adapts};
    if (domain.given != 0 && !belied(abstract.seed)) {
      Draw draw(domain.given);
      with.given = shares(draw, domain.extents.front(), ranks_);
    }
    const std::vector<std::int64_t>& e = domain.extents;
    if (e.size() == 1) domains_.push_back(program_.domain(name, e[0], with));
    if (e.size() == 2) domains_.push_back(program_.domain(name, {e[0], e[1]}, with));
    if (e.size() == 3) domains_.push_back(program_.domain(name, {e[0], e[1], e[2]}, with));
  }
  for (const AbstractArray& array : abstract.arrays) arrays_.push_back(declare(array));
  for (std::size_t first = 0; first < abstract.tasks.size();) {
    const int loop = abstract.tasks[first].loop;
    if (loop < 0) {
      declare(abstract.tasks[first++]);
      continue;
    }
    loops_.push_back(loop);
    const AbstractLoop& of = abstract.loops[static_cast<std::size_t>(loop)];
    const auto body = [&] {
      for (; first < abstract.tasks.size() && abstract.tasks[first].loop == loop; ++first)
        declare(abstract.tasks[first]);
    };
    program_.repeat(fmt::format("loop {}", loop), of.most, body, rule(of));
  }
}

Distributed Declared::distributed(const AbstractArray& array) const {
  if (array.placed != Placing::none) {
    Draw draw(array.placing);
    const std::vector<std::int64_t> rows = shares(draw, array.rows(), ranks_);
    const std::vector<std::int64_t> columns = shares(draw, array.columns(), ranks_);
    if (array.placed == Placing::rows) return Distributed::as(Distribution::rows(rows, array.columns()));
    if (array.placed == Placing::columns) return Distributed::as(Distribution::columns(array.rows(), columns));
    std::vector<Rank> owners;
    for (int block = 0; block < ranks_ * ranks_; ++block) owners.push_back(static_cast<Rank>(draw.below(ranks_)));
    return Distributed::as(Distribution::blocks(rows, columns, owners, ranks_));
  }
  Distributed how;
  if (array.domain >= 0) how = Distributed::over(domain(array.domain));
  if (array.everywhere) how = how.and_everywhere();
  if (array.root >= 0) how = how.and_at(root(array));
  return how.with_halo(array.halo);
}

AnyArray Declared::declare(const AbstractArray& array) {
  const std::string name = fmt::format("a{}", arrays_.size());
  if (array.op == Op::bits) return program_.partial<std::uint64_t, of_bits>(name, 0);
  if (array.op == Op::last) return program_.partial<std::uint64_t, of_last>(name, 0, false);
  return with_type_and_dimensions(array, [&](auto element, auto dimensions) -> AnyArray {
    using T = decltype(element);
    if constexpr (dimensions == 0) {
      if (array.op == Op::none) return program_.number<T>(name);
      return program_.partial<T>(name, reduce_of(array.op));
    } else {
      return with_extents<dimensions>(array.extents, [&](const auto& extents) -> AnyArray {
        if (array.op != Op::none) return program_.partial<T>(name, extents, reduce_of(array.op));
        return program_.array<T>(name, extents, distributed(array));
      });
    }
  });
}

void Declared::declare(const AbstractTask& task) {
  const auto array = [&](int number) { return this->array(number); };
  switch (task.kind) {
    case TaskKind::scatterv:
      return program_.scatterv(array(task.array));
    case TaskKind::gatherv:
      return program_.gatherv(array(task.array));
    case TaskKind::bcast:
      return program_.bcast(array(task.array));
    case TaskKind::allgatherv:
      return program_.allgatherv(array(task.array));
    case TaskKind::allreduce:
      return program_.allreduce(array(task.array));
    case TaskKind::halo:
      return program_.halo(array(task.array));
    case TaskKind::swap:
      return program_.swap(array(task.array), array(task.to));
    case TaskKind::move: {
      const MoveOptions options{task.spends, task.seed % 2 == 0 ? "k" : ""};
      if (task.transposed) return program_.transpose(array(task.array), array(task.to), options);
      return program_.move(array(task.array), array(task.to), options);
    }
    default:
      return declare_work(task);
  }
}

void Declared::declare_work(const AbstractTask& task) {
  const std::string name = fmt::format("task {}", &task - abstract_.tasks.data());
  std::vector<DeclaredAccess> accesses;
  for (const AbstractAccess& access : task.accesses) accesses.push_back({access.kind, array(access.array)});
  const Cost cost{.kernel = task.seed % 3 == 0 ? "l" : "k", .operations = belied(abstract_.seed) ? 1 : task.operations};
  const AbstractProgram& abstract = abstract_;
  if (task.kind == TaskKind::custom) {
    const auto body = [&abstract, &task](Collectives& collectives, std::span<const ViewedMemory> memory) {
      Views views(abstract, task.accesses, memory, &collectives);
      custom_body(abstract, task, views);
    };
    return program_.task(name, cost, BoundBody<Collectives&>{accesses, body});
  }
  const bool slow = belied(abstract_.seed) && task.loop >= 0;
  const auto body = [&abstract, &task, slow](const Range& range, std::span<const ViewedMemory> memory) {
    if (slow) work_for(std::chrono::microseconds(30 * range.count()));
    Views views(abstract, task.accesses, memory, nullptr);
    for (std::int64_t row = range.first(); row < range.end(); ++row) item_body(abstract, task, row, views);
  };
  BoundBody<const Range&> bound{accesses, body};
  if (task.kind == TaskKind::farm) return program_.farm(name, domain(task.domain), cost, std::move(bound));
  program_.compute(name, domain(task.domain), cost, std::move(bound));
}

LoopRule Declared::rule(const AbstractLoop& loop) const {
  if (loop.watches.empty()) return {};
  LoopRule rule;
  for (const int watched : loop.watches) rule.watches.push_back(array(watched));
  const AbstractProgram& abstract = abstract_;
  rule.enough = [&abstract, &loop](std::span<const ViewedMemory> memory) {
    std::vector<std::uint64_t> values;
    for (std::size_t i = 0; i < memory.size(); ++i) {
      with_type(abstract.array(loop.watches[i]).type, [&](auto element) {
        values.push_back(number_of(*reinterpret_cast<const decltype(element)*>(memory[i].data)));
      });
    }
    return fuzz::enough(loop, values);
  };
  return rule;
}

bool accepted(Session& session, const AbstractProgram& abstract) {
  try {
    Declared declared(session, abstract);
    check(declared.program().declaration());
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace tombolo::fuzz
