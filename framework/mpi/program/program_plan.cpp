// How a program is planned: what the methods of Program do before it runs.
#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/measure_kernel.hpp>
#include <tombolo/framework/mpi/program.hpp>
#include <tombolo/framework/mpi/require_memory.hpp>
#include <tombolo/framework/program/arranged_json.hpp>
#include <tombolo/framework/program/array_room.hpp>
#include <tombolo/platform/atomic_file.hpp>
#include <tombolo/platform/certainty.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/members.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/text_from.hpp>

namespace tombolo {

namespace {

// The parts that the network falls into at the outermost level.
std::vector<std::vector<Rank>> outermost(const Platform& platform) {
  std::vector<std::vector<Rank>> parts;
  for (const Level& child : platform.levels.children) parts.push_back(child.ranks);
  if (parts.empty()) parts.push_back(all_in_order(platform.ranks()));
  return parts;
}

// Simulated figures have no noise: their errors are what fits leave.
std::shared_ptr<Planner> at_its_best(const Platform& platform) {
  if (platform.origin.simulated || !has_errors(platform)) return nullptr;
  return std::make_shared<Planner>(at_best(platform));
}

}  // namespace

// Memories that change places have room for both arrays with the shares that there are.
void Program::check_adapting() const {
  for (const DeclaredTask& task : body_.declared.tasks) {
    for (const int number : {task.array, task.to}) {
      if (!task.spends || !body_.array(number).declared().sliced()) continue;
      const int slices = body_.array(number).declared().slices;
      if (!body_.adapts[static_cast<std::size_t>(slices)]) continue;
      throw Error(fmt::format("program {}: '{}' spends an array in {}, whose shares may change", body_.declared.name,
                              task.name, body_.declared.slices[static_cast<std::size_t>(slices)].name),
                  "move it without spending it, or leave out .adapts");
    }
  }
}

// All ranks must have declared the same: they would wait for each other in vain.
void Program::check_alike() {
  agree(session_.communicator(), [&] {
    check(body_.declared);
    check_adapting();
  });
  // Asked for at every slice that is computed.
  for (DeclaredSlices& slices : body_.declared.slices) {
    if (slices.weights.empty()) continue;
    slices.sums.assign(1, 0);
    std::partial_sum(slices.weights.begin(), slices.weights.end(), std::back_inserter(slices.sums));
  }
  const std::string mine =
      fingerprint(body_.declared) + (options_.collectives == Session::Kind::native ? "|native" : "");
  const std::string first = text_from(session_.communicator(), 0, mine);
  agree(session_.communicator(), [&] {
    if (mine == first) return;
    throw Error(fmt::format("program {}: rank {} has declared another program than rank 0", body_.declared.name,
                            session_.rank()),
                "declare the same on all ranks, from data that all have");
  });
}

SpeedsByKernel Program::find_speeds() {
  SpeedsByKernel speeds;
  for (const DeclaredTask& task : body_.declared.tasks) {
    if (task.kernel.empty() || speeds.contains(task.kernel)) continue;
    const auto given = options_.speeds.find(task.kernel);
    if (given == options_.speeds.end()) {
      speeds[task.kernel] = speeds_of(session_, task.kernel);
      continue;
    }
    for (const std::int64_t speed : given->second) speeds[task.kernel].push_back(SpeedFunction::constant(speed));
  }
  return speeds;
}

RunReport Program::draft() const {
  RunReport report;
  report.name = body_.declared.name;
  report.collectives = options_.collectives == Session::Kind::native ? "native" : "tombolo";
  report.ranks = session_.ranks();
  for (const DeclaredSlices& slices : body_.declared.slices) report.slices.push_back(slices.name);
  for (const DeclaredTask& task : body_.declared.tasks) {
    TaskReport of_task;
    of_task.name = task.name;
    of_task.what = name(task.kind);
    if (task.loop != DeclaredTask::none) of_task.loop = body_.declared.loops[static_cast<std::size_t>(task.loop)].name;
    report.tasks.push_back(std::move(of_task));
  }
  return report;
}

void Program::choose() {
  const std::shared_ptr<Planner>& planner = session_.planner();
  const Workers workers{speeds_, outermost(session_.platform()), memory_of_ranks(session_)};
  const bool native = options_.collectives == Session::Kind::native;
  std::string text;
  agree(session_.communicator(), [&] {
    if (session_.rank() != 0) return;
    const std::vector<std::int64_t> passes = expected_passes(body_.declared);
    const Arranged best = arrange(body_.declared, workers, *planner,
                                  {.policy = options_.shares,
                                   .native = native,
                                   .panels = options_.panels,
                                   .overlap = options_.overlap,
                                   .at_best = [&] { return at_its_best(session_.platform()); }},
                                  passes);
    RunReport expected = draft();
    fill_in(body_.declared, best, workers.speeds, passes, expected);
    const auto chosen_on =
        best.arrangement.ranks() == session_.ranks() ? planner : planner->on(best.arrangement.members);
    Costs costs(body_.declared, best.arrangement, workers.speeds, *chosen_on, native);
    for (std::size_t task = 0; task < expected.tasks.size(); ++task) {
      expected.tasks[task].how = costs.how(static_cast<int>(task));
    }
    for (MemberReport& member : expected.members) {
      member.host = session_.processors()[static_cast<std::size_t>(member.rank)].host;
    }
    text = to_json(Chosen{best.arrangement, expected});
  });
  text = text_from(session_.communicator(), 0, std::move(text));
  Chosen chosen = chosen_from_json(text);
  arrangement_ = std::move(chosen.arrangement);
  expected_ = std::move(chosen.expected);
}

void Program::join() {
  member_ = arrangement_->member(session_.rank());
  const bool all = arrangement_->ranks() == session_.ranks();
  check_mpi(MPI_Comm_split(session_.communicator(), takes_part() ? 0 : MPI_UNDEFINED, session_.rank(), &members_),
            "MPI_Comm_split");
  if (!takes_part()) return;
  check_mpi(MPI_Comm_set_errhandler(members_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  planner_ = all ? session_.planner() : session_.planner()->on(arrangement_->members);
  collectives_ = session_.collectives(options_.collectives, members_);
}

void Program::plan() {
  if (arrangement_) return;
  check_alike();
  session_.processors();
  speeds_ = find_speeds();
  choose();
  join();
}

void Program::prepare() {
  if (prepared_) return;
  plan();
  agree(session_.communicator(), [&] {
    if (member_ == 0 && !options_.trace.empty()) check_writable(options_.trace);
  });
  double bytes = 0;
  double largest = 0;
  std::vector<ArrayRoom> rooms;
  if (takes_part()) rooms = rooms_of(body_.declared, *arrangement_, member_);
  for (const ArrayRoom& room : rooms) {
    bytes += room.bytes;
    largest = std::max(largest, room.bytes);
  }
  constexpr double most = 0x1p60;
  agree(session_.communicator(), [&] {
    if (bytes <= most) return;
    throw Error(
        fmt::format("program {} needs {:.2f} GB on rank {}", body_.declared.name, bytes * 1e-9, session_.rank()),
        "take a smaller problem");
  });
  provide_memory(session_, bytes, static_cast<Bytes>(largest), phantom_);
  agree(session_.communicator(), [&] {
    for (std::size_t i = 0; i < rooms.size(); ++i) {
      if (rooms[i].shares != ArrayRoom::none) continue;
      body_.arrays[i]->hold(session_, *arrangement_, member_, static_cast<Bytes>(rooms[i].bytes));
    }
    // A view of a view comes behind it.
    for (const DeclaredTask& task : body_.declared.tasks) {
      if (task.kind != TaskKind::move || rooms.empty()) continue;
      if (rooms[static_cast<std::size_t>(task.to)].shares != task.array) continue;
      body_.array(task.to).share(body_.array(task.array), *arrangement_, member_);
    }
  });
  prepared_ = true;
}

std::string Program::explain() {
  plan();
  return to_text(expected_);
}

}  // namespace tombolo
