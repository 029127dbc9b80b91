#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tombolo/platform/error.hpp>
#include <tombolo/platform/system/child_process.hpp>

namespace tombolo {

namespace {

[[noreturn]] void cannot(const char* what, int errno_value, const std::string& remedy) {
  throw Error(fmt::format("cannot {}: {}", what, std::generic_category().message(errno_value)), remedy);
}

/// The two ends of a stream, closed by the destructor.
class Stream {
 public:
  // Sockets, not pipes: a write to an ended program is an error without a signal.
  Stream() {
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()) != 0) {
      cannot("make a pipe", errno, "raise the limit on open files (ulimit -n)");
    }
  }
  ~Stream() {
    close(0);
    close(1);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  int end(std::size_t i) const { return ends_.at(i); }
  bool open(std::size_t i) const { return ends_.at(i) >= 0; }
  void close(std::size_t i) {
    if (ends_.at(i) >= 0) ::close(ends_.at(i));
    ends_.at(i) = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

pid_t start(const std::vector<std::string>& words, const std::array<Stream, 3>& streams, const std::string& remedy) {
  std::vector<char*> arguments;
  std::vector<std::string> copies = words;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 3; ++i) {
    posix_spawn_file_actions_adddup2(&actions, streams.at(static_cast<std::size_t>(i)).end(1), i);
  }
  pid_t child = 0;
  const int failure = posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure == ENOENT) throw Error(fmt::format("there is no program {}", words.front()), remedy);
  if (failure != 0) cannot(fmt::format("run {}", words.front()).c_str(), failure, remedy);
  return child;
}

// Appends available data to `text`; closes a stream at its end.
void take(Stream& stream, std::string& text) {
  std::array<char, 65536> buffer{};
  const ssize_t got = ::read(stream.end(0), buffer.data(), buffer.size());
  if (got > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  } else if (got == 0 || errno != EINTR) {
    stream.close(0);
  }
}

// Sends input. Input that the program does not read is no error here; its exit status tells.
void give(Stream& stream, std::string_view& input) {
  const ssize_t done = ::send(stream.end(0), input.data(), input.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (done >= 0) input.remove_prefix(static_cast<std::size_t>(done));
  const bool failed = done < 0 && errno != EAGAIN && errno != EINTR;
  if (failed || input.empty()) stream.close(0);
}

void exchange(std::array<Stream, 3>& streams, std::string_view input, Ended& ended) {
  while (streams[0].open(0) || streams[1].open(0) || streams[2].open(0)) {
    std::array<pollfd, 3> waits{};
    for (std::size_t i = 0; i < 3; ++i) {
      waits.at(i) = {.fd = streams.at(i).end(0), .events = static_cast<short>(i == 0 ? POLLOUT : POLLIN), .revents = 0};
    }
    if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) cannot("wait for a program", errno, "try again");
    if (waits[0].revents != 0) give(streams[0], input);
    if (waits[1].revents != 0) take(streams[1], ended.out);
    if (waits[2].revents != 0) take(streams[2], ended.err);
  }
}

}  // namespace

Ended run_program(const std::vector<std::string>& words, std::string_view input, const std::string& remedy) {
  std::array<Stream, 3> streams;  // stdin, stdout and stderr of the child: end 0 is ours, end 1 the child's
  const pid_t child = start(words, streams, remedy);
  for (Stream& stream : streams) stream.close(1);
  Ended ended;
  exchange(streams, input, ended);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) cannot("wait for a program", errno, "try again");
  }
  constexpr int by_signal = 128;
  ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : by_signal + WTERMSIG(status);
  return ended;
}

}  // namespace tombolo
