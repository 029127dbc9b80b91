// Parts of matrices to and from .npy files, by all ranks together.
#include <complex>
#include <cstring>
#include <fstream>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/move.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>

#include "framework/mpi/complaint.hpp"
#include "framework/mpi/session/session_files.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;
using test::complaint;
using test::SharedFolder;

namespace {

struct World {
  World() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  int rank = 0;
  int ranks = 1;
};

template <Element T>
T element(std::int64_t i, std::int64_t j) {
  return static_cast<T>(static_cast<float>(i * 257 + j));
}

/// All elements of a part, row after row or column after column.
template <Element T>
std::vector<T> elements(const Part& part, bool column_major) {
  std::vector<T> all;
  const std::int64_t lines = column_major ? part.columns : part.rows;
  const std::int64_t width = column_major ? part.rows : part.columns;
  for (std::int64_t l = 0; l < lines; ++l) {
    for (std::int64_t w = 0; w < width; ++w) {
      const std::int64_t i = part.first_row + (column_major ? w : l);
      const std::int64_t j = part.first_column + (column_major ? l : w);
      all.push_back(element<T>(i, j));
    }
  }
  return all;
}

template <Element T>
std::string whole_file(const MatrixShape& shape, bool fortran) {
  const auto all = elements<T>({0, shape.rows, 0, shape.columns}, fortran);
  return npy_header_bytes(element_type_of<T>, shape, fortran) +
         std::string(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(T));
}

/// Shares of any sizes, some of them 0: the same on all ranks.
std::vector<std::int64_t> uneven(std::int64_t all, int shares, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::int64_t> weights(static_cast<std::size_t>(shares));
  for (auto& weight : weights) weight = std::max<std::int64_t>(static_cast<std::int64_t>(random() % 10) - 3, 0);
  weights[random() % weights.size()] = 4;
  return proportional_shares(all, weights);
}

std::vector<Layout> layouts(const MatrixShape& shape, int ranks) {
  std::vector<Layout> all{Layout::rows(uneven(shape.rows, ranks, 1), shape.columns),
                          Layout::columns(shape.rows, uneven(shape.columns, ranks, 2)),
                          Layout::rows(equal_shares(shape.rows, ranks), shape.columns)};
  for (int p = 2; p < ranks; ++p) {
    if (ranks % p == 0) {
      all.push_back(Layout::blocks(uneven(shape.rows, p, 3), uneven(shape.columns, ranks / p, 4)));
    }
  }
  return all;
}

/// Rank 0 puts a file there for all.
void put_for_all(const std::string& path, const std::string& bytes) {
  if (World().rank == 0) test_files::put(path, bytes);
  MPI_Barrier(MPI_COMM_WORLD);
}

template <Element T>
void write_part(const std::string& path, const MatrixShape& shape, const Part& part, bool column_major, bool fortran,
                const T* from) {
  MatrixFileWriter file(MPI_COMM_WORLD, path, element_type_of<T>, shape, fortran);
  file.write(part, column_major, from);
  file.commit();
}

const MatrixShape shapes[] = {{13, 11}, {1, 40}, {40, 1}, {3, 0}, {0, 5}, {37, 64}};

}  // namespace

TEMPLATE_TEST_CASE("matrix files: every part is read and written, in all orders", "", float, std::complex<double>) {
  const World world;
  const SharedFolder folder;
  const std::string path = folder / "a: colon.npy";
  // Every second way of each shape; the other type takes the others.
  int turn = sizeof(TestType) == sizeof(float) ? 0 : 1;
  int half = turn;
  for (const MatrixShape& shape : shapes) {
    ++turn;
    for (const bool fortran : {false, true}) {
      const std::string expected = whole_file<TestType>(shape, fortran);
      put_for_all(path, expected);
      const NpyHeader header = read_npy_header(path);
      for (const Layout& layout : layouts(shape, world.ranks)) {
        const bool column_major = ++turn % 2 == 0;
        if (world.ranks > 3 && ++half % 2 == 0) continue;  // of the other type
        const Part part = layout.part(world.rank);
        const auto mine = elements<TestType>(part, column_major);
        std::vector<TestType> read(mine.size());
        MatrixFileReader(MPI_COMM_WORLD, path, header).read(part, column_major, read.data());
        CHECK(agreed(read == mine));
        const std::string written = folder / "b.npy";
        write_part(written, shape, part, column_major, fortran, mine.data());
        CHECK(agreed(test_files::get(written) == expected));
        MPI_Barrier(MPI_COMM_WORLD);
      }
    }
  }
}

TEST_CASE("matrix files: several parts of one file, larger than what is turned at a time") {
  const World world;
  const SharedFolder folder;
  const std::string path = folder / "a.npy";
  const MatrixShape shape{70'000, 67};  // a line of the file in Fortran order takes five bands
  const auto halves = equal_shares(shape.columns, 2);
  for (const bool fortran : {false, true}) {
    MatrixFileWriter file(MPI_COMM_WORLD, path, ElementType::float32, shape, fortran);
    for (const Part& side : {Part{0, shape.rows, 0, halves[0]}, Part{0, shape.rows, halves[0], halves[1]}}) {
      const auto rows = equal_shares(shape.rows, world.ranks);
      const std::int64_t first = first_of(rows)[static_cast<std::size_t>(world.rank)];
      const Part part{first, rows[static_cast<std::size_t>(world.rank)], side.first_column, side.columns};
      file.write(part, false, elements<float>(part, false).data());
    }
    CHECK_FALSE(std::filesystem::exists(path));
    MPI_Barrier(MPI_COMM_WORLD);
    file.commit();
    CHECK(agreed(test_files::get(path) == whole_file<float>(shape, fortran)));
    const Part middle{5, shape.rows - 11, 3 + world.rank, 9};  // ranks may read the same
    std::vector<float> read(static_cast<std::size_t>(middle.elements()));
    for (const bool column_major : {false, true}) {
      MatrixFileReader(MPI_COMM_WORLD, path, read_npy_header(path)).read(middle, column_major, read.data());
      CHECK(agreed(read == elements<float>(middle, column_major)));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (world.rank == 0) std::filesystem::remove(path);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST_CASE("matrix files: rows beyond 2^31 bytes are found") {
  const SharedFolder folder;
  const std::string path = folder / "a.npy";
  const MatrixShape shape{400'000'000, 3};  // 9.6 GB that take no room on the disk
  for (const bool fortran : {false, true}) {
    if (World().rank == 0) {
      const std::string header = npy_header_bytes(ElementType::float64, shape, fortran);
      const double last[] = {1, 2, 3};
      std::filesystem::resize_file(test_files::put(path, header), header.size() + 9'600'000'000 - sizeof last);
      std::ofstream(path, std::ios::binary | std::ios::app).write(reinterpret_cast<const char*>(last), sizeof last);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    std::vector<double> read(6);
    MatrixFileReader(MPI_COMM_WORLD, path, read_npy_header(path)).read({shape.rows - 2, 2, 0, 3}, false, read.data());
    CHECK(agreed(read == (fortran ? std::vector<double>{0, 0, 2, 0, 0, 3} : std::vector<double>{0, 0, 0, 1, 2, 3})));
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST_CASE("matrix files: without commit nothing is left, and an old file stays") {
  const World world;
  const SharedFolder folder;
  const std::string path = folder / "b.npy";
  put_for_all(path, "old");
  {
    MatrixFileWriter file(MPI_COMM_WORLD, path, ElementType::float64, {world.ranks, 1}, false);
    const double one = 1;
    file.write(Part{world.rank, 1, 0, 1}, false, &one);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(agreed(test_files::get(path) == "old"));
  const auto parent = std::filesystem::path(path).parent_path();
  CHECK(agreed(std::distance(std::filesystem::directory_iterator(parent), {}) == 1));
}

TEST_CASE("matrix files: what fails on one rank is told on all, in one line") {
  using Catch::Matchers::Contains;
  const World world;
  const SharedFolder folder;
  const std::string path = folder / "a.npy";
  put_for_all(path, whole_file<double>({8, 8}, false));
  const NpyHeader header = read_npy_header(path);
  std::vector<double> all(64);
  const Part whole{0, 8, 0, 8};
  const auto read = [&](const std::string& from, const NpyHeader& as, const Part& part) {
    return complaint([&] { MatrixFileReader(MPI_COMM_WORLD, from, as).read(part, false, all.data()); });
  };
  CHECK(read(path, header, whole).empty());
  // On the last rank alone, which does not see the file.
  const bool last = world.rank == world.ranks - 1;
  CHECK_THAT(read(last ? folder / "none" : path, header, whole), Contains("none") && Contains("No such file"));
  CHECK_THAT(read(path, header, last ? Part{4, 5, 0, 8} : Part{}), Contains("a part of 5 x 8 from row 4"));
  CHECK_THAT(read(folder / "", header, whole), Contains("a directory"));
  std::vector<float> single(64);
  CHECK_THAT(complaint([&] { MatrixFileReader(MPI_COMM_WORLD, path, header).read(whole, false, single.data()); }),
             Contains("a.npy holds float64 where float32 is needed"));
  put_for_all(path, whole_file<double>({8, 8}, false).substr(0, 300));
  CHECK_THAT(read(path, header, whole), Contains("a.npy has become shorter") && Contains("640") && Contains("300"));

  const auto write = [&](const std::string& to, const Part& part) {
    return complaint([&] { write_part(to, {8, 8}, part, false, false, all.data()); });
  };
  CHECK_THAT(write(folder / "none/b.npy", whole), Contains("none does not exist") && Contains("mkdir"));
  CHECK_THAT(write(folder / "b.npy", last ? Part{0, 9, 0, 8} : Part{}), Contains("a part of 9 x 8"));
  CHECK(agreed(!std::filesystem::exists(folder / "b.npy")));
}
