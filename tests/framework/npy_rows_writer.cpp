#include <csignal>
#include <thread>

#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <sys/wait.h>

#include <tombolo/framework/npy.hpp>
#include <tombolo/framework/npy_rows_writer.hpp>
#include <tombolo/framework/shares.hpp>

#include "npy_files.hpp"

using namespace npy_files;
using Catch::Matchers::Contains;
using tombolo::ElementType;
using tombolo::MatrixShape;
using tombolo::NpyRowsFile;
using tombolo::write_npy_rows;

namespace {

const std::vector<double> six{1, 2, 3, 4, 5, 6};
const MatrixShape two_by_three{2, 3};

std::vector<double> numbered(std::size_t elements) {
  std::vector<double> values(elements);
  for (std::size_t i = 0; i < elements; ++i) values[i] = static_cast<double>(i);
  return values;
}

}  // namespace

TEST_CASE("npy rows: the file stands under its name after commit, not before, whoever wrote first") {
  const TemporaryFolder folder;
  const fs::path target = folder / "b.npy";
  {
    NpyRowsFile file(target, ElementType::float64, two_by_three);
    write_npy_rows(target, file.temporary(), two_by_three, 1, 1, six.data() + 3);
    write_npy_rows(target, file.temporary(), two_by_three, 0, 1, six.data());
    write_npy_rows(target, file.temporary(), two_by_three, 2, 0, six.data());
    CHECK_FALSE(fs::exists(target));
    CHECK(folder.files() == 1);
    file.commit();
  }
  CHECK(folder.files() == 1);
  CHECK(get(target) == tombolo::npy_header_bytes(ElementType::float64, two_by_three) + bytes_of(six));
}

TEST_CASE("npy rows: other processes write, each its own rows") {
  const TemporaryFolder folder;
  const fs::path target = folder / "b.npy";
  const MatrixShape shape{1000, 37};
  const auto all = numbered(37'000);
  for (const int writers : {1, 2, 7}) {
    NpyRowsFile file(target, ElementType::float64, shape);
    const auto first = tombolo::first_of(tombolo::equal_shares(shape.rows, writers));
    std::vector<pid_t> children;
    for (std::size_t w = 0; w + 1 < first.size(); ++w) {
      const pid_t child = ::fork();
      REQUIRE(child >= 0);
      if (child == 0) {
        int status = 0;
        try {
          write_npy_rows(target, file.temporary(), shape, first[w], first[w + 1] - first[w],
                         all.data() + first[w] * shape.columns);
        } catch (const std::exception&) {
          status = 1;
        }
        ::_exit(status);
      }
      children.push_back(child);
    }
    for (const pid_t child : children) {
      int status = -1;
      CHECK(::waitpid(child, &status, 0) == child);
      CHECK(status == 0);
    }
    file.commit();
    CHECK(get(target) == tombolo::npy_header_bytes(ElementType::float64, shape) + bytes_of(all));
  }
  CHECK(folder.files() == 1);
}

TEST_CASE("npy rows: many read disjoint rows at once, in either order") {
  const TemporaryFolder folder;
  const MatrixShape shape{211, 97};
  const auto all = numbered(std::size_t{211} * 97);
  std::vector<double> by_columns(all.size());
  for (std::size_t i = 0; i < 211; ++i) {
    for (std::size_t j = 0; j < 97; ++j) by_columns[j * 211 + i] = all[i * 97 + j];
  }
  for (const bool fortran : {false, true}) {
    const fs::path path =
        put(folder / "a.npy", header(dictionary("<f8", fortran, "(211, 97)")) + bytes_of(fortran ? by_columns : all));
    const auto first = tombolo::first_of(tombolo::equal_shares(shape.rows, 9));
    std::vector<double> read(all.size());
    {
      std::vector<std::jthread> readers;
      for (std::size_t r = 0; r + 1 < first.size(); ++r) {
        readers.emplace_back([&, r] {
          tombolo::read_npy_rows(path, tombolo::read_npy_header(path), first[r], first[r + 1] - first[r],
                                 read.data() + first[r] * shape.columns);
        });
      }
    }
    CHECK(read == all);
  }
}

TEST_CASE("npy rows: every element type, and matrices without elements") {
  const TemporaryFolder folder;
  const fs::path target = folder / "b.npy";
  const std::vector<std::complex<float>> single{{1, 2}, {3, 4}};
  {
    NpyRowsFile file(target, ElementType::complex64, {2, 1});
    write_npy_rows(target, file.temporary(), {2, 1}, 0, 2, single.data());
    file.commit();
  }
  CHECK(get(target) == tombolo::npy_header_bytes(ElementType::complex64, {2, 1}) + bytes_of(single));
  for (const MatrixShape& shape : {MatrixShape{0, 5}, MatrixShape{5, 0}}) {
    NpyRowsFile file(target, ElementType::float64, shape);
    write_npy_rows(target, file.temporary(), shape, 0, shape.rows, six.data());
    file.commit();
    CHECK(get(target) == tombolo::npy_header_bytes(ElementType::float64, shape));
  }
}

TEST_CASE("npy rows: without commit nothing is left, and an old file stays") {
  const TemporaryFolder folder;
  const fs::path target = put(folder / "b.npy", "old");
  fs::permissions(target, fs::perms::owner_read | fs::perms::owner_write);
  {
    const NpyRowsFile file(target, ElementType::float64, two_by_three);
    CHECK(fs::status(file.temporary()).permissions() == fs::status(target).permissions());
    write_npy_rows(target, file.temporary(), two_by_three, 0, 1, six.data());
  }
  CHECK(get(target) == "old");
  CHECK(folder.files() == 1);
}

TEST_CASE("npy rows: a process that does not see the file says so") {
  const TemporaryFolder folder;
  const fs::path target = folder / "b.npy";
  const auto write = [&](const fs::path& temporary) {
    return error_of(target, [&] { write_npy_rows(target, temporary, two_by_three, 0, 1, six.data()); });
  };
  CHECK_THAT(write(folder / "none"), Contains("does not see") && Contains("all hosts share"));
  CHECK_THAT(write(put(folder / "other", "a file of another run")), Contains("does not see"));
  CHECK(get(folder / "other") == "a file of another run");
  CHECK_THAT(write(folder.path()), Contains("a directory"));
}

TEST_CASE("npy rows: a file that a process may not write") {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_all | fs::perms::others_exec | fs::perms::others_read);
  const fs::path target = folder / "b.npy";
  const NpyRowsFile file(target, ElementType::float64, two_by_three);
  fs::permissions(file.temporary(), fs::perms::owner_read);
  std::string message;
  {
    const Unprivileged user;
    message = error_of(target, [&] { write_npy_rows(target, file.temporary(), two_by_three, 0, 1, six.data()); });
  }
  CHECK_THAT(message, Contains("Permission denied") && Contains("check the permissions"));
}

TEST_CASE("npy rows: rows that the matrix does not have") {
  const TemporaryFolder folder;
  const fs::path target = folder / "b.npy";
  const NpyRowsFile file(target, ElementType::float64, two_by_three);
  const auto write = [&](std::int64_t first, std::int64_t rows) {
    write_npy_rows(target, file.temporary(), two_by_three, first, rows, six.data());
  };
  CHECK_THROWS_AS(write(-1, 1), std::out_of_range);
  CHECK_THROWS_AS(write(0, -1), std::out_of_range);
  CHECK_THROWS_AS(write(1, 2), std::out_of_range);
  CHECK_THROWS_AS(write(3, 0), std::out_of_range);
}

TEST_CASE("npy rows: a disk that is too small is told before any row is written") {
  const TemporaryFolder folder;
  const fs::path target = folder / "b.npy";
  // A limit on file sizes stands for a full disk.
  rlimit old{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &old) == 0);
  const rlimit small{1000, old.rlim_max};
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::string message;
  try {
    const NpyRowsFile file(target, ElementType::float64, {10, 100});
  } catch (const tombolo::Error& error) {
    message = error.what();
  }
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &old) == 0);
  std::signal(SIGXFSZ, old_handler);
  CHECK_THAT(message, Contains("b.npy: File too large") && Contains("ulimit"));
  const tombolo::MatrixShape exabyte{std::int64_t{1} << 30, std::int64_t{1} << 27};
  error_of(target, [&] { const NpyRowsFile file(target, ElementType::float64, exabyte); });
  CHECK(folder.files() == 0);
}
