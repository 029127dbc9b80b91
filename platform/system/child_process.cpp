#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tombolo/platform/system/child_process.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

[[noreturn]] void cannot_run(const std::string& program, int errno_value, const std::string& remedy) {
  throw Error(fmt::format("cannot run {}: {}", printable(program), std::generic_category().message(errno_value)),
              remedy);
}

/// A file in memory: a standard stream of the child, of which nobody waits for the other.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view text = {})
      : descriptor_(::memfd_create("stream", MFD_CLOEXEC)), file_(descriptor_, "a file in memory") {
    if (descriptor_ < 0) throw_file_error("make", "a file in memory", errno);
    file_.write_at(text.data(), static_cast<Bytes>(text.size()), 0);
  }

  int descriptor() const { return descriptor_; }
  std::string text() const {
    std::string text(static_cast<std::size_t>(file_.size()), '\0');
    file_.read_at(text.data(), file_.size(), 0);
    return text;
  }

 private:
  int descriptor_;
  PosixFile file_;
};

}  // namespace

Ended run_program(const std::vector<std::string>& words, std::string_view input, const std::string& remedy) {
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::array<MemoryFile, 3> streams{MemoryFile(input), MemoryFile(), MemoryFile()};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 3; ++i) {
    posix_spawn_file_actions_adddup2(&actions, streams.at(static_cast<std::size_t>(i)).descriptor(), i);
  }
  pid_t child = 0;
  const int failure = posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure == ENOENT) throw Error(fmt::format("there is no program {}", printable(words.front())), remedy);
  if (failure != 0) cannot_run(words.front(), failure, remedy);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) cannot_run(words.front(), errno, "try again");
  }
  constexpr int by_signal = 128;
  return {.status = WIFEXITED(status) ? WEXITSTATUS(status) : by_signal + WTERMSIG(status),
          .out = streams[1].text(),
          .err = streams[2].text()};
}

}  // namespace tombolo
