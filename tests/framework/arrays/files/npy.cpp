#include <complex>
#include <csignal>

#include <catch2/catch.hpp>
#include <sys/resource.h>

#include <tombolo/framework/arrays/files/npy.hpp>

#include "npy_files.hpp"

using namespace npy_files;
using Catch::Matchers::Contains;
using tombolo::check_writable;
using tombolo::ElementType;
using tombolo::MatrixShape;
using tombolo::NpyHeader;
using tombolo::NpyWriter;
using tombolo::read_npy_header;

namespace {

std::size_t count(const MatrixShape& shape) {
  return static_cast<std::size_t>(shape.rows * shape.columns);
}

/// Element (r, c) of every matrix here, exact in single precision for the first 2^24.
template <class T>
std::vector<T> row_major(const MatrixShape& shape) {
  std::vector<T> values(count(shape));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(static_cast<float>(i) + 0.5F);
  return values;
}

template <class T>
std::string npy(const MatrixShape& shape, bool fortran_order) {
  std::vector<T> values = row_major<T>(shape);
  if (fortran_order) {
    const std::vector<T> rows = values;
    const auto at = [&](std::int64_t i) { return static_cast<std::size_t>(i); };
    for (std::int64_t r = 0; r < shape.rows; ++r) {
      for (std::int64_t c = 0; c < shape.columns; ++c) values[at(c * shape.rows + r)] = rows[at(r * shape.columns + c)];
    }
  }
  const std::string descr(tombolo::element_info(tombolo::element_type_of<T>).descr);
  const std::string text = "(" + std::to_string(shape.rows) + ", " + std::to_string(shape.columns) + ")";
  return header(dictionary(descr, fortran_order, text)) + bytes_of(values);
}

}  // namespace

TEMPLATE_TEST_CASE("npy: matrices of either order are read whole and by rows", "", float, double, std::complex<float>,
                   std::complex<double>) {
  const MatrixShape shape = GENERATE(MatrixShape{0, 0}, MatrixShape{0, 3}, MatrixShape{3, 0}, MatrixShape{1, 1},
                                     MatrixShape{1, 9}, MatrixShape{9, 1}, MatrixShape{31, 33}, MatrixShape{65, 7});
  const bool fortran_order = GENERATE(false, true);
  const TemporaryFolder folder;
  const fs::path path = put(folder / "a.npy", npy<TestType>(shape, fortran_order));
  const NpyHeader header = read_npy_header(path);
  const std::vector<TestType> expected = row_major<TestType>(shape);

  std::vector<TestType> whole(count(shape));
  read_npy_matrix(path, header, whole.data());
  CHECK(whole == expected);

  for (const std::int64_t rows : {std::int64_t{1}, std::int64_t{2}, std::int64_t{8}}) {
    std::vector<TestType> joined(count(shape));
    for (std::int64_t row = 0; row < shape.rows; row += rows) {
      read_npy_rows(path, header, row, std::min(rows, shape.rows - row), joined.data() + row * shape.columns);
    }
    CHECK(joined == expected);
  }
}

TEST_CASE("npy: a Fortran-ordered file beyond one tile in either direction") {
  const MatrixShape shape = GENERATE(MatrixShape{16384 + 5, 70}, MatrixShape{3, 400000}, MatrixShape{1100000, 1});
  const TemporaryFolder folder;
  const fs::path path = put(folder / "a.npy", npy<double>(shape, true));
  const NpyHeader header = read_npy_header(path);
  const std::vector<double> expected = row_major<double>(shape);
  std::vector<double> read(count(shape));
  read_npy_matrix(path, header, read.data());
  CHECK((read == expected));

  read.assign(read.size(), 0.0);
  read_npy_rows(path, header, 1, shape.rows - 2, read.data());
  CHECK(std::equal(read.begin(), read.end() - 2 * shape.columns, expected.begin() + shape.columns));
}

TEST_CASE("npy: rows beyond 2^31 bytes are found") {
  const bool fortran_order = GENERATE(false, true);
  const std::int64_t rows = 400000000;  // 9.6 GB that take no room on the disk
  const TemporaryFolder folder;
  const std::string start = header(dictionary("<f8", fortran_order, "(400000000, 3)"));
  const fs::path path = put(folder / "a.npy", start);
  fs::resize_file(path, start.size() + 9'600'000'000 - 3 * sizeof(double));
  std::ofstream(path, std::ios::binary | std::ios::app) << bytes_of(std::vector<double>{1, 2, 3});
  const NpyHeader read = read_npy_header(path);
  CHECK(read.bytes() == 9'600'000'000);
  std::vector<double> last(6);
  read_npy_rows(path, read, rows - 2, 2, last.data());
  CHECK(last == (fortran_order ? std::vector<double>{0, 0, 2, 0, 0, 3} : std::vector<double>{0, 0, 0, 1, 2, 3}));
}

TEST_CASE("npy: the wrong element type, the wrong shape and a file that shrinks are errors") {
  const TemporaryFolder folder;
  const fs::path path = put(folder / "a.npy", npy<float>({4, 3}, false));
  NpyHeader header = read_npy_header(path);
  std::vector<double> wide(12);
  CHECK_THAT(error_of(path, [&] { read_npy_matrix(path, header, wide.data()); }),
             Contains("holds float32 where float64 is needed") && Contains("astype('<f8')"));

  header.fortran_order = GENERATE(false, true);
  std::vector<float> read(12);
  fs::resize_file(path, fs::file_size(path) - 1);
  CHECK_THAT(error_of(path, [&] { read_npy_matrix(path, header, read.data()); }), Contains("ended at byte"));
  fs::remove(path);
  CHECK_THAT(error_of(path, [&] { read_npy_matrix(path, header, read.data()); }), Contains("No such file"));
  header.shape = {12};
  CHECK_THAT(error_of(path, [&] { read_npy_matrix(path, header, read.data()); }), Contains("(12,)"));
}

TEST_CASE("npy: rows that the matrix does not have are refused") {
  const TemporaryFolder folder;
  const fs::path path = put(folder / "a.npy", npy<float>({4, 3}, false));
  const NpyHeader header = read_npy_header(path);
  std::vector<float> read(12);
  const auto [first, rows] = GENERATE(table<std::int64_t, std::int64_t>(
      {{-1, 1}, {0, -1}, {0, 5}, {4, 1}, {5, 0}, {1, INT64_MAX}, {INT64_MAX, 1}, {INT64_MAX, INT64_MAX}}));
  CHECK_THROWS_AS(tombolo::read_npy_rows(path, header, first, rows, read.data()), std::out_of_range);
}

TEMPLATE_TEST_CASE("npy: what is written is read back", "", float, double, std::complex<float>, std::complex<double>) {
  const MatrixShape shape =
      GENERATE(MatrixShape{0, 0}, MatrixShape{0, 3}, MatrixShape{3, 0}, MatrixShape{1, 1}, MatrixShape{17, 29});
  const TemporaryFolder folder;
  const fs::path path = folder / "c.npy";
  const std::vector<TestType> values = row_major<TestType>(shape);
  tombolo::write_npy_matrix(path, shape, values.data());
  const NpyHeader header = read_npy_header(path);
  CHECK(tombolo::matrix_shape(header, path) == shape);
  std::vector<TestType> read(count(shape));
  read_npy_matrix(path, header, read.data());
  CHECK(read == values);
  CHECK(static_cast<tombolo::Bytes>(fs::file_size(path)) == header.data_offset + header.bytes());
}

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
