// How a program runs: Program::run().
#include <algorithm>
#include <exception>
#include <map>

#include <fmt/format.h>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/program.hpp>
#include <tombolo/framework/mpi/program/adaptation.hpp>
#include <tombolo/framework/mpi/program/fail.hpp>
#include <tombolo/framework/mpi/program/runner.hpp>
#include <tombolo/framework/mpi/progress_line.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/text_from.hpp>

namespace tombolo {

namespace {

constexpr int end_tag = 3;

/// What the line on the terminal says, not more than a few times a second.
class Line {
 public:
  Line(const Session& session, const Declaration& program, bool wanted)
      : line_(session), program_(program), wanted_(wanted) {}

  void section(const Section& section) { say(program_.tasks[static_cast<std::size_t>(section.first)].name, true); }
  void pass(int loop, std::int64_t passes) {
    if (!wanted_ || !line_.shown()) return;
    const DeclaredLoop& of = program_.loops[static_cast<std::size_t>(loop)];
    say(fmt::format("{} {} of at most {}", of.name, passes, of.most), false);
  }

 private:
  void say(const std::string& what, bool now) {
    constexpr double between = 0.2;  // s
    if (!wanted_ || !line_.shown() || (!now && MPI_Wtime() - last_ < between)) return;
    last_ = MPI_Wtime();
    line_.show(program_.name + ": " + what);
  }

  ProgressLine line_;
  const Declaration& program_;
  bool wanted_;
  double last_ = 0;
};

// From the first member to the others: whether it is enough.
bool agreed(Collectives& collectives, const std::function<bool()>& enough, bool phantom) {
  int verdict = collectives.rank() == 0 && !phantom && enough() ? 1 : 0;
  collectives.bcast(&verdict, 1, MPI_INT, 0);
  return verdict != 0;
}

}  // namespace

// A rank that leaves by an exception would wait for its own collectives first, and they for it.
std::string Program::attempt(const std::function<void()>& work) const {
  try {
    work();
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "failed without a reason";
  }
  return {};
}

Recorded Program::run_here() {
  const bool native = options_.collectives == Session::Kind::native;
  Costs costs(body_.declared, *arrangement_, speeds_, *planner_, native);
  Transfers transfers(body_, *arrangement_, member_, *collectives_, costs, session_);
  Recorder recorder(members_, body_.declared.tasks.size(), !options_.trace.empty());
  Runner runner(body_, *arrangement_, member_, members_, *collectives_, transfers, recorder, session_, costs);
  Line line(session_, body_.declared, options_.progress);
  const std::vector<Section> sections = sections_of(body_.declared);
  std::vector<std::vector<Action>> actions;
  for (const Section& section : sections) {
    actions.push_back(actions_of(body_.declared, *arrangement_, section.first, section.end));
    // Plans are made before the clock starts.
    for (const Action& action : actions.back()) transfers.prepare(action);
  }
  std::vector<std::int64_t> passes(body_.declared.loops.size(), 0);
  std::vector<std::int64_t> changes = passes;
  recorder.start();
  // Ended from in here: to leave the runner is to wait for the collectives that are under way.
  const std::string failed = attempt([&] {
    for (std::size_t s = 0; s < sections.size(); ++s) {
      const Section& section = sections[s];
      line.section(section);
      if (section.loop == DeclaredTask::none) {
        runner.pass(section, actions[s]);
        continue;
      }
      const auto loop = static_cast<std::size_t>(section.loop);
      const std::function<bool()>& enough = body_.stops[loop];
      std::optional<Adaptation> adaptation;
      if (options_.adapt) {
        adaptation.emplace(body_, *arrangement_, member_, members_, *collectives_, *planner_, transfers, recorder,
                           session_, section.loop);
      }
      while (passes[loop] < body_.declared.loops[loop].most) {
        runner.pass(section, actions[s]);
        line.pass(section.loop, ++passes[loop]);
        if (enough && agreed(*collectives_, enough, session_.phantom())) break;
        if (adaptation && passes[loop] < body_.declared.loops[loop].most) adaptation->after(passes[loop]);
      }
      if (adaptation) changes[loop] = adaptation->changes();
    }
  });
  if (!failed.empty()) fail(session_, body_.declared.name, failed);
  Recorded recorded = recorder.finish();
  recorded.passes = passes;
  recorded.changes = changes;
  done_ = recorder.done();
  return recorded;
}

RunReport Program::report_of(const Recorded& recorded) const {
  RunReport report = expected_;
  report.ran = true;
  report.seconds = recorded.seconds;
  for (std::size_t l = 0; l < report.loops.size(); ++l) {
    report.loops[l].passes = recorded.passes[l];
    report.loops[l].changes = recorded.changes[l];
  }
  report.predicted_s = 0;
  report.bound_s = 0;
  for (std::size_t t = 0; t < report.tasks.size(); ++t) {
    TaskReport& task = report.tasks[t];
    const int loop = body_.declared.tasks[t].loop;
    if (loop != DeclaredTask::none) {
      const auto l = static_cast<std::size_t>(loop);
      const auto expected = static_cast<double>(std::max<std::int64_t>(expected_.loops[l].passes, 1));
      const double times = static_cast<double>(recorded.passes[l]) / expected;
      task.predicted_s *= times;
      task.bound_s *= times;
    }
    task.seconds = recorded.added[t];
    report.predicted_s += task.predicted_s;
  }
  report.bound_s = bound_of(body_.declared, report);
  const std::vector<double> computing = computing_seconds(body_.declared, *arrangement_, speeds_, recorded.passes);
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

RunReport Program::run() {
  prepare();
  std::string text;
  if (takes_part()) {
    const std::string failed = attempt([&] {
      const Recorded recorded = run_here();
      if (member_ == 0) text = to_json(report_of(recorded)).dump();
    });
    if (!failed.empty()) fail(session_, body_.declared.name, failed);
  }
  // Those who were left out sleep until it is over.
  const Rank first = arrangement_->members.front();
  if (!takes_part()) {
    MPI_Request over = MPI_REQUEST_NULL;
    check_mpi(MPI_Irecv(nullptr, 0, MPI_BYTE, first, end_tag, session_.communicator(), &over), "MPI_Irecv");
    machine::wait_asleep(over);
  } else if (member_ == 0) {
    for (Rank rank = 0; rank < session_.ranks(); ++rank) {
      if (arrangement_->member(rank) >= 0) continue;
      check_mpi(MPI_Send(nullptr, 0, MPI_BYTE, rank, end_tag, session_.communicator()), "MPI_Send");
    }
  }
  RunReport report =
      run_report_from_json(nlohmann::ordered_json::parse(text_from(session_.communicator(), first, std::move(text))));
  write_trace();
  return report;
}

}  // namespace tombolo
