#include <csignal>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <tombolo/platform/system/atomic_file.hpp>

#include "support/files.hpp"

using namespace test_files;
using Catch::Matchers::Contains;
using tombolo::AtomicFile;
using tombolo::check_writable;
using tombolo::write_text;
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

/// Both the early check and the writer refuse the target with the same words, and leave nothing beside it.
std::string refused(const fs::path& target) {
  std::string early = error_of(target, [&] { check_writable(target); });
  CHECK(early == error_of(target, [&] { const AtomicFile file(target); }));
  return early;
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
  check_writable(target);
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

TEST_CASE("atomic file: permissions and links of an old file are kept") {
  const TemporaryFolder folder;
  const fs::path target = put(folder / "c.txt", "old");
  fs::permissions(target, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_directory(folder / "links");
  fs::create_symlink("../c.txt", folder / "links/c.txt");
  write_text(folder / "links/c.txt", "new");
  CHECK(fs::is_symlink(folder / "links/c.txt"));
  CHECK(get(target) == "new");
  CHECK(fs::status(target).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("atomic file: a relative name and a long one") {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  write_text("c.txt", "new");
  std::string longest(251, 'x');
  longest += ".txt";
  write_text(longest, "new");
  CHECK_THAT(refused("x" + longest), Contains("name too long"));
  fs::current_path(before);
  CHECK(fs::exists(folder / "c.txt"));
  CHECK(fs::exists(folder / longest));
}

TEST_CASE("atomic file: targets that cannot be written are refused before any work") {
  const TemporaryFolder folder;
  CHECK_THAT(refused(folder / "none/c.txt"), Contains("does not exist") && Contains("mkdir -p"));
  CHECK_THAT(refused(folder.path()), Contains("a directory"));
  CHECK_THAT(refused(folder / "c/"), Contains("a directory"));
  CHECK_THAT(refused(put(folder / "file", "") / "c.txt"), Contains("Not a directory"));
  CHECK_THAT(refused("/dev/null"), Contains("a device"));
  CHECK(folder.files() == 1);
}

TEST_CASE("atomic file: folders and files without permission") {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_all | fs::perms::others_exec | fs::perms::others_read);
  const fs::path guarded = put(folder / "guarded.txt", "old");
  fs::permissions(guarded, fs::perms::owner_read);
  const fs::path locked = folder / "locked";
  fs::create_directory(locked);
  fs::permissions(locked, fs::perms::owner_read | fs::perms::owner_exec);
  const fs::path closed = folder / "closed";
  fs::create_directory(closed);
  fs::permissions(closed, fs::perms::none);
  std::vector<std::string> messages;
  {
    const Unprivileged user;
    for (const fs::path& target : {guarded, locked / "c.txt", closed / "c.txt"}) messages.push_back(refused(target));
  }
  fs::permissions(locked, fs::perms::owner_all);
  fs::permissions(closed, fs::perms::owner_all);
  for (const std::string& message : messages) CHECK_THAT(message, Contains("Permission denied"));
}

TEST_CASE("atomic file: a disk that is too small") {
  const TemporaryFolder folder;
  const fs::path target = folder / "c.txt";
  const tombolo::Bytes exabyte = tombolo::Bytes{1} << 60;
  CHECK_THAT(error_of(target, [&] { check_writable(target, exabyte); }), Contains(std::to_string(exabyte)));

  std::string message;
  {
    const FileSizeLimit small(1000);
    message = error_of(target, [&] { write_text(target, std::string(8000, 'x')); });
  }
  CHECK_THAT(message, Contains("c.txt: File too large") && Contains("ulimit"));
  CHECK(folder.files() == 0);
}

TEST_CASE("atomic file: one that stays is gone on with, or begun anew") {
  using Begin = AtomicFile::Begin;
  const TemporaryFolder folder;
  const fs::path target = folder / "a.txt";
  const fs::path partial = tombolo::partial_of(target);
  CHECK(partial == folder / "a.txt.partial");
  { AtomicFile(target, Begin::anew).append("0123456789", 10); }
  CHECK(get(partial) == "0123456789");
  { AtomicFile(target, Begin::with_what_is_left).append("ab", 2); }
  CHECK(get(partial) == "ab23456789");
  { AtomicFile(target, Begin::anew).append("xy", 2); }
  CHECK(get(partial) == "xy");
  CHECK_FALSE(fs::exists(target));
  AtomicFile(target, Begin::with_what_is_left).commit();
  CHECK(get(target) == "xy");
  CHECK_FALSE(fs::exists(partial));
}

TEST_CASE("atomic file: one that stays has one writer") {
  using Begin = AtomicFile::Begin;
  const TemporaryFolder folder;
  const fs::path target = folder / "a.txt";
  {
    const AtomicFile first(target, Begin::anew);
    CHECK_THAT(error_of(target, [&] { const AtomicFile second(target, Begin::with_what_is_left); }),
               Contains("a.txt.partial: another run writes it; wait"));
  }
  fs::remove(tombolo::partial_of(target));
  fs::create_directory(tombolo::partial_of(target));
  CHECK_FALSE(error_of(target, [&] { const AtomicFile file(target, Begin::anew); }).empty());
  fs::remove(tombolo::partial_of(target));
  fs::create_symlink(folder / "elsewhere", tombolo::partial_of(target));
  CHECK_FALSE(error_of(target, [&] { const AtomicFile file(target, Begin::anew); }).empty());
  CHECK_FALSE(fs::exists(folder / "elsewhere"));
}
