// Makes up programs and compares what they compute on the ranks that there are with what an interpreter does that knows
// of no ranks. What is printed is the same on any number of ranks.
#include <algorithm>
#include <array>
#include <csignal>
#include <string>

#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <tombolo/command_line.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

#include "declared.hpp"
#include "execute.hpp"
#include "generator.hpp"

namespace {

using namespace tombolo;
using namespace tombolo::fuzz;

constexpr unsigned limit_s = 60;  // of one program

struct Options {
  std::uint64_t seed = 1;
  std::int64_t programs = 100;
  double seconds = 0;
  bool each = false;
};

// Composed before: a signal handler may not.
std::array<char, 80> last_words{};

void on_signal(int number) {
  [[maybe_unused]] const auto written =
      write(STDERR_FILENO, last_words.data(), std::char_traits<char>::length(last_words.data()));
  (void)std::signal(number, SIG_DFL);
  (void)std::raise(number);
}

// From now on; 0: no longer. Of a simulation the time on processors, as SimGrid finds ranks that wait in vain.
void limit(unsigned seconds) {
  if (!machine::simulated()) return static_cast<void>(alarm(seconds));
  const itimerval time{{0, 0}, {static_cast<time_t>(seconds), 0}};
  setitimer(ITIMER_PROF, &time, nullptr);
}

class Fuzzer {
 public:
  Fuzzer(Session& session, const Options& options) : session_(session), options_(options) {
    int process = static_cast<int>(getpid());
    check_mpi(MPI_Bcast(&process, 1, MPI_INT, 0, session.communicator()), "MPI_Bcast");
    folder_ = fmt::format("{}/fuzz_programs.{}", std::filesystem::temp_directory_path().string(), process);
    if (session.rank() == 0) std::filesystem::create_directories(folder_);
  }
  ~Fuzzer() {
    std::error_code ignored;
    if (session_.rank() == 0) std::filesystem::remove_all(folder_, ignored);
  }
  Fuzzer(const Fuzzer&) = delete;
  Fuzzer& operator=(const Fuzzer&) = delete;

  void run() {
    const double begin = MPI_Wtime();
    for (std::int64_t i = 0; i < options_.programs; ++i) {
      int over = options_.seconds > 0 && MPI_Wtime() - begin > options_.seconds ? 1 : 0;
      check_mpi(MPI_Bcast(&over, 1, MPI_INT, 0, session_.communicator()), "MPI_Bcast");
      if (over != 0) break;
      one(options_.seed + static_cast<std::uint64_t>(i));
      ++programs_;
    }
    if (session_.rank() == 0) {
      fmt::print("programs {} right {} falsified: refused {} right {} digest {:016x}\n", programs_, right_, refused_,
                 still_right_, digest_);
      fmt::print(stderr, "programs with ranks left out {}, that came back {}, with panels {}; changes of shares {}\n",
                 left_out_, came_back_, panels_, changes_);
    }
    if (failed_ > 0) throw AgreedError(fmt::format("{} programs went wrong; they are listed above", failed_));
  }

 private:
  void one(std::uint64_t seed) {
    limit(limit_s);
    const auto accepts = [this](const AbstractProgram& program) { return accepted(session_, program); };
    const AbstractProgram program = generate(seed, accepts);
    say(program, "");
    Outcome outcome = execute(session_, program, folder_);
    judge(program, outcome, "right program");
    right_ += outcome.failure.empty() ? 1 : 0;
    Draw draw(mix(seed, 99));
    for (int i = 0; i < 3; ++i) {
      const AbstractProgram mutant = falsified(program, draw);
      const bool valid = accepted(session_, mutant);
      say(mutant, valid ? "falsified " : "refused ");
      digest_ = mix(digest_, valid ? 1 : 0);
      outcome = valid ? execute(session_, mutant, folder_) : execute_refused(session_, mutant);
      judge(mutant, outcome, valid ? "falsified and accepted" : "falsified and refused");
      (valid ? still_right_ : refused_) += 1;
    }
    limit(0);
  }

  void say(const AbstractProgram& program, const char* what) {
    const auto end = fmt::format_to_n(last_words.data(), last_words.size() - 1, "fuzz_programs: died or hung in {}{}\n",
                                      what, program.seed);
    *end.out = '\0';
    if (options_.each && session_.rank() == 0) fmt::print(stderr, "{}{}", what, to_text(program));
  }

  void judge(const AbstractProgram& program, const Outcome& outcome, const char* what) {
    digest_ = mix(digest_, outcome.digest);
    left_out_ += outcome.left_out > 0 ? 1 : 0;
    came_back_ += outcome.came_back > 0 ? 1 : 0;
    panels_ += outcome.several_panels > 0 ? 1 : 0;
    changes_ += outcome.changes;
    if (outcome.failure.empty()) return;
    ++failed_;
    const AbstractProgram small = reduced(program);
    if (session_.rank() == 0) fmt::print("{}: {}\n{}\n", what, outcome.failure, to_text(small));
  }

  // Without what does not matter for the failure.
  AbstractProgram reduced(AbstractProgram program) {
    const auto still_fails = [this](const AbstractProgram& less) {
      return accepted(session_, less) && !execute(session_, less, folder_).failure.empty();
    };
    for (bool smaller = true; smaller;) {
      smaller = false;
      for (std::size_t task = program.tasks.size(); task-- > 0;) {
        AbstractProgram less = program;
        less.tasks.erase(less.tasks.begin() + static_cast<std::ptrdiff_t>(task));
        if (!still_fails(less)) continue;
        program = less;
        smaller = true;
      }
    }
    return program;
  }

  Session& session_;
  const Options& options_;
  std::string folder_;
  std::int64_t programs_ = 0;
  std::int64_t right_ = 0;
  std::int64_t refused_ = 0;
  std::int64_t still_right_ = 0;
  std::int64_t failed_ = 0;
  std::int64_t left_out_ = 0;
  std::int64_t came_back_ = 0;
  std::int64_t panels_ = 0;
  std::int64_t changes_ = 0;
  std::uint64_t digest_ = 0;
};

}  // namespace

int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape): only options that clash would throw here
  Options options;
  CLI::App app("Programs made up from seeds, compared with an interpreter that knows of no ranks", "fuzz_programs");
  app.add_option("--seed", options.seed, "Of the first program; the next ones follow")->capture_default_str();
  app.add_option("--programs", options.programs, "At most so many")->capture_default_str();
  app.add_option("--seconds", options.seconds, "Ends after that; 0: never");
  app.add_flag("--each", options.each, "Lists every program before it runs");
  for (const int fatal : {SIGALRM, SIGPROF, SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) (void)std::signal(fatal, on_signal);
  return tombolo::run_main(argc, argv, app, [&](tombolo::Session& session) { Fuzzer(session, options).run(); });
}
