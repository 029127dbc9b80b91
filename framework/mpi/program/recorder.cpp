#include <algorithm>

#include <tombolo/collectives/mpi/timing/common_start.hpp>
#include <tombolo/framework/mpi/program/recorder.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>

namespace tombolo {

namespace {

constexpr std::size_t most_ends = std::size_t{1} << 16;
constexpr std::size_t most_done = std::size_t{1} << 14;

// Returns the values of all ranks, in rank order.
std::vector<std::vector<double>> of_members(MPI_Comm communicator, const std::vector<double>& mine) {
  int ranks = 0;
  check_mpi(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  const int count = static_cast<int>(mine.size());
  std::vector<double> flat(mine.size() * static_cast<std::size_t>(ranks));
  check_mpi(MPI_Allgather(mine.data(), count, MPI_DOUBLE, flat.data(), count, MPI_DOUBLE, communicator),
            "MPI_Allgather");
  std::vector<std::vector<double>> all;
  for (std::size_t r = 0; r < static_cast<std::size_t>(ranks); ++r) {
    const auto begin = flat.begin() + static_cast<std::ptrdiff_t>(r * mine.size());
    all.emplace_back(begin, begin + count);
  }
  return all;
}

}  // namespace

void Recorded::add(const Recorded& before, const std::vector<Rank>& members_before, const std::vector<Rank>& members) {
  seconds += before.seconds;
  for (std::size_t t = 0; t < added.size(); ++t) added[t] += before.added[t];
  for (std::size_t m = 0; m < members.size(); ++m) {
    const auto known = std::find(members_before.begin(), members_before.end(), members[m]);
    if (known == members_before.end()) continue;
    const auto b = static_cast<std::size_t>(known - members_before.begin());
    for (std::size_t t = 0; t < added.size(); ++t) {
      computing[m][t] += before.computing[b][t];
      spent[m][t] += before.spent[b][t];
      operations[m][t] += before.operations[b][t];
    }
  }
}

Recorder::Recorder(MPI_Comm communicator, std::size_t tasks, bool keeps_all)
    : communicator_(communicator), keeps_all_(keeps_all), added_(tasks, 0) {
  mine_.computing.emplace_back(tasks, 0);
  mine_.operations.emplace_back(tasks, 0);
  mine_.spent.emplace_back(tasks, 0);
}

void Recorder::start() {
  CommonStart(communicator_).next();
  start_ = MPI_Wtime();
}

void Recorder::note(const Section& section, const std::vector<Action>& actions, const std::vector<Done>& done) {
  noted_.push_back({section, &actions});
  for (const Done& each : done) {
    ends_.push_back(each.end);
    if (each.end <= mine_until_) continue;
    mine_.spent[0][static_cast<std::size_t>(each.task)] += each.end - mine_until_;
    mine_until_ = each.end;
  }
  if (keeps_all_ && done_.size() < most_done) done_.insert(done_.end(), done.begin(), done.end());
  if (ends_.size() >= most_ends) tell();
}

void Recorder::computed(int task, double operations) {
  const double begin = looked_;
  look();
  mine_.computing[0][static_cast<std::size_t>(task)] += looked_ - begin;
  mine_.operations[0][static_cast<std::size_t>(task)] += operations;
}

void Recorder::tell() {
  check_mpi(
      MPI_Allreduce(MPI_IN_PLACE, ends_.data(), static_cast<int>(ends_.size()), MPI_DOUBLE, MPI_MAX, communicator_),
      "MPI_Allreduce");
  auto end = ends_.begin();
  for (const Noted& pass : noted_) {
    const auto count = static_cast<std::ptrdiff_t>(pass.actions->size());
    const std::span<const double> ends(&*end, pass.actions->size());
    const auto adds = added<double>(*pass.actions, ends, pass.section, front_);
    for (std::size_t i = 0; i < adds.size(); ++i) added_[static_cast<std::size_t>(pass.section.first) + i] += adds[i];
    front_ = std::max(front_, *std::max_element(end, end + count));
    end += count;
  }
  noted_.clear();
  ends_.clear();
}

Recorded Recorder::finish() {
  if (!ends_.empty()) tell();
  Recorded all;
  all.seconds = front_;
  all.added = added_;
  all.computing = of_members(communicator_, mine_.computing[0]);
  all.spent = of_members(communicator_, mine_.spent[0]);
  all.operations = of_members(communicator_, mine_.operations[0]);
  return all;
}

}  // namespace tombolo
