#include <algorithm>
#include <cmath>
#include <cstring>

#include <tombolo/framework/mpi/move.hpp>
#include <tombolo/framework/mpi/program/adaptation.hpp>
#include <tombolo/framework/redistribution.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>

namespace tombolo {

namespace {

constexpr double between_looks = 0.25;  // s: long enough for times to mean something
constexpr std::int64_t most_passes = 10'000;
constexpr std::int64_t parts_of_trial = 4;

Redistribution rows_to_rows(const DeclaredArray& array, const Division& from, const Division& to) {
  return {Distribution::rows(from.shares(), array.shape.columns), Distribution::rows(to.shares(), array.shape.columns)};
}

}  // namespace

Adaptation::Adaptation(ProgramBody& body, Arrangement& arrangement, Rank member, MPI_Comm communicator,
                       Collectives& collectives, Planner& planner, Transfers& transfers, Recorder& recorder,
                       Session& session, int loop)
    : body_(body),
      arrangement_(arrangement),
      member_(member),
      communicator_(communicator),
      collectives_(collectives),
      planner_(planner),
      transfers_(transfers),
      recorder_(recorder),
      session_(session),
      loop_(loop) {
  for (std::size_t s = 0; s < body.declared.slices.size(); ++s) {
    const bool computes = std::any_of(body.declared.tasks.begin(), body.declared.tasks.end(), [&](const auto& task) {
      return task.loop == loop && task.kind == TaskKind::compute && task.slices == static_cast<int>(s);
    });
    if (!body.adapts[s] || !computes || arrangement.ranks() == 1) continue;
    watched_.push_back({static_cast<int>(s), Rebalance(body.declared.slices[s]), 0});
    watched_.back().until = computing(watched_.back());
  }
  looked_at_ = recorder.now();
}

double Adaptation::computing(const Watched& watched) const {
  double sum = 0;
  for (std::size_t t = 0; t < body_.declared.tasks.size(); ++t) {
    const DeclaredTask& task = body_.declared.tasks[t];
    if (task.loop == loop_ && task.slices == watched.slices) sum += recorder_.computing(static_cast<int>(t));
  }
  return sum;
}

void Adaptation::after(std::int64_t passes) {
  if (watched_.empty() || passes < next_look_) return;
  look(passes);
}

// About: twice as little as it can be, and copying.
double Adaptation::move_seconds(int slices, const Division& next) const {
  constexpr double copied_a_second = 1e9;  // B
  double sum = 0;
  for (const auto& array : body_.arrays) {
    const DeclaredArray& declared = array->declared();
    if (declared.slices != slices) continue;
    std::int64_t rows = 0;
    for (const std::int64_t share : next.shares()) rows = std::max(rows, share);
    sum += static_cast<double>(rows * array->row_bytes()) / copied_a_second;
    const auto request = rows_to_rows(declared, arrangement_.division(slices), next).request(0, declared.element);
    if (request && request->knowledge == Knowledge::everywhere) sum += 2 * seconds(planner_.bound(*request));
  }
  return sum;
}

void Adaptation::look(std::int64_t passes) {
  const std::int64_t since = passes - looked_;
  const std::int64_t before = changes_;
  std::vector<std::vector<double>> took;
  for (Watched& watched : watched_) {
    const double mine = computing(watched);
    took.push_back(of_all_ranks(communicator_, mine - watched.until));
    watched.until = mine;
  }
  // With the wait for the slowest, which has come here too.
  const double each = (recorder_.now() - looked_at_) / static_cast<double>(since);
  // First when to look again; then, of each slices, the items of each member, or nothing.
  std::vector<std::int64_t> words(1 + watched_.size() * static_cast<std::size_t>(arrangement_.ranks()), -1);
  auto word = words.begin();
  *word++ = passes + std::clamp<std::int64_t>(std::llround(between_looks / std::max(each, 1e-9)), 1, most_passes);
  for (std::size_t w = 0; member_ == 0 && w < watched_.size(); ++w, word += arrangement_.ranks()) {
    const int slices = watched_[w].slices;
    const auto move_s = [&](const Division& then) { return move_seconds(slices, then); };
    const auto next = watched_[w].rebalance.look(arrangement_.division(slices),
                                                 {.count = since, .each_s = each, .computing_s = took[w]}, move_s);
    if (!next) continue;
    const std::vector<std::int64_t> shares = next->shares();
    std::copy(shares.begin(), shares.end(), word);
  }
  check_mpi(MPI_Bcast(words.data(), static_cast<int>(words.size()), MPI_INT64_T, 0, communicator_), "MPI_Bcast");
  word = words.begin();
  next_look_ = *word++;
  for (const Watched& watched : watched_) {
    if (*word >= 0) change(watched.slices, Division({std::vector<std::int64_t>(word, word + arrangement_.ranks())}));
    word += arrangement_.ranks();
  }
  // A change is soon judged.
  if (changes_ > before) next_look_ = passes + std::max<std::int64_t>((next_look_ - passes) / parts_of_trial, 1);
  looked_ = passes;
  looked_at_ = recorder_.now();
}

void Adaptation::move_array(ArrayMemory& array, const Arrangement& next) {
  const DeclaredArray& declared = array.declared();
  const Division& to = next.division(declared.slices);
  const Redistribution moves = rows_to_rows(declared, arrangement_.division(declared.slices), to);
  const Slice from = arrangement_.division(declared.slices).slice(0, member_);
  const Slice mine = to.slice(0, member_);
  ArrayMemory fresh(declared, array.type());
  if (!array.whole()) {
    fresh.hold(session_, next, member_);
    move(collectives_, moves, declared.element, array.type(), array.at(from), fresh.at(mine));
    array.swap(fresh);
    return;
  }
  const Bytes bytes = mine.count * array.row_bytes();
  const Storage<std::byte> aside = session_.storage<std::byte>(bytes);
  move(collectives_, moves, declared.element, array.type(), array.at(from), aside.data());
  if (!session_.phantom()) std::memcpy(array.at(mine), aside.data(), static_cast<std::size_t>(bytes));
}

void Adaptation::change(int slices, Division division) {
  Arrangement next = arrangement_;
  next.divisions[static_cast<std::size_t>(slices)] = std::move(division);
  for (const auto& array : body_.arrays) {
    if (array->declared().slices == slices) move_array(*array, next);
  }
  arrangement_ = std::move(next);
  transfers_.forget();
  ++changes_;
  // The rows next to each rank's own are others now.
  for (std::size_t t = 0; t < body_.declared.tasks.size(); ++t) {
    const DeclaredTask& task = body_.declared.tasks[t];
    if (task.kind != TaskKind::halo || task.loop != loop_) continue;
    if (body_.array(task.array).declared().slices == slices) transfers_.carry_out({static_cast<int>(t)});
  }
}

}  // namespace tombolo
