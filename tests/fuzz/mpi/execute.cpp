#include "execute.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include <tombolo/framework/program/declare/arrangement.hpp>
#include <tombolo/framework/program/declare/newest_values.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

#include "between_runs.hpp"
#include "interpreter.hpp"

namespace tombolo::fuzz {

namespace {

bool valid(const Declaration& declared, const NewestValues& state) {
  try {
    check_values(declared, state);
    return true;
  } catch (const Error&) {
    return false;
  }
}

class Execution {
 public:
  Execution(Session& session, const AbstractProgram& abstract, const std::string& folder)
      : session_(session),
        abstract_(abstract),
        folder_(folder),
        draw_(mix(abstract.seed, 23)),
        declared_(session, abstract),
        between_(session, abstract, declared_),
        interpreter_(abstract) {}

  void all(Outcome& outcome) {
    Program& program = declared_.program();
    program.prepare();
    outcome.left_out = session_.ranks() - program.arrangement().ranks();
    for (const Division& division : program.arrangement().divisions) outcome.several_panels += division.panels() > 1;
    NewestValues state(program.declaration());
    refill(state, 85);
    for (int run = 0; run < abstract_.runs; ++run) {
      if (run > 0) again(state);
      const std::vector<std::int64_t> expected = interpreter_.run();
      const int members = program.arrangement().ranks();
      const RunReport report = program.run();
      outcome.came_back += program.arrangement().ranks() > members ? 1 : 0;
      std::vector<std::int64_t> passes;
      for (std::size_t l = 0; l < report.loops.size(); ++l) {
        passes.push_back(report.loops[l].passes);
        outcome.changes += report.loops[l].changes;
        const auto loop = static_cast<std::size_t>(declared_.loops()[l]);
        if (passes[l] != expected[loop]) {
          throw AgreedError(fmt::format("loop {} has {} passes instead of {}", loop, passes[l], expected[loop]));
        }
      }
      state = after_run(program.declaration(), state, passes);
      compare(state);
      for (std::size_t i = 0; i < abstract_.arrays.size(); ++i) {
        const Copies& copies = state.of(static_cast<int>(i));
        if (copies.combined || copies == Copies{}) continue;
        for (const std::uint64_t value : interpreter_.values(static_cast<int>(i))) {
          outcome.digest = mix(outcome.digest, value);
        }
      }
    }
    through_file(state);
  }

 private:
  void compare(const NewestValues& state) {
    agree(session_.communicator(), [&] {
      for (int i = 0; i < static_cast<int>(abstract_.arrays.size()); ++i) {
        between_.compare(i, state.of(i), interpreter_.values(i));
      }
    });
    between_.compare_counts();
  }

  void refill(NewestValues& state, int percent) {
    std::vector<std::pair<int, std::uint64_t>> filled;
    for (int i = 0; i < static_cast<int>(abstract_.arrays.size()); ++i) {
      const std::uint64_t seed = draw_.next();
      if (!draw_.chance(percent) && !(percent > 50 && ends_spending_move(i))) continue;
      filled.emplace_back(i, seed);
      interpreter_.fill(i, seed);
      state.set(i, NewestValues::filled(declared_.program().declaration().arrays[static_cast<std::size_t>(i)]));
    }
    agree(session_.communicator(), [&] {
      for (const auto& [array, seed] : filled) between_.fill(array, seed);
    });
  }

  // Before it is filled it may be the other array's memory.
  bool ends_spending_move(int array) const {
    return std::any_of(abstract_.tasks.begin(), abstract_.tasks.end(),
                       [&](const AbstractTask& task) { return task.spends && task.to == array; });
  }

  // Fills what the next run needs, or, now and then, less than that.
  void again(NewestValues& state) {
    refill(state, 40);
    compare(state);
    if (valid(declared_.program().declaration(), state)) return;
    std::string words;
    try {
      declared_.program().run();
    } catch (const AgreedError& error) {
      words = error.what();
    }
    if (words.empty()) throw AgreedError("a run that reads what is not up to date is not refused");
    refill(state, 100);
  }

  // From one array to another of its size, of which both have elements that files can have.
  void through_file(NewestValues& state) {
    const int from = static_cast<int>(draw_.below(static_cast<std::int64_t>(abstract_.arrays.size())));
    const AbstractArray& one = abstract_.array(from);
    const Copies& copies = state.of(from);
    if (one.type != Type::f64 || one.op != Op::none || copies.combined || copies == Copies{}) return;
    const std::string path = folder_ + "/values.npy";
    between_.write(from, path);
    for (int to = 0; to < static_cast<int>(abstract_.arrays.size()); ++to) {
      const AbstractArray& other = abstract_.array(to);
      const bool alike = other.rows() == one.rows() && other.columns() == one.columns();
      if (!alike || other.type != Type::f64 || other.op != Op::none) continue;
      between_.read(to, path);
      interpreter_.copy(from, to);
      state.set(to, NewestValues::filled(declared_.program().declaration().arrays[static_cast<std::size_t>(to)]));
    }
    compare(state);
  }

  Session& session_;
  const AbstractProgram& abstract_;
  const std::string& folder_;
  Draw draw_;
  Declared declared_;
  BetweenRuns between_;
  Interpreter interpreter_;
};

}  // namespace

Outcome execute(Session& session, const AbstractProgram& program, const std::string& folder) {
  Outcome outcome;
  try {
    Execution(session, program, folder).all(outcome);
  } catch (const AgreedError& error) {
    outcome.failure = error.what();
  }
  return outcome;
}

Outcome execute_refused(Session& session, const AbstractProgram& program) {
  std::optional<Declared> declared;
  try {
    declared.emplace(session, program);
  } catch (const Error&) {
    return {};  // on all ranks alike
  }
  std::string words;
  try {
    declared->program().plan();
  } catch (const AgreedError& error) {
    words = error.what();
  }
  Outcome outcome;
  if (words.empty()) outcome.failure = "what check() refuses is planned";
  if (words.find('\n') != std::string::npos) outcome.failure = "refused in several lines: " + words;
  return outcome;
}

}  // namespace tombolo::fuzz
