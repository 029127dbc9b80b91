// The main program of every test that runs under mpiexec: Catch2 on all ranks, one verdict.
//
// Rank 0 reports as usual. The other ranks keep their report to themselves unless a test case fails on them; then it is
// printed with the rank in front. After each test case the ranks agree on the verdict. A rank that failed where others
// did not may have left them waiting in a collective: if they do not turn up soon, it ends the run. So does a test case
// that takes far too long, and a rank that dies; both say which test case it was.

#define CATCH_CONFIG_RUNNER
#define CATCH_CONFIG_NOSTDOUT          // Catch::cout() and its sisters are defined below
#define CATCH_CONFIG_NO_POSIX_SIGNALS  // the handler below ends the run; reporting from a handler would call MPI
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <iostream>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>
#include <mpi.h>
#include <sys/time.h>
#include <unistd.h>

#include "support/sanitized.hpp"

namespace {

constexpr std::chrono::seconds patience{5};  // of a rank that failed, for the others
constexpr unsigned test_case_limit_s = 60;   // of anyone, for one test case
constexpr int status_failed = 1;

struct World {
  int rank = 0;
  int size = 1;
  MPI_Comm comm = MPI_COMM_NULL;  // of its own, so that verdicts never meet the messages of tests
};

World world;
std::ostringstream kept_report;  // of ranks other than 0

// What to say when the run ends at once, made before it is needed: a signal handler may not compose text.
std::array<char, 512> last_words{};
std::size_t last_words_size = 0;

void prepare_last_words(const std::string& test_case) {
  const std::string text = "rank " + std::to_string(world.rank) + ": died or took more than " +
                           std::to_string(test_case_limit_s) + " s in the test case: " + test_case + "\n";
  last_words_size = std::min(text.size(), last_words.size());
  std::copy_n(text.begin(), last_words_size, last_words.begin());
}

void on_signal(int signal_number) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, last_words.data(), last_words_size);
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);  // mpiexec ends the other ranks
}

// From now on; 0: no longer. Simulated ranks are one process: its time on processors counts, as ranks that wait for
// each other in vain are SimGrid's to find.
void limit_test_case(unsigned seconds) {
#ifdef TOMBOLO_TESTS_ARE_SIMULATED
  const itimerval limit{{0, 0}, {static_cast<time_t>(seconds), 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
#else
  alarm(seconds);
#endif
}

void install_signal_handlers() {
  for (const int limit : {SIGALRM, SIGPROF}) std::signal(limit, on_signal);
  if (tombolo::test::sanitized()) return;  // the sanitizer's own handlers say more
  for (const int fatal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(fatal, on_signal);
}

void print_kept_report() {
  std::istringstream lines(kept_report.str());
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) text += "[rank " + std::to_string(world.rank) + "] " + line + '\n';
  }
  std::cout << text << std::flush;
}

// On how many ranks the test case failed, the same on all of them.
int count_failures(bool failed_here) {
  const int mine = failed_here ? 1 : 0;
  int all = 0;
  int arrived = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_SUM, world.comm, &request);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    if (arrived) return all;
    if (failed_here && std::chrono::steady_clock::now() > deadline) {
      std::cout << "[rank " << world.rank << "] failed, and other ranks still wait in this test case: the run ends here"
                << std::endl;
      MPI_Abort(MPI_COMM_WORLD, status_failed);
    }
  }
}

class AgreeOnVerdict : public Catch::TestEventListenerBase {
 public:
  using TestEventListenerBase::TestEventListenerBase;

  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    TestEventListenerBase::testCaseStarting(info);
    prepare_last_words(info.name);
    limit_test_case(test_case_limit_s);
  }

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    TestEventListenerBase::testCaseEnded(stats);
    const bool failed_here = stats.totals.assertions.failed > 0;
    if (world.rank > 0) {
      if (failed_here) print_kept_report();
      kept_report.str({});
    }
    const int failures = count_failures(failed_here);
    limit_test_case(0);
    if (world.rank == 0 && failures > 0) {
      std::cout << stats.testInfo.name << ": failed on " << failures << " of " << world.size << " ranks" << std::endl;
    }
  }
};

CATCH_REGISTER_LISTENER(AgreeOnVerdict)

}  // namespace

namespace Catch {
std::ostream& cout() {
  return world.rank == 0 ? std::cout : kept_report;
}
std::ostream& cerr() {
  return world.rank == 0 ? std::cerr : kept_report;
}
std::ostream& clog() {
  return world.rank == 0 ? std::clog : kept_report;
}
}  // namespace Catch

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_dup(MPI_COMM_WORLD, &world.comm);
  MPI_Comm_rank(world.comm, &world.rank);
  MPI_Comm_size(world.comm, &world.size);
  install_signal_handlers();

  int status = Catch::Session().run(argc, argv);
  MPI_Allreduce(MPI_IN_PLACE, &status, 1, MPI_INT, MPI_MAX, world.comm);
  if (status != 0 && world.rank == 0) std::cout << "Failed with " << world.size << " ranks." << std::endl;

  MPI_Comm_free(&world.comm);
  MPI_Finalize();
  return status == 0 ? 0 : status_failed;
}
