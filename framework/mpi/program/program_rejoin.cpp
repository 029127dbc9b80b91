// Rejoin of left-out ranks during a run.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <tombolo/framework/mpi/program/program_state.hpp>
#include <tombolo/framework/mpi/program/tasks/task_runner.hpp>
#include <tombolo/framework/program/adapt/rebalance.hpp>
#include <tombolo/framework/program/declare/declaration.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/framework/program/plan/array_room.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr int verdict_tag = 3;
constexpr double material = 1e-4;  // s of computation in a pass; shorter times are not judged

void tell(std::vector<double>& values, Rank from, MPI_Comm communicator) {
  check_mpi(MPI_Bcast(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, from, communicator), "MPI_Bcast");
}

// Broadcasts the measurements of the members to all ranks.
void tell(Recorded& recorded, std::size_t members, std::size_t tasks, Rank from, MPI_Comm communicator) {
  std::vector<double> seconds{recorded.seconds};
  tell(seconds, from, communicator);
  recorded.seconds = seconds.front();
  recorded.added.resize(tasks);
  tell(recorded.added, from, communicator);
  for (auto* of_members : {&recorded.computing, &recorded.spent, &recorded.operations}) {
    of_members->resize(members);
    for (std::vector<double>& of_tasks : *of_members) {
      of_tasks.resize(tasks);
      tell(of_tasks, from, communicator);
    }
  }
}

// Returns the items of members as a distribution over all ranks of the session.
Distribution over_session(const DeclaredArray& array, const Arrangement& arrangement, int ranks) {
  std::vector<std::int64_t> shares(static_cast<std::size_t>(ranks), 0);
  const std::vector<std::int64_t> of_members = arrangement.division(array.slices).shares();
  for (std::size_t m = 0; m < of_members.size(); ++m) {
    shares[static_cast<std::size_t>(arrangement.members[m])] = of_members[m];
  }
  return Distribution::rows(shares, array.shape.columns);
}

std::byte* items_of(const ArrayMemory& array, const Arrangement& arrangement, Rank member) {
  if (member < 0) return nullptr;
  return array.at(arrangement.division(array.declared().slices).slice(0, member));
}

}  // namespace

// Returns the ratio of the members' measured to predicted computing time in a pass; 0 if the ratio is no reason for a
// new choice of members.
double Program::State::slowdown(const RunContext& run, const Section& section,
                                const std::vector<double>& before) const {
  double measured = 0;
  double predicted = 0;
  for (int t = section.first; t < section.end; ++t) {
    const DeclaredTask& task = body_.task(t);
    if (!rules(task.kind).computes_items() || task.operations == 0) continue;
    const Slice slice = run.arrangement.division(task.slices).slice(0, run.member);
    const auto work = static_cast<double>(weight(body_.domain(task.slices), slice.first, slice.count));
    measured += run.recorder.computing(t) - before[static_cast<std::size_t>(t)];
    predicted += run.costs.computing_s(task, run.member, task.operations * work);
  }
  std::array<double, 2> sums{measured, predicted};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, run.communicator), "MPI_Allreduce");
  if (sums[0] < material || sums[0] < most_belied * sums[1]) return 0;
  return sums[1] > 0 ? sums[0] / sums[1] : 1 / material;
}

// Sends the verdict from the members to the sleeping left-out ranks, and returns it: 0 at the end of the run, the
// slowdown that causes a rejoin, or less than 0 if a signal ends the run.
double Program::State::told(double verdict) const {
  const Rank first = arrangement_->members.front();
  if (takes_part()) {
    for (Rank rank = 0; member_ == 0 && rank < session_.ranks(); ++rank) {
      if (arrangement_->member(rank) >= 0) continue;
      check_mpi(MPI_Send(&verdict, 1, MPI_DOUBLE, rank, verdict_tag, session_.communicator()), "MPI_Send");
    }
    return verdict;
  }
  MPI_Request message = MPI_REQUEST_NULL;
  check_mpi(MPI_Irecv(&verdict, 1, MPI_DOUBLE, first, verdict_tag, session_.communicator(), &message), "MPI_Irecv");
  machine::wait_asleep(message);
  return verdict;
}

// True if the program can continue with movable values: no halos, no unreduced partial values.
bool Program::State::can_move(const NewestValues& values) const {
  for (const Division& division : arrangement_->divisions) {
    if (division.panels() > 1) return false;
  }
  NewestValues moved = values;
  for (std::size_t a = 0; a < body_.arrays.size(); ++a) {
    Copies copies = values.of(static_cast<int>(a));
    if (copies.combined || copies == Copies{}) return false;
    copies.halo = false;
    moved.set(static_cast<int>(a), copies);
  }
  const std::vector<Section> sections = sections_of(body_.declared);
  const Section& loop = sections[progress_.section];
  NewestValues kept = values;
  try {
    kept.pass(loop.first, loop.end);
    moved.pass(loop.first, loop.end);
    NewestValues(moved).pass(loop.first, loop.end);
  } catch (const Error&) {
    return false;
  }
  // A halo that the loop does not change may be read after the loop, or after the run.
  return moved.all() == kept.all();
}

void Program::State::move_values(const NewestValues& values, const Arrangement& before, Rank member_before) {
  const std::unique_ptr<Collectives> all = session_.make_collectives(options_.collectives);
  std::vector<ArrayRoom> rooms;
  if (takes_part()) rooms = rooms_of(body_.declared, *arrangement_, member_);
  for (std::size_t a = 0; a < body_.arrays.size(); ++a) {
    const DeclaredArray declared = body_.arrays[a]->declared();
    if (is_number(declared)) continue;
    ArrayMemory old = *body_.arrays[a];
    ArrayMemory& now = *body_.arrays[a];
    agree(session_.communicator(), [&] {
      now = ArrayMemory(declared, old.type(), {old.inner().begin(), old.inner().end()});
      if (!takes_part()) return;
      // A later move may spend an array: the memories are then swapped, and no longer shared.
      const ArrayRoom& own = rooms[a];
      const ArrayRoom& room = own.shares == ArrayRoom::none ? own : rooms[static_cast<std::size_t>(own.shares)];
      now.hold(session_, *arrangement_, member_, static_cast<Bytes>(room.bytes));
    });
    const Copies& copies = values.of(static_cast<int>(a));
    const Bytes all_bytes = declared.shape.rows * declared.shape.columns * declared.element;
    if (copies.root && declared.root == session_.rank() && !session_.phantom()) {
      std::memcpy(now.data(), old.data(), static_cast<std::size_t>(all_bytes));
    }
    if (copies.everywhere) {
      std::byte* const to = now.data();
      if (member_before >= 0 && takes_part() && !session_.phantom()) {
        std::memcpy(to, old.data(), static_cast<std::size_t>(all_bytes));
      }
      const Storage<std::byte> aside = session_.storage<std::byte>(to == nullptr ? all_bytes : 0);
      tombolo::move(*all, Distribution::at(before.members.front(), declared.shape, session_.ranks()),
                    Distribution::everywhere(declared.shape, session_.ranks()), declared.element, old.type(),
                    old.data(), to == nullptr ? aside.data() : to);
    } else if (copies.items && declared.sliced()) {
      tombolo::move(*all, over_session(declared, before, session_.ranks()),
                    over_session(declared, *arrangement_, session_.ranks()), declared.element, old.type(),
                    items_of(old, before, member_before), items_of(now, *arrangement_, member_));
    }
  }
}

// Chooses the members again among all ranks, with the observed speeds, and moves values to the new members.
void Program::State::come_back(double slowdown, Recorded& recorded) {
  const Arrangement before = *arrangement_;
  const Rank member_before = member_;
  const Rank first = before.members.front();
  std::vector<std::int64_t> where = progress_.passes;
  where.push_back(static_cast<std::int64_t>(progress_.section));
  check_mpi(MPI_Bcast(where.data(), static_cast<int>(where.size()), MPI_INT64_T, first, session_.communicator()),
            "MPI_Bcast");
  progress_.section = static_cast<std::size_t>(where.back());
  where.pop_back();
  progress_.passes = std::move(where);
  tell(recorded, before.members.size(), body_.declared.tasks.size(), first, session_.communicator());
  tell_numbers();
  recorded_before_ = RecordedBefore{recorded, before.members};
  const NewestValues values = after_run(body_.declared, *newest_, progress_.passes, progress_.section + 1);
  for (auto& [kernel, of_ranks] : speeds_) {
    for (SpeedFunction& speed : of_ranks) speed = speed.slower(slowdown);
  }
  if (!can_move(values)) return;
  const RunReport expected_before = expected_;
  choose({this});
  take_choice();
  const bool cut = std::any_of(arrangement_->divisions.begin(), arrangement_->divisions.end(),
                               [](const Division& division) { return division.panels() > 1; });
  if (arrangement_->members == before.members || cut) {
    arrangement_ = before;
    expected_ = expected_before;
    return;
  }
  collectives_.reset();
  if (members_ != MPI_COMM_NULL) check_mpi(MPI_Comm_free(&members_), "MPI_Comm_free");
  join();
  move_values(values, before, member_before);
  expected_.how += fmt::format(", after {} passes on {}", progress_.passes.front(), before.members.size());
}

}  // namespace tombolo
