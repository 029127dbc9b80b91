#include <array>
#include <atomic>
#include <csignal>

#include <tombolo/platform/system/ending_signals.hpp>

namespace tombolo {

namespace {

constexpr std::array caught{SIGTERM, SIGINT};
// The only data of the signal handler: no allocation, no lock.
std::atomic<int> has_arrived = 0;
std::array<struct sigaction, caught.size()> before;
int objects = 0;  // ranks of a simulation share the process and its one thread
bool restores = true;

extern "C" void note_signal(int signal_number) {
  has_arrived = signal_number;  // a second signal is handled by default (SA_RESETHAND)
}

}  // namespace

EndingSignals::EndingSignals() {
  if (objects++ > 0) return;
  has_arrived = 0;
  struct sigaction ours {};
  ours.sa_handler = note_signal;
  ours.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (std::size_t i = 0; i < caught.size(); ++i) ::sigaction(caught[i], &ours, restores ? &before[i] : nullptr);
  restores = true;
}

EndingSignals::~EndingSignals() {
  if (--objects > 0 || !restores) return;
  for (std::size_t i = 0; i < caught.size(); ++i) ::sigaction(caught[i], &before[i], nullptr);
}

int EndingSignals::arrived() {
  return has_arrived;
}

void EndingSignals::keep_catching() {
  restores = false;
}

}  // namespace tombolo
