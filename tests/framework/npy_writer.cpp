#include <csignal>

#include <catch2/catch.hpp>
#include <sys/resource.h>

#include <tombolo/framework/npy.hpp>
#include <tombolo/framework/npy_writer.hpp>

#include "npy_files.hpp"

using namespace npy_files;
using Catch::Matchers::Contains;
using tombolo::check_writable;
using tombolo::ElementType;
using tombolo::NpyWriter;

namespace {

const std::vector<double> six{1, 2, 3, 4, 5, 6};

/// Both the early check and the writer refuse the target with the same words, and leave nothing beside it.
std::string refused(const fs::path& target) {
  std::string early = error_of(target, [&] { check_writable(target); });
  CHECK(early == error_of(target, [&] { NpyWriter(target, ElementType::float64, {2, 3}); }));
  return early;
}

}  // namespace

TEST_CASE("npy writer: the file stands under its name after commit, not before") {
  const TemporaryFolder folder;
  const fs::path target = folder / "c.npy";
  {
    NpyWriter writer(target, ElementType::float64, {2, 3});
    writer.append_rows(six.data(), 1);
    writer.append_rows(six.data() + 3, 1);
    CHECK_FALSE(fs::exists(target));
    CHECK(folder.files() == 1);
    writer.commit();
    CHECK(fs::exists(target));
  }
  CHECK(folder.files() == 1);
  CHECK(get(target) == tombolo::npy_header_bytes(ElementType::float64, {2, 3}) + bytes_of(six));
}

TEST_CASE("npy writer: without commit nothing is left, and an old file stays") {
  const TemporaryFolder folder;
  const fs::path target = folder / "c.npy";
  {
    NpyWriter writer(target, ElementType::float64, {2, 3});
    writer.append_rows(six.data(), 2);
  }
  CHECK(folder.files() == 0);
  put(target, "old");
  {
    NpyWriter writer(target, ElementType::float64, {2, 3});
    writer.append_rows(six.data(), 1);
    CHECK(get(target) == "old");
  }
  CHECK(get(target) == "old");
  check_writable(target);
  CHECK(get(target) == "old");
  CHECK(folder.files() == 1);
}

TEST_CASE("npy writer: misuse is told") {
  const TemporaryFolder folder;
  NpyWriter writer(folder / "c.npy", ElementType::float64, {2, 3});
  const std::vector<float> single(3);
  CHECK_THROWS_AS(writer.append_rows(single.data(), 1), std::logic_error);
  CHECK_THROWS_AS(writer.append_rows(six.data(), -1), std::logic_error);
  CHECK_THROWS_AS(writer.append_rows(six.data(), 3), std::logic_error);
  writer.append_rows(six.data(), 1);
  CHECK_THROWS_AS(writer.commit(), std::logic_error);
  CHECK_FALSE(fs::exists(folder / "c.npy"));
}

TEST_CASE("npy writer: two at once do not disturb each other, the last commit stands") {
  const TemporaryFolder folder;
  const fs::path target = folder / "c.npy";
  NpyWriter first(target, ElementType::float64, {2, 3});
  NpyWriter second(target, ElementType::float64, {1, 3});
  CHECK(folder.files() == 2);
  second.append_rows(six.data(), 1);
  first.append_rows(six.data(), 2);
  second.commit();
  CHECK(tombolo::read_npy_header(target).shape[0] == 1);
  first.commit();
  CHECK(tombolo::read_npy_header(target).shape[0] == 2);
  CHECK(folder.files() == 1);
}

TEST_CASE("npy writer: permissions and links of an old file are kept") {
  const TemporaryFolder folder;
  const fs::path target = put(folder / "c.npy", "old");
  fs::permissions(target, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_directory(folder / "links");
  fs::create_symlink("../c.npy", folder / "links/c.npy");
  tombolo::write_npy_matrix(folder / "links/c.npy", {2, 3}, six.data());
  CHECK(fs::is_symlink(folder / "links/c.npy"));
  CHECK(tombolo::read_npy_header(target).elements() == 6);
  CHECK(fs::status(target).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("npy writer: a relative name and a long one") {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  tombolo::write_npy_matrix("c.npy", {2, 3}, six.data());
  std::string longest(251, 'x');
  longest += ".npy";
  tombolo::write_npy_matrix(longest, {2, 3}, six.data());
  CHECK_THAT(refused("x" + longest), Contains("name too long"));
  fs::current_path(before);
  CHECK(fs::exists(folder / "c.npy"));
  CHECK(fs::exists(folder / longest));
}

TEST_CASE("npy writer: targets that cannot be written are refused before any work") {
  const TemporaryFolder folder;
  CHECK_THAT(refused(folder / "none/c.npy"), Contains("does not exist") && Contains("mkdir -p"));
  CHECK_THAT(refused(folder.path()), Contains("a directory"));
  CHECK_THAT(refused(folder / "c/"), Contains("a directory"));
  CHECK_THAT(refused(put(folder / "file", "") / "c.npy"), Contains("Not a directory"));
  CHECK_THAT(refused("/dev/null"), Contains("a device"));
  CHECK(folder.files() == 1);
}

TEST_CASE("npy writer: folders and files without permission") {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_all | fs::perms::others_exec | fs::perms::others_read);
  const fs::path guarded = put(folder / "guarded.npy", "old");
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
    for (const fs::path& target : {guarded, locked / "c.npy", closed / "c.npy"}) messages.push_back(refused(target));
  }
  fs::permissions(locked, fs::perms::owner_all);
  fs::permissions(closed, fs::perms::owner_all);
  for (const std::string& message : messages) CHECK_THAT(message, Contains("Permission denied"));
}

TEST_CASE("npy writer: a disk that is too small") {
  const TemporaryFolder folder;
  const fs::path target = folder / "c.npy";
  const tombolo::Bytes exabyte = tombolo::Bytes{1} << 60;
  CHECK_THAT(error_of(target, [&] { check_writable(target, exabyte); }), Contains(std::to_string(exabyte)));

  // A limit on file sizes stands for a full disk.
  rlimit old{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &old) == 0);
  const rlimit small{1000, old.rlim_max};
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const std::vector<double> many(1000);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::string message;
  try {
    tombolo::write_npy_matrix(target, {10, 100}, many.data());
  } catch (const tombolo::Error& error) {
    message = error.what();
  }
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &old) == 0);
  std::signal(SIGXFSZ, old_handler);
  CHECK_THAT(message, Contains("c.npy: File too large") && Contains("ulimit"));
  CHECK(folder.files() == 0);
}
