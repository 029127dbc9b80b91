// Run of a program: Program::run().
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include <tombolo/framework/mpi/program/adaptation.hpp>
#include <tombolo/framework/mpi/program/check_mode.hpp>
#include <tombolo/framework/mpi/program/checkpoints.hpp>
#include <tombolo/framework/mpi/program/program_state.hpp>
#include <tombolo/framework/mpi/program/runner.hpp>
#include <tombolo/framework/mpi/session/end_run.hpp>
#include <tombolo/framework/mpi/session/same_call.hpp>
#include <tombolo/framework/program/adapt/rebalance.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/framework/program/report/fill_in.hpp>
#include <tombolo/framework/report/progress_printer.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/system/attempt.hpp>
#include <tombolo/platform/system/ending_signals.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

/// Progress line on the terminal.
class RunProgress {
 public:
  RunProgress(const Session& session, const Declaration& program, bool wanted)
      : line_(wanted && session.rank() == 0, ProgressPrinter::Style::one_line), program_(program) {
    line_.begin(program.name);
  }

  void section(const Section& section) { line_.at(program_.tasks[static_cast<std::size_t>(section.first)].name, true); }
  void loop(std::int64_t passes) {
    before_ = passes;
    left_ = {};
  }
  void pass(int loop, std::int64_t passes) {
    if (!line_.shown()) return;
    const DeclaredLoop& of = program_.loops[static_cast<std::size_t>(loop)];
    line_.at(fmt::format("{} {} of at most {}{}", of.name, passes, of.most,
                         left_.in_words(static_cast<double>(passes - before_), static_cast<double>(of.most - passes))));
  }

 private:
  ProgressPrinter line_;
  const Declaration& program_;
  std::int64_t before_ = 0;
  WorkLeft left_;
};

/// When the members check whether left-out ranks should rejoin: once, after the second pass of the first loop that goes
/// on, as the first pass warms up.
class RejoinCheck {
 public:
  RejoinCheck(bool wanted, const Recorder& recorder, std::size_t tasks)
      : wanted_(wanted), recorder_(recorder), computing_(tasks, 0) {}

  /// Called after each pass of a loop: the `done`-th of this run, `last`: the loop has no more. True if the check is
  /// due.
  bool after(std::int64_t done, bool last) {
    if (!wanted_) return false;
    if (done == 1) {
      for (std::size_t t = 0; t < computing_.size(); ++t) computing_[t] = recorder_.computing(static_cast<int>(t));
    }
    if (done != 2 || last) return false;
    wanted_ = false;
    return true;
  }
  /// Seconds that this rank had computed before the second pass, by task.
  const std::vector<double>& computing_before() const { return computing_; }

 private:
  bool wanted_;
  const Recorder& recorder_;
  std::vector<double> computing_;
};

// Returns the result of a loop's rule, broadcast from the first member.
bool agreed(Collectives& collectives, const ProgramBody& body, const LoopRule& rule, bool phantom) {
  std::vector<ViewedMemory> values;
  for (const AnyArray& watched : rule.watches) {
    const ArrayMemory& array = body.array(watched.number);
    values.push_back({array.data(), 0, array.declared().shape.rows, array.inner()});
  }
  int verdict = collectives.rank() == 0 && !phantom && rule.enough(values) ? 1 : 0;
  collectives.bcast(&verdict, 1, MPI_INT, 0);
  return verdict != 0;
}

// Ends all ranks with status 1 and a message of one line: one rank cannot continue, and others may wait for it.
[[noreturn]] void fail(Session& session, const std::string& program, const std::string& words) {
  const auto rank = static_cast<std::size_t>(session.rank());
  end_run(session, fmt::format("tombolo: {}, rank {} on {}: {}\n", program, rank, session.processors()[rank].host,
                               printable(words)));
}

// Fills the halos that are up to date. Collective over the members.
void exchange_halos(const RunContext& run, const NewestValues& values) {
  for (int array = 0; array < static_cast<int>(run.body.arrays.size()); ++array) {
    if (values.of(array).halo) exchange_halo(run, array);
  }
}

// Broadcasts the present shares to left-out ranks, which need the shares to move values at a rejoin.
void tell_shares(Arrangement& arrangement, MPI_Comm all) {
  for (Division& division : arrangement.divisions) {
    if (division.panels() > 1) continue;  // panels do not change
    std::vector<std::int64_t> shares = division.shares();
    check_mpi(MPI_Bcast(shares.data(), static_cast<int>(shares.size()), MPI_INT64_T, arrangement.members.front(), all),
              "MPI_Bcast");
    division = Division({std::move(shares)});
  }
}

}  // namespace

Recorded Program::State::run_here() {
  const bool native = options_.collectives == Session::Kind::native;
  Costs costs(body_.declared, *arrangement_, speeds_, *planner_, native);
  Recorder recorder(members_, body_.declared.tasks.size(), !options_.trace.empty());
  const RunContext context{body_,     *arrangement_, member_,  members_, *collectives_,
                           *planner_, costs,         recorder, session_, check_.get()};
  Runner runner(context);  // plans are made before the clock starts
  RunProgress line(session_, body_.declared, options_.progress);
  std::vector<std::int64_t>& passes = progress_.passes;
  std::vector<std::int64_t>& changes = progress_.changes;
  const bool may_rejoin = options_.shares == SharePolicy::best && arrangement_->ranks() < session_.ranks() &&
                          !recorded_before_ && !check_ && !session_.phantom() && !machine::simulated();
  RejoinCheck rejoin(may_rejoin, recorder, body_.declared.tasks.size());
  std::optional<CheckpointSchedule> schedule;
  if (checkpoints_ != nullptr) {
    const auto sum = [](const std::vector<std::int64_t>& of) { return std::reduce(of.begin(), of.end()); };
    schedule.emplace(checkpoints_->options, members_, member_, sum(passes) - sum(passes_before_));
  }
  if (!passes_before_.empty())
    exchange_halos(context, values_at(body_.declared, *newest_, {progress_.section, passes}));
  recorder.start();
  // Returns true if the run stops within the loop: for a rejoin, or after a last checkpoint.
  const auto stops_in_loop = [&](std::size_t s) {
    const Section& section = runner.sections()[s];
    const auto loop = static_cast<std::size_t>(section.loop);
    const LoopRule& rule = body_.rules[loop];
    const std::int64_t most = body_.declared.loops[loop].most;
    const std::int64_t before = passes[loop];
    std::optional<Adaptation> adaptation;
    if (options_.adapt && !check_) {
      adaptation.emplace(context, runner, section.loop, after_run(body_.declared, *newest_, passes, s), before);
    }
    line.loop(before);
    while (passes[loop] < most) {
      runner.pass(s);
      line.pass(section.loop, ++passes[loop]);
      if (rule.enough && agreed(*collectives_, body_, rule, session_.phantom())) break;
      const bool last = passes[loop] == most;
      if (rejoin.after(passes[loop] - before, last)) {
        progress_.slowdown = slowdown(context, section, rejoin.computing_before());
        if (progress_.slowdown > 0) return true;
      }
      if (last) break;
      if (adaptation) adaptation->after(passes[loop]);
      if (schedule && reached(*schedule, {s, passes})) return true;
    }
    if (adaptation) changes[loop] += adaptation->changes();
    return false;
  };
  // Errors end all ranks from inside: the destructor of the runner would wait for pending collectives, and other ranks
  // for this rank.
  const std::string failed = attempt([&] {
    const Running running(*this);
    for (std::size_t s = progress_.section; s < runner.sections().size(); ++s) {
      progress_.section = s;
      line.section(runner.sections()[s]);
      if (runner.sections()[s].loop == DeclaredTask::none) {
        runner.pass(s);
      } else if (stops_in_loop(s)) {
        return;
      }
    }
  });
  if (!failed.empty()) fail(session_, body_.declared.name, failed);
  Recorded recorded = recorder.finish();
  recorded.passes = passes;
  recorded.changes = changes;
  done_ = recorder.done();
  return recorded;
}

// Runs the program twice and compares the results.
Recorded Program::State::run_checked() {
  check_->keep_values();
  check_->begin(CheckMode::Turn::first, *newest_, *arrangement_, member_, members_);
  run_here();
  progress_.section = 0;
  std::fill(progress_.passes.begin(), progress_.passes.end(), 0);
  check_->begin(CheckMode::Turn::second, *newest_, *arrangement_, member_, members_);
  Recorded recorded = run_here();
  const std::string difference = check_->difference(members_);
  if (!difference.empty()) throw std::runtime_error(difference);
  if (member_ == 0) fmt::print(stderr, "tombolo: {}: checked, no difference between two runs\n", name());
  return recorded;
}

// Returns the kernels whose speeds the run contradicts; only measured speeds are judged, not given ones.
std::vector<std::string> Program::State::belied_kernels(const Recorded& recorded) const {
  std::vector<std::string> belied;
  for (const auto& [kernel, of_ranks] : speeds_) {
    if (options_.speeds.contains(kernel)) continue;
    std::vector<KernelWork> works;
    for (std::size_t m = 0; m < recorded.computing.size(); ++m) {
      const SpeedFunction& speed = of_ranks[static_cast<std::size_t>(arrangement_->members[m])];
      double expected = 0;  // s
      KernelWork work;
      for (std::size_t t = 0; t < body_.declared.tasks.size(); ++t) {
        const DeclaredTask& task = body_.declared.tasks[t];
        if (task.kernel != kernel || !rules(task.kind).computes_items()) continue;
        const std::int64_t items = arrangement_->division(task.slices).items_of(static_cast<Rank>(m));
        work.operations += recorded.operations[m][t];
        work.seconds += recorded.computing[m][t];
        expected += recorded.operations[m][t] /
                    static_cast<double>(std::max<std::int64_t>(speed.at(problem_size(task, items)), 1));
      }
      work.speed = expected > 0 ? work.operations / expected : 0;
      works.push_back(work);
    }
    if (belied_speed(works)) belied.push_back(kernel);
  }
  return belied;
}

RunReport Program::State::report_of(const Recorded& recorded) const {
  RunReport report = expected_;
  report.belied = belied_kernels(recorded);
  report.ran = true;
  report.seconds = recorded.seconds;
  for (std::size_t l = 0; l < report.loops.size(); ++l) {
    report.loops[l].passes = recorded.passes[l];
    report.loops[l].changes = recorded.changes[l];
  }
  if (checkpoints_ != nullptr) report.notes.push_back(how_saved());
  report.predicted_s = 0;
  report.bound_s = 0;
  // Passes of the run that this one goes on from have no part in its times.
  std::vector<std::int64_t> done = recorded.passes;
  for (std::size_t l = 0; l < passes_before_.size(); ++l) done[l] -= passes_before_[l];
  for (std::size_t t = 0; t < report.tasks.size(); ++t) {
    TaskReport& task = report.tasks[t];
    const int loop = body_.declared.tasks[t].loop;
    if (loop != DeclaredTask::none) {
      const auto l = static_cast<std::size_t>(loop);
      const auto expected = static_cast<double>(std::max<std::int64_t>(expected_.loops[l].passes, 1));
      const double times = static_cast<double>(done[l]) / expected;
      task.predicted_s *= times;
      task.bound_s *= times;
    }
    task.seconds = recorded.added[t];
    report.predicted_s += task.predicted_s;
  }
  report.bound_s = bound_of(body_.declared, report);
  const std::vector<double> computing = computing_seconds(body_.declared, *arrangement_, speeds_, done);
  for (std::size_t m = 0; m < report.members.size(); ++m) {
    for (std::size_t s = 0; s < arrangement_->divisions.size(); ++s) {
      report.members[m].items[s] = arrangement_->divisions[s].items_of(static_cast<Rank>(m));
    }
    report.members[m].predicted_s = computing[m];
    for (const double seconds : recorded.computing[m]) report.members[m].computing_s += seconds;
    report.members[m].seconds = recorded.spent[m];
    for (const double operations : recorded.operations[m]) report.members[m].operations += operations;
  }
  return report;
}

// Broadcasts the values of numbers to left-out ranks.
void Program::State::tell_numbers() {
  if (arrangement_->ranks() == session_.ranks()) return;
  const Rank first = arrangement_->members.front();
  for (const auto& array : body_.arrays) {
    const DeclaredArray& declared = array->declared();
    if (!is_number(declared)) continue;
    check_mpi(MPI_Bcast(array->data(), static_cast<int>(declared.element), MPI_BYTE, first, session_.communicator()),
              "MPI_Bcast");
  }
}

// Runs until the end, or until all ranks are asked or a signal ends the run. Returns on the first member the report, or
// how the run was ended. An error ends all ranks.
std::string Program::State::run_as_member(Recorded& recorded) {
  std::string text;
  const std::string failed = attempt([&] {
    recorded = check_ ? run_checked() : run_here();
    if (recorded_before_) recorded.add(recorded_before_->recorded, recorded_before_->members, arrangement_->members);
    if (member_ != 0) return;
    if (progress_.signal != 0) {
      text = how_ended();
    } else if (progress_.slowdown == 0) {
      text = to_json(report_of(recorded)).dump();
    }
  });
  if (!failed.empty()) fail(session_, body_.declared.name, failed);
  return text;
}

RunReport Program::State::run() {
  if (running_) need_prepared("run");
  prepare();
  check_same_call(session_.communicator(), "runs program " + name());
  ran_ = false;
  agree_on_values();
  agree(session_.communicator(), [&] {
    try {
      check_values(body_.declared, *newest_);
    } catch (const Error& error) {  // only in later runs, as plan() checks the first
      throw std::runtime_error(std::string(error.what()) + ", or refill() it before this run");
    }
  });
  std::string text;
  progress_ = {.passes = std::vector<std::int64_t>(body_.declared.loops.size(), 0)};
  progress_.changes = progress_.passes;
  recorded_before_.reset();
  passes_before_.clear();
  if (runs_++ == 0) begin_saving();
  if (checkpoints_ != nullptr) resume();
  double verdict = 0;
  do {
    Recorded recorded;
    // A signal to all ranks ends the run by those that take part: the others, who save nothing, are not to die of it.
    std::optional<EndingSignals> left_out;
    if (checkpoints_ != nullptr && !takes_part()) left_out.emplace();
    progress_.slowdown = 0;
    if (takes_part()) text = run_as_member(recorded);
    // Left-out ranks sleep until the verdict.
    verdict = told(progress_.signal != 0 ? -progress_.signal : progress_.slowdown);
    if (verdict < 0) EndingSignals::keep_catching();
    if (verdict > 0) come_back(verdict, recorded);
  } while (verdict > 0);
  text = text_from(session_.communicator(), arrangement_->members.front(), std::move(text));
  if (verdict < 0) throw AgreedError(text);
  RunReport report = run_report_from_json(Json::parse(text));
  std::vector<std::int64_t> passes;
  for (const LoopReport& loop : report.loops) passes.push_back(loop.passes);
  newest_ = after_run(body_.declared, *newest_, passes);
  tell_numbers();
  const auto changed = [](const LoopReport& loop) { return loop.changes > 0; };
  if (arrangement_->ranks() < session_.ranks() && std::any_of(report.loops.begin(), report.loops.end(), changed)) {
    tell_shares(*arrangement_, session_.communicator());
  }
  for (const std::string& kernel : report.belied) forget_speeds_of(session_, kernel);
  write_trace();
  ran_ = true;
  return report;
}

}  // namespace tombolo
