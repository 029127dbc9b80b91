// Planning of a program: the methods of Program before a run.
#include <algorithm>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include <tombolo/framework/mpi/program/check_mode.hpp>
#include <tombolo/framework/mpi/program/program_state.hpp>
#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/framework/mpi/session/same_call.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/framework/program/plan/array_room.hpp>
#include <tombolo/framework/program/report/fill_in.hpp>
#include <tombolo/framework/program/report/run_report.hpp>
#include <tombolo/platform/description/members.hpp>
#include <tombolo/platform/measuring/certainty.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/stable_hash.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// Returns a planner at the optimistic end of every link's error bar; null if there are no errors. Simulated values have
// no noise: their errors are residuals of fits.
std::shared_ptr<Planner> at_its_best(const Platform& platform) {
  if (platform.origin.simulated || !has_errors(platform)) return nullptr;
  return std::make_shared<Planner>(at_best(platform));
}

std::uint64_t options_hash(const ProgramOptions& options) {
  StableHash hash;
  for (const int number :
       {static_cast<int>(options.shares), static_cast<int>(options.collectives), options.panels,
        options.overlap ? 1 : 0, options.adapt ? 1 : 0, options.trace.empty() ? 0 : 1, CheckMode::wanted() ? 1 : 0}) {
    hash.add_number(number);
  }
  for (const auto& [kernel, speeds] : options.speeds) {
    hash.add_text(kernel);
    for (const std::int64_t speed : speeds) hash.add_number(speed);
  }
  return hash.value();
}

// Returns the rank that chooses for each of so many programs, the faster ones for more of them: choosing takes seconds
// on many ranks. The first kernel's speeds stand for those of choosing.
std::vector<Rank> choosing_ranks(std::size_t programs, int ranks, const SpeedsByKernel& speeds) {
  std::vector<double> speed(static_cast<std::size_t>(ranks), 1);
  if (!speeds.empty() && std::ssize(speeds.begin()->second) == ranks) {
    std::ranges::transform(speeds.begin()->second, speed.begin(), [](const SpeedFunction& of_rank) {
      return std::max(static_cast<double>(of_rank.points().back().speed), 1.0);
    });
  }
  std::vector<int> given(speed.size(), 0);
  std::vector<Rank> result;
  for (std::size_t program = 0; program < programs; ++program) {
    std::size_t first = 0;
    const auto end = [&](std::size_t rank) { return (given[rank] + 1) / speed[rank]; };
    for (std::size_t rank = 1; rank < speed.size(); ++rank) {
      if (end(rank) < end(first)) first = rank;
    }
    ++given[first];
    result.push_back(static_cast<Rank>(first));
  }
  return result;
}

}  // namespace

// Checks that all ranks have made the same declarations; otherwise ranks would block.
void Program::State::check_alike(const std::vector<State*>& programs) {
  const State& front = *programs.front();
  const MPI_Comm communicator = front.session_.communicator();
  struct Described {
    const State* program;
    Fingerprint of;
  };
  std::vector<Described> mine;
  agree(communicator, [&] {
    for (State* const program : programs) {
      check(program->body_.declared);
      // Needed for every computed slice and for every candidate division.
      for (DeclaredDomain& domain : program->body_.declared.slices) {
        if (!domain.weights.empty()) domain.sums = weights_before(domain.weights);
      }
      for (Fingerprint& part : fingerprints(program->body_.declared)) mine.push_back({program, std::move(part)});
      mine.push_back({program, {"how it is to run", options_hash(program->options_)}});
    }
  });
  std::vector<std::uint64_t> first;
  for (const Described& part : mine) first.push_back(part.of.hash);
  std::uint64_t parts = first.size();
  check_mpi(MPI_Bcast(&parts, 1, MPI_UINT64_T, 0, communicator), "MPI_Bcast");
  first.resize(parts);
  check_mpi(MPI_Bcast(first.data(), static_cast<int>(parts), MPI_UINT64_T, 0, communicator), "MPI_Bcast");
  agree(communicator, [&] {
    const auto same = [](const Described& part, std::uint64_t hash) { return part.of.hash == hash; };
    const auto [differs, other] = std::mismatch(mine.begin(), mine.end(), first.begin(), first.end(), same);
    if (differs == mine.end() && other == first.end()) return;
    const bool found = differs != mine.end();
    throw Error(fmt::format("program {}: rank {} has declared another program than rank 0{}",
                            (found ? *differs->program : front).name(), front.session_.rank(),
                            found ? fmt::format(", beginning with {}", differs->of.what) : std::string()),
                "declare the same on all ranks, from data that all have");
  });
}

SpeedsByKernel Program::State::find_speeds() {
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

RunReport Program::State::draft() const {
  RunReport report;
  report.name = body_.declared.name;
  report.collectives = options_.collectives == Session::Kind::native ? "native" : "tombolo";
  report.ranks = session_.ranks();
  for (const DeclaredDomain& slices : body_.declared.slices) report.slices.push_back(slices.name);
  for (const DeclaredTask& task : body_.declared.tasks) {
    TaskReport of_task;
    of_task.name = task.name;
    of_task.what = tombolo::name(task.kind);
    if (task.loop != DeclaredTask::none) of_task.loop = body_.declared.loops[static_cast<std::size_t>(task.loop)].name;
    report.tasks.push_back(std::move(of_task));
  }
  return report;
}

Chosen Program::State::choice(const std::vector<double>& memory) const {
  const std::shared_ptr<Planner>& planner = session_.planner();
  const Workers workers{speeds_, parts_by_depth(session_.platform().levels), memory};
  const bool native = options_.collectives == Session::Kind::native;
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
  const auto chosen_on = best.arrangement.ranks() == session_.ranks() ? planner : planner->on(best.arrangement.members);
  Costs costs(body_.declared, best.arrangement, workers.speeds, *chosen_on, native, {}, best.pairing);
  std::vector<std::string> plans(expected.tasks.size());
  for (std::size_t task = 0; task < expected.tasks.size(); ++task) {
    const auto number = static_cast<int>(task);
    expected.tasks[task].how = costs.how(number);
    const auto plan = costs.plan({number});
    if (plan && !native) plans[task] = chosen_on->plan_text(*plan);
  }
  for (MemberReport& member : expected.members) {
    member.host = session_.processors()[static_cast<std::size_t>(member.rank)].host;
  }
  return {best.arrangement, expected, std::move(plans)};
}

// Chooses for each program on one rank, where take_choice() finds it.
void Program::State::choose(const std::vector<State*>& programs) {
  Session& session = programs.front()->session_;
  int ranks = 1;
  check_mpi(MPI_Comm_size(session.communicator(), &ranks), "MPI_Comm_size");
  const std::vector<Rank> choosing = choosing_ranks(programs.size(), ranks, programs.front()->speeds_);
  const std::vector<double> memory = memory_of_ranks(session);
  agree(session.communicator(), [&] {
    for (std::size_t i = 0; i < programs.size(); ++i) {
      if (choosing[i] == session.rank()) programs[i]->choice_ = programs[i]->choice(memory);
    }
  });
  for (std::size_t i = 0; i < programs.size(); ++i) programs[i]->chosen_by_ = choosing[i];  // not where that has failed
}

void Program::State::take_choice() {
  const std::string text =
      text_from(session_.communicator(), chosen_by_.value(), choice_ ? to_json(*choice_) : std::string());
  choice_.reset();
  Chosen chosen = chosen_from_json(text);
  arrangement_ = std::move(chosen.arrangement);
  expected_ = std::move(chosen.expected);
  plans_ = std::move(chosen.plans);
  for (const auto& [kernel, of_ranks] : speeds_) {
    if (options_.speeds.contains(kernel)) continue;
    const std::string note = when_measured(session_, kernel);
    if (!note.empty()) expected_.notes.push_back(note);
  }
}

// Takes the plans that the choosing rank has found: else each member would search for all of them itself. Later panels
// have the plans of the first ones, as predicted.
void Program::State::take_plans() {
  for (std::size_t t = 0; t < plans_.size(); ++t) {
    if (plans_[t].empty()) continue;
    const DeclaredTask& task = body_.declared.tasks[t];
    std::vector<Request> requests;
    for (int panel = 0; panel < panels_of(body_.declared, *arrangement_, task); ++panel) {
      const Action action{.task = static_cast<int>(t), .panel = panel};
      auto request = request_of(body_.declared, *arrangement_, action, member_);
      if (request) requests.push_back(std::move(*request));
    }
    planner_->use_plan_text(requests, plans_[t]);
  }
}

void Program::State::join() {
  member_ = arrangement_->member(session_.rank());
  if (session_.imagined()) return;
  const bool all = arrangement_->ranks() == session_.ranks();
  check_mpi(MPI_Comm_split(session_.communicator(), takes_part() ? 0 : MPI_UNDEFINED, session_.rank(), &members_),
            "MPI_Comm_split");
  if (!takes_part()) return;
  check_mpi(MPI_Comm_set_errhandler(members_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  planner_ = all ? session_.planner() : session_.planner()->on(arrangement_->members);
  take_plans();
  collectives_ = session_.make_collectives(options_.collectives, members_);
}

// Everything before the choice.
void Program::State::begin_planning(const std::vector<State*>& programs) {
  check_alike(programs);
  programs.front()->session_.discover_or_load();
  for (State* const program : programs) program->speeds_ = program->find_speeds();
}

void Program::State::plan() {
  if (arrangement_) return;
  check_same_call(session_.communicator(), "plans program " + name());
  if (!chosen_by_) {
    begin_planning({this});
    choose({this});
  }
  take_choice();
  join();
}

std::vector<ProgramForecast> Program::State::predict(const std::vector<State*>& programs) {
  if (programs.empty()) return {};
  const Session& session = programs.front()->session_;
  std::string call = "predicts";
  for (const State* const program : programs) call += " program " + program->name();
  check_same_call(session.communicator(), call);
  agree(session.communicator(), [&] {
    for (const State* const program : programs) {
      if (&program->session_ != &session) {
        throw Error(fmt::format("program {} is of another session", program->name()), "predict it by itself");
      }
      if (program->arrangement_ || program->chosen_by_) {
        throw Error(fmt::format("program {} is planned already", program->name()), "predict programs before plan()");
      }
    }
  });
  begin_planning(programs);
  choose(programs);
  struct Numbers {
    double seconds = 0;
    double computing_s = 0;
    double ranks = 0;
  };
  std::vector<Numbers> numbers(programs.size());
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (!programs[i]->choice_) continue;
    const RunReport& expected = programs[i]->choice_->expected;
    numbers[i].seconds = expected.predicted_s;
    for (const MemberReport& member : expected.members) {
      numbers[i].computing_s = std::max(numbers[i].computing_s, member.predicted_s);
      if (member.predicted_s > 0) ++numbers[i].ranks;
    }
  }
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(3 * numbers.size()), MPI_DOUBLE, MPI_MAX,
                          session.communicator()),
            "MPI_Allreduce");
  std::vector<ProgramForecast> all;
  for (const auto& [seconds, computing_s, of_ranks] : numbers) {
    all.push_back({seconds, computing_s, static_cast<int>(of_ranks)});
  }
  return all;
}

// Finds memory for this rank's arrays. Throws AgreedError if it does not suffice. Collective over the session.
void Program::State::provide_room(const std::vector<ArrayRoom>& rooms) {
  double bytes = 0;
  double largest = 0;
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
  if (takes_part() && machine::simulated()) {
    largest = std::max(largest, largest_buffer(body_.declared, *arrangement_, member_));
  }
  provide_memory(session_, bytes, static_cast<Bytes>(largest), phantom_);
}

// Gives all arrays of this rank their memory, and partial values the identity. Collective over the session.
void Program::State::hold_arrays(const std::vector<ArrayRoom>& rooms, bool checked) {
  agree(session_.communicator(), [&] {
    for (std::size_t i = 0; i < body_.arrays.size(); ++i) {
      if (is_number(body_.declared.arrays[i])) body_.arrays[i]->hold_number(checked);
    }
    for (std::size_t i = 0; i < rooms.size(); ++i) {
      if (rooms[i].shares != ArrayRoom::none || is_number(body_.declared.arrays[i])) continue;
      body_.arrays[i]->hold(session_, *arrangement_, member_, static_cast<Bytes>(rooms[i].bytes), checked);
    }
    // A view of a view comes after its source.
    for (const DeclaredTask& task : body_.declared.tasks) {
      if (!task.spends || rooms.empty()) continue;
      if (rooms[static_cast<std::size_t>(task.to)].shares != task.array) continue;
      body_.array(task.to).share(body_.array(task.array), *arrangement_, member_);
    }
  });
  for (std::size_t i = 0; i < body_.arrays.size(); ++i) {
    ArrayMemory& array = *body_.arrays[i];
    if (!array.declared().partial() || array.phantom() || array.data() == nullptr) continue;
    body_.reductions[i].begin(array.data(), array.elements());
  }
}

void Program::State::prepare() {
  if (prepared_) return;
  if (session_.imagined()) {
    throw Error(fmt::format("program {} is for {} ranks that are not here", name(), session_.ranks()),
                "plan it only, or run it in a session of all ranks");
  }
  plan();
  check_same_call(session_.communicator(), "prepares program " + name());
  agree(session_.communicator(), [&] {
    if (member_ == 0 && !options_.trace.empty()) check_writable(options_.trace);
  });
  const bool checked = CheckMode::wanted() && !phantom_;
  std::vector<ArrayRoom> rooms;
  if (takes_part()) rooms = rooms_of(body_.declared, *arrangement_, member_);
  provide_room(rooms);
  hold_arrays(rooms, checked);
  newest_.emplace(body_.declared);
  if (checked && !session_.phantom()) check_ = std::make_unique<CheckMode>(body_);
  prepared_ = true;
}

const RunReport& Program::State::predicted() const {
  arrangement();  // throws before plan()
  return expected_;
}

std::string Program::State::explain() const {
  arrangement();  // throws before plan()
  return to_text(expected_);
}

}  // namespace tombolo
