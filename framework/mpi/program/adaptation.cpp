#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/framework/mpi/arrays/carry_out.hpp>
#include <tombolo/framework/mpi/program/adaptation.hpp>
#include <tombolo/framework/mpi/program/tasks/task_runner.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/framework/program/plan/array_room.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>

namespace tombolo {

namespace {

constexpr double between_looks = 0.25;  // s, long enough for reliable times
constexpr std::int64_t most_passes = 10'000;
constexpr std::int64_t parts_of_trial = 4;

Redistribution rows_to_rows(const DeclaredArray& array, const Division& from, const Division& to) {
  return {Distribution::rows(from.shares(), array.shape.columns), Distribution::rows(to.shares(), array.shape.columns)};
}

}  // namespace

Adaptation::Adaptation(const RunContext& run, Runner& runner, int loop, NewestValues begins, std::int64_t passes)
    : run_(run),
      runner_(runner),
      loop_(loop),
      begins_(std::move(begins)),
      looked_(passes),
      next_look_(passes + 2) {  // the first pass warms up
  const ProgramBody& body = run.body;
  for (std::size_t s = 0; s < body.declared.slices.size(); ++s) {
    const bool computes = std::any_of(body.declared.tasks.begin(), body.declared.tasks.end(), [&](const auto& task) {
      return task.loop == loop && rules(task.kind).computes_items() && task.slices == static_cast<int>(s);
    });
    if (!body.declared.slices[s].adapts || !computes || run.arrangement.ranks() == 1) continue;
    watched_.push_back({static_cast<int>(s), Rebalance(body.declared.slices[s]), 0});
    watched_.back().until = computing(watched_.back());
  }
  looked_at_ = run.recorder.now();
}

double Adaptation::computing(const Watched& watched) const {
  double sum = 0;
  for (std::size_t t = 0; t < run_.body.declared.tasks.size(); ++t) {
    const DeclaredTask& task = run_.body.declared.tasks[t];
    if (task.loop == loop_ && task.slices == watched.slices) sum += run_.recorder.computing(static_cast<int>(t));
  }
  return sum;
}

void Adaptation::after(std::int64_t passes) {
  if (watched_.empty() || passes < next_look_) return;
  look(passes);
}

// Estimates the seconds of a move: twice the lower bound, plus copying.
double Adaptation::move_seconds(int slices, const Division& next) const {
  constexpr double copied_a_second = 1e9;  // B
  double sum = 0;
  for (const auto& array : run_.body.arrays) {
    const DeclaredArray& declared = array->declared();
    if (declared.slices != slices) continue;
    std::int64_t rows = 0;
    for (const std::int64_t share : next.shares()) rows = std::max(rows, share);
    sum += static_cast<double>(rows * array->row_bytes()) / copied_a_second;
    const auto request = rows_to_rows(declared, run_.arrangement.division(slices), next).request(0, declared.element);
    if (request && request->knowledge == Knowledge::everywhere) sum += 2 * seconds(run_.planner.bound(*request));
  }
  return sum;
}

void Adaptation::look(std::int64_t passes) {
  const std::int64_t since = passes - looked_;
  const std::int64_t before = changes_;
  std::vector<std::vector<double>> took;
  for (Watched& watched : watched_) {
    const double mine = computing(watched);
    took.push_back(of_all_ranks(run_.communicator, mine - watched.until));
    watched.until = mine;
  }
  // Includes the wait for the slowest member, which has also arrived here.
  const double each = (run_.recorder.now() - looked_at_) / static_cast<double>(since);
  // First the passes before the next check; then, for each domain, the items of each member, or nothing.
  std::vector<std::int64_t> words(1 + watched_.size() * static_cast<std::size_t>(run_.arrangement.ranks()), -1);
  auto word = words.begin();
  *word++ = passes + std::clamp<std::int64_t>(std::llround(between_looks / std::max(each, 1e-9)), 1, most_passes);
  for (std::size_t w = 0; run_.member == 0 && w < watched_.size(); ++w, word += run_.arrangement.ranks()) {
    const int slices = watched_[w].slices;
    const auto move_s = [&](const Division& then) { return move_seconds(slices, then); };
    const auto next = watched_[w].rebalance.look(run_.arrangement.division(slices),
                                                 {.count = since, .each_s = each, .computing_s = took[w]}, move_s);
    if (!next) continue;
    const std::vector<std::int64_t> shares = next->shares();
    std::copy(shares.begin(), shares.end(), word);
  }
  check_mpi(MPI_Bcast(words.data(), static_cast<int>(words.size()), MPI_INT64_T, 0, run_.communicator), "MPI_Bcast");
  word = words.begin();
  next_look_ = *word++;
  for (const Watched& watched : watched_) {
    if (*word >= 0) {
      change(watched.slices, Division({std::vector<std::int64_t>(word, word + run_.arrangement.ranks())}), passes);
    }
    word += run_.arrangement.ranks();
  }
  // The next check after a change comes early.
  if (changes_ > before) next_look_ = passes + std::max<std::int64_t>((next_look_ - passes) / parts_of_trial, 1);
  looked_ = passes;
  looked_at_ = run_.recorder.now();
}

// Stale items are not moved: they would overwrite the newest values if those are at a root.
void Adaptation::move_array(ArrayMemory& array, const Arrangement& next, Bytes room, bool items) {
  const DeclaredArray& declared = array.declared();
  const Division& to = next.division(declared.slices);
  const Redistribution moves = rows_to_rows(declared, run_.arrangement.division(declared.slices), to);
  const Slice from = run_.arrangement.division(declared.slices).slice(0, run_.member);
  const Slice mine = to.slice(0, run_.member);
  ArrayMemory fresh(declared, array.type(), {array.inner().begin(), array.inner().end()});
  if (!array.whole()) {
    fresh.hold(run_.session, next, run_.member, room);
    if (items) move(run_.collectives, moves, declared.element, array.type(), array.at(from), fresh.at(mine));
    array.swap(fresh);
    return;
  }
  if (!items) return;
  const Bytes bytes = mine.count * array.row_bytes();
  const Storage<std::byte> aside = run_.session.storage<std::byte>(bytes);
  move(run_.collectives, moves, declared.element, array.type(), array.at(from), aside.data());
  if (!run_.session.phantom()) std::memcpy(array.at(mine), aside.data(), static_cast<std::size_t>(bytes));
}

void Adaptation::change(int slices, Division division, std::int64_t passes) {
  const DeclaredLoop& loop = run_.body.declared.loops[static_cast<std::size_t>(loop_)];
  NewestValues now = begins_;
  now.passes(loop.first, loop.end, passes);
  Arrangement next = run_.arrangement;
  next.divisions[static_cast<std::size_t>(slices)] = std::move(division);
  const auto all = static_cast<int>(run_.body.arrays.size());
  const std::vector<ArrayRoom> rooms = rooms_of(run_.body.declared, next, run_.member);
  for (int array = 0; array < all; ++array) {
    if (run_.body.array(array).declared().slices != slices) continue;
    const auto room = static_cast<Bytes>(rooms[static_cast<std::size_t>(array)].bytes);
    move_array(run_.body.array(array), next, room, now.of(array).items);
  }
  run_.arrangement = std::move(next);
  runner_.forget();
  ++changes_;
  // New shares need new halos.
  for (int array = 0; array < all; ++array) {
    if (run_.body.array(array).declared().slices == slices && now.of(array).halo) exchange_halo(run_, array);
  }
}

}  // namespace tombolo
