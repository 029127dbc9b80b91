#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/files/npy_shared_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

#include "npy_files.hpp"

using namespace npy_files;
using Catch::Matchers::Contains;
using namespace tombolo;

namespace {

const MatrixShape two_by_three{2, 3};

/// The places of the elements, line by line.
std::vector<std::int64_t> places(const Strided& lines) {
  std::vector<std::int64_t> all;
  for (std::int64_t l = 0; l < lines.lines; ++l) {
    for (std::int64_t w = 0; w < lines.width; ++w) all.push_back(lines.offset + l * lines.stride + w);
  }
  return all;
}

}  // namespace

TEST_CASE("shared npy: the file stands under its name after commit, not before") {
  const TemporaryFolder folder;
  const fs::path target = folder / "b.npy";
  for (const bool fortran : {false, true}) {
    fs::remove(target);
    NpySharedFile file(target, ElementType::float64, two_by_three, fortran);
    const auto place = NpySharedPlace::of(target, file.temporary(), ElementType::float64, two_by_three, fortran);
    place.check_seen();
    CHECK(place.bytes == place.data_offset + 48);
    tombolo::PosixFile::open_to_write(place.temporary, target)
        .write_at("123456781234567812345678123456781234567812345678", 48, place.data_offset);
    CHECK_FALSE(fs::exists(target));
    file.commit();
    CHECK(get(target) == tombolo::npy_header_bytes(ElementType::float64, two_by_three, fortran) +
                             "123456781234567812345678123456781234567812345678");
  }
  CHECK(folder.files() == 1);
}

TEST_CASE("shared npy: without commit nothing is left, and an old file stays") {
  const TemporaryFolder folder;
  const fs::path target = put(folder / "b.npy", "old");
  fs::permissions(target, fs::perms::owner_read | fs::perms::owner_write);
  {
    const NpySharedFile file(target, ElementType::float64, two_by_three, false);
    CHECK(fs::status(file.temporary()).permissions() == fs::status(target).permissions());
  }
  CHECK(get(target) == "old");
  CHECK(folder.files() == 1);
}

TEST_CASE("shared npy: a process that does not see the file says so") {
  const TemporaryFolder folder;
  const fs::path target = folder / "b.npy";
  const auto look = [&](const fs::path& temporary) {
    const auto place = NpySharedPlace::of(target, temporary, ElementType::float64, two_by_three, false);
    return error_of(target, [&] { place.check_seen(); });
  };
  CHECK_THAT(look(folder / "none"), Contains("does not see") && Contains("all hosts share"));
  CHECK_THAT(look(put(folder / "other", "a file of another run")), Contains("does not see"));
  CHECK_THAT(look(folder.path()), Contains("a directory"));
}

TEST_CASE("shared npy: a file that a process may not write") {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_all | fs::perms::others_exec | fs::perms::others_read);
  const fs::path target = folder / "b.npy";
  const NpySharedFile file(target, ElementType::float64, two_by_three, false);
  fs::permissions(file.temporary(), fs::perms::owner_read);
  const auto place = NpySharedPlace::of(target, file.temporary(), ElementType::float64, two_by_three, false);
  std::string message;
  {
    const Unprivileged user;
    message = error_of(target, [&] { place.check_seen(); });
  }
  CHECK_THAT(message, Contains("Permission denied") && Contains("check the permissions"));
}

TEST_CASE("shared npy: a disk that is too small is told before anything is written") {
  const TemporaryFolder folder;
  const fs::path target = folder / "b.npy";
  std::string message;
  {
    const FileSizeLimit small(1000);
    message = error_of(target, [&] { const NpySharedFile file(target, ElementType::float64, {10, 100}, false); });
  }
  CHECK_THAT(message, Contains("b.npy: File too large") && Contains("ulimit"));
  const MatrixShape exabyte{std::int64_t{1} << 30, std::int64_t{1} << 27};
  error_of(target, [&] { const NpySharedFile file(target, ElementType::float64, exabyte, false); });
  CHECK(folder.files() == 0);
}

TEST_CASE("lines of a file hold every element of a part, in the order of the file") {
  const MatrixShape shape{5, 7};
  for (std::int64_t i = 0; i <= 5; ++i) {
    for (std::int64_t j = 0; j <= 7; ++j) {
      for (std::int64_t rows = 0; i + rows <= 5; ++rows) {
        for (std::int64_t columns = 0; j + columns <= 7; ++columns) {
          const Part part{i, rows, j, columns};
          std::vector<std::int64_t> by_rows;
          std::vector<std::int64_t> by_columns;
          for (std::int64_t r = i; r < i + rows; ++r) {
            for (std::int64_t c = j; c < j + columns; ++c) by_rows.push_back(r * 7 + c);
          }
          for (std::int64_t c = j; c < j + columns; ++c) {
            for (std::int64_t r = i; r < i + rows; ++r) by_columns.push_back(c * 5 + r);
          }
          for (const bool fortran : {false, true}) {
            const Strided lines = lines_of(part, shape, fortran);
            REQUIRE(places(lines) == (fortran ? by_columns : by_rows));
            REQUIRE(places(joined(lines)) == places(lines));
          }
        }
      }
    }
  }
}

TEST_CASE("lines without gaps are one") {
  CHECK(joined(lines_of({1, 3, 0, 7}, {5, 7}, false)) == Strided{7, 1, 21, 21});
  CHECK(joined(lines_of({0, 5, 2, 3}, {5, 7}, true)) == Strided{10, 1, 15, 15});
  CHECK(joined(lines_of({1, 1, 2, 3}, {5, 7}, false)) == Strided{9, 1, 3, 3});
  CHECK(joined(lines_of({1, 2, 2, 3}, {5, 7}, false)) == Strided{9, 2, 3, 7});
}

TEST_CASE("parts that the matrix does not have have no lines") {
  for (const Part& part : {Part{-1, 1, 0, 1}, Part{0, 6, 0, 1}, Part{5, 1, 0, 1}, Part{0, -1, 0, 1}, Part{0, 1, 3, 5},
                           Part{0, 1, -2, 1}, Part{0, 1, 8, 0}}) {
    CHECK_THROWS_AS(lines_of(part, {5, 7}, false), std::out_of_range);
    CHECK_THROWS_AS(lines_of(part, {5, 7}, true), std::out_of_range);
  }
  constexpr std::int64_t large = std::int64_t{1} << 30;
  CHECK(lines_of({large - 1, 1, 0, large}, {large, large}, false).offset == (large - 1) * large);
}
