#include <csignal>

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <tombolo/platform/system/atomic_file.hpp>

#include "support/files.hpp"

using namespace test_files;
using tombolo::AtomicFile;
using Writers = tombolo::AtomicFile::Writers;

namespace {

/// How a process ends that this signal meets while it writes. Returns the signal that ended it.
int write_until(int signal_number, const fs::path& target, Writers writers) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int fatal : {SIGINT, SIGTERM, SIGHUP}) (void)std::signal(fatal, SIG_DFL);
    AtomicFile file(target, writers);
    file.append("half", 4);
    (void)std::raise(signal_number);
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/// Whether files of this folder can do without a name.
bool nameless(const fs::path& folder) {
  return AtomicFile(folder / "any").temporary().string().starts_with("/proc/");
}

fs::path only_file(const fs::path& folder) {
  return fs::directory_iterator(folder)->path();
}

}  // namespace

TEST_CASE("atomic file: it stands under its name after commit, and takes permissions over") {
  for (const Writers writers : {Writers::this_host, Writers::all_hosts}) {
    const TemporaryFolder folder;
    const fs::path target = put(folder / "a.txt", "old");
    fs::permissions(target, fs::perms::owner_read | fs::perms::owner_write);
    AtomicFile file(target, writers);
    file.append("new", 3);
    CHECK(get(target) == "old");
    CHECK(get(file.temporary()) == "new");
    file.commit();
    CHECK(get(target) == "new");
    CHECK(folder.files() == 1);
    CHECK(fs::status(target).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  }
}

TEST_CASE("atomic file: a signal leaves nothing") {
  const TemporaryFolder folder;
  const fs::path target = put(folder / "a.txt", "old");
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    CHECK(write_until(signal_number, target, Writers::this_host) == signal_number);
    CHECK(write_until(signal_number, target, Writers::all_hosts) == signal_number);
    CHECK(folder.files() == 1);
  }
  CHECK(write_until(SIGKILL, target, Writers::this_host) == SIGKILL);
  CHECK(folder.files() == (nameless(folder.path()) ? 1 : 2));
  CHECK(get(target) == "old");
}

TEST_CASE("atomic file: what a killed process has left, the next one removes") {
  const TemporaryFolder folder;
  const fs::path target = folder / "a.txt";
  CHECK(write_until(SIGKILL, target, Writers::all_hosts) == SIGKILL);
  REQUIRE(folder.files() == 1);
  const fs::path left = only_file(folder.path());
  CHECK(get(left) == "half");
  // Not of this target, or not of such a file.
  const std::vector<std::string> others{".a.txt.1.2.0.tmp", ".a.txt.1.tmp", ".a.txt.x.0.tmp", ".b.txt.1.0.tmp",
                                        "a.txt"};
  for (const std::string& name : others) put(folder / name, "other");
  tombolo::check_writable(target);
  CHECK_FALSE(fs::exists(left));
  for (const std::string& name : others) CHECK(fs::exists(folder / name));
}

TEST_CASE("atomic file: what another one is writing stays") {
  const TemporaryFolder folder;
  const fs::path target = folder / "a.txt";
  AtomicFile first(target, Writers::all_hosts);
  first.append("first", 5);
  AtomicFile second(target, Writers::all_hosts);
  second.append("second", 6);
  CHECK(folder.files() == 2);
  first.commit();
  CHECK(get(target) == "first");
  second.commit();
  CHECK(get(target) == "second");
  CHECK(folder.files() == 1);
}
