// tombolo-relay: the network between the sites of an emulated grid. scripts/grid starts it.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/signalfd.h>

#include <tombolo/lab/relay/relay.hpp>
#include <tombolo/lab/relay/tap.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

constexpr Bytes largest_settings = 64L * 1024 * 1024;

/// Delays are as exact as this process is woken in time and finds its memory in place. Without, it still relays.
void become_prompt(int priority) {
  const auto complain = [](const char* what) {
    fmt::print(stderr, "tombolo-relay: {}: {}; delays will be less exact\n", what, std::strerror(errno));
  };
  if (priority == 0) return;
  if (::mlockall(MCL_CURRENT | MCL_FUTURE) != 0) complain("cannot keep its memory in place");
  sched_param wanted{};
  wanted.sched_priority = priority;
  if (::sched_setscheduler(0, SCHED_FIFO, &wanted) != 0) complain("cannot have a real-time priority");
}

/// Readable when the process is asked to end.
Descriptor asked_to_end() {
  sigset_t signals{};
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigaddset(&signals, SIGINT);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  return Descriptor(::signalfd(-1, &signals, SFD_CLOEXEC));
}

void run(const std::string& file, const std::string& socket, int priority) {
  const Descriptor stop = asked_to_end();
  const RelaySettings settings =
      relay_settings_from(read_text(file, largest_settings, "a relay's settings"), printable(file));
  LineServer control(socket);
  std::vector<Descriptor> taps;
  for (const RelaySite& site : settings.sites) taps.push_back(open_tap(site.tap));
  Relay relay(settings, std::move(taps), control);
  become_prompt(priority);
  fmt::print("ready\n");
  (void)std::fflush(stdout);
  relay.run(stop);
}

int parse_and_run(int count, char** arguments) {
  CLI::App app(
      "The network between the sites of an emulated grid: takes frames from one TAP per site, delays and shapes them, "
      "and hands them to another. scripts/grid starts it, in a network namespace of its own.",
      "tombolo-relay");
  std::string file;
  std::string socket;
  int priority = 50;
  app.add_option("settings", file, "sites, hosts and links, in JSON: lab/relay/relay_settings.hpp")->required();
  app.add_option("--control", socket, "the socket at which it takes requests: lab/relay/relay_control.hpp")->required();
  app.add_option("--priority", priority, "its real-time priority (SCHED_FIFO); 0 for none")
      ->check(CLI::Range(0, 99))
      ->capture_default_str();
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw Error(error.what(), "see tombolo-relay --help");
    return app.exit(error);  // what was asked for is said
  }
  run(file, socket, priority);
  return 0;
}

}  // namespace
}  // namespace tombolo

int main(int count, char** arguments) {
  try {
    return tombolo::parse_and_run(count, arguments);
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "tombolo-relay: %s\n", tombolo::printable(error.what()).c_str());
    return 1;
  }
}
