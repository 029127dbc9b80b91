#include <complex>

#include <catch2/catch.hpp>

#include <tombolo/framework/npy.hpp>
#include <tombolo/framework/npy_writer.hpp>

#include "npy_files.hpp"

using namespace npy_files;
using Catch::Matchers::Contains;
using tombolo::MatrixShape;
using tombolo::NpyHeader;
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
