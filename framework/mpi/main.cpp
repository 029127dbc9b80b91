#include <csignal>
#include <cstdio>
#include <exception>

#include <fmt/format.h>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/main.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/posix_file.hpp>

namespace tombolo {

namespace {

/// What became of a run.
enum class Outcome { good, agreed_failure, failure_here };

// MPI is not called in a catch block: in simulation, ranks are coroutines of one thread.
Outcome attempt(Session& session, const std::function<void(Session&)>& program, std::string& words) {
  try {
    program(session);
    return Outcome::good;
  } catch (const AgreedError& error) {
    words = error.what();
    return Outcome::agreed_failure;
  } catch (const std::exception& error) {
    words = error.what();
    return Outcome::failure_here;
  } catch (...) {
    words = "failed without a reason";
    return Outcome::failure_here;
  }
}

}  // namespace

int run_main(int argc, char** argv, const std::string& name, const std::function<void(Session&)>& program) {
  // A file that grows beyond its limit is an error with words, not the end of the process.
  (void)std::signal(SIGXFSZ, SIG_IGN);
  Session session(argc, argv);
  std::string words;
  const Outcome outcome = attempt(session, program, words);
  if (outcome == Outcome::good) return 0;
  const bool agreed = outcome == Outcome::agreed_failure;
  if (session.rank() == 0 || !agreed) fmt::print(stderr, "{}: {}\n", name, printable(words));
  // The other ranks may be waiting for this one in a collective; only ending the run helps.
  if (!agreed) machine::abort(1);
  return 1;
}

}  // namespace tombolo
