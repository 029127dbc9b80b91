#include <chrono>
#include <cstdio>
#include <thread>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tombolo/platform/system/standard_streams.hpp>

namespace tombolo {

namespace {

bool waits_to_be_read(int stream) {
  struct stat status {};
  int bytes = 0;
  return ::fstat(stream, &status) == 0 && S_ISFIFO(status.st_mode) && ::ioctl(stream, FIONREAD, &bytes) == 0 &&
         bytes > 0;
}

}  // namespace

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // open() returns the lowest free descriptor. The access mode is the opposite of the stream's, so its use fails.
    if (::fcntl(stream, F_GETFD) < 0) (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void say(std::string_view text) {
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
  (void)std::fflush(stderr);
}

void let_be_read() {
  constexpr std::chrono::milliseconds pause(1);
  constexpr int most_pauses = 1000;
  (void)std::fflush(stdout);
  for (int i = 0; i < most_pauses && (waits_to_be_read(STDOUT_FILENO) || waits_to_be_read(STDERR_FILENO)); ++i) {
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace tombolo
