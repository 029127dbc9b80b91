// Distributed matrices from and to files.
#include <complex>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/matrix.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/session.hpp>

#include "collectives/mpi/world.hpp"
#include "framework/arrays/distributions.hpp"
#include "framework/mpi/complaint.hpp"
#include "framework/mpi/session/session_files.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using Catch::Matchers::Contains;
using test::agreed;
using test::complaint;
using test::SharedFolder;
using test::World;

namespace {

/// The elements of the whole, as they stand in a file.
template <Element T>
std::string elements(const MatrixShape& shape, bool fortran) {
  const std::vector<std::int64_t> all{shape.columns};
  const auto whole = fortran ? Distribution::columns(shape.rows, all) : Distribution::at(0, shape, 1);
  const auto values = held_by<T>(whole, 0, shape.columns);
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// Rank 0 puts a file there for all.
void put_for_all(const std::string& path, const std::string& bytes) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (World().rank == 0) test_files::put(path, bytes);
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

TEMPLATE_TEST_CASE("any distribution is read from files and written to them", "", float, std::complex<double>) {
  const World world;
  const SharedFolder folder;
  std::mt19937_64 random(7);
  for (const auto& [m, n] : {std::pair{13, 11}, {1, 6}, {9, 1}, {0, 4}}) {
    if (!std::is_same_v<TestType, double> && m != 13) continue;  // opening a file takes milliseconds
    const MatrixShape shape{m, n};
    for (const bool fortran : {false, true}) {
      const std::string bytes = elements<TestType>(shape, fortran);
      const std::string header = npy_header_bytes(element_type_of<TestType>, shape, fortran);
      put_for_all(folder / "a.npy", header + bytes);
      put_for_all(folder / "a.raw", "before " + bytes + " behind");
      bool right = true;
      int number = fortran ? 1 : 0;
      for (const Distribution& matrix : distributions(random, m, n, world.ranks)) {
        const auto mine = held_by<TestType>(matrix, world.rank, n);
        std::vector<TestType> read(mine.size());
        read_distributed(MPI_COMM_WORLD, folder / "a.npy", matrix, read.data());
        right = right && read == mine;
        read.assign(mine.size(), TestType(-1));
        read_raw(MPI_COMM_WORLD, folder / "a.raw", matrix, read.data(), fortran, 7);
        right = right && read == mine;
        if (number++ % 4 != static_cast<int>(sizeof(TestType) / 4 + static_cast<std::size_t>(n)) % 4)
          continue;  // fsync takes milliseconds
        write_distributed(MPI_COMM_WORLD, folder / "b.npy", matrix, mine.data(), fortran);
        right = right && test_files::get(folder / "b.npy") == header + bytes;
        write_raw(MPI_COMM_WORLD, folder / "b.raw", matrix, mine.data(), fortran);
        right = right && test_files::get(folder / "b.raw") == bytes;
      }
      CHECK(agreed(right));
    }
  }
}

TEST_CASE("a vector in a file of one dimension is a matrix of one column or row") {
  const World world;
  const SharedFolder folder;
  std::string header = npy_header_bytes(ElementType::float64, {5, 1}, false);
  const auto at = header.find("(5, 1)");
  put_for_all(folder / "x.npy", header.replace(at, 6, "(5,)  ") + elements<double>({5, 1}, false));
  std::mt19937_64 random(8);
  for (const MatrixShape& shape : {MatrixShape{5, 1}, MatrixShape{1, 5}}) {
    for (const auto& matrix : distributions(random, shape.rows, shape.columns, world.ranks)) {
      const auto mine = held_by<double>(matrix, world.rank, shape.columns);
      std::vector<double> read(mine.size());
      read_distributed(MPI_COMM_WORLD, folder / "x.npy", matrix, read.data());
      CHECK(agreed(read == mine));
    }
  }
}

TEST_CASE("what is wrong with a file is told on all ranks in the same words") {
  const World world;
  const SharedFolder folder;
  const std::string path = folder / "a.npy";
  put_for_all(path, npy_header_bytes(ElementType::float64, {8, 3}, false) + elements<double>({8, 3}, false));
  std::vector<double> room(24);
  std::vector<float> single(24);
  const auto all = [&](const MatrixShape& shape) { return Distribution::everywhere(shape, world.ranks); };
  const auto read = [&](const std::string& from, const Distribution& matrix) {
    return complaint([&] { read_distributed(MPI_COMM_WORLD, from, matrix, room.data()); });
  };
  const bool last = world.rank == world.ranks - 1;
  CHECK(read(path, all({8, 3})).empty());
  CHECK_THAT(read(path, all({3, 8})), Contains("a.npy holds a matrix of 8 x 3 where one of 3 x 8 is needed"));
  CHECK_THAT(read(last ? folder / "none" : path, all({8, 3})), Contains("none") && Contains("No such file"));
  CHECK_THAT(read(path, Distribution::at(0, {8, 3}, world.ranks + 1)), Contains("a matrix on"));
  CHECK_THAT(complaint([&] {
               read_distributed(MPI_COMM_WORLD, path, all({8, 3}), single.data());
             }),
             Contains("holds float64 where float32 is needed"));
  if (world.ranks > 1) {
    put_for_all(folder / "b.npy",
                npy_header_bytes(ElementType::float64, {8, 3}, true) + elements<double>({8, 3}, true));
    CHECK_THAT(read(last ? folder / "b.npy" : path, all({8, 3})), Contains("is not the same file for all"));
  }
  const auto raw = [&](const MatrixShape& shape, Bytes offset) {
    return complaint([&] { read_raw(MPI_COMM_WORLD, path, all(shape), room.data(), false, offset); });
  };
  CHECK(raw({8, 3}, 128).empty());
  CHECK_THAT(raw({8, 3}, 129), Contains("has 320 bytes, too few for 8 x 3 elements of float64 from byte 129 on"));
  CHECK_THAT(raw({8, 3}, 1000), Contains("too few"));
  CHECK_THAT(raw({std::int64_t{1} << 30, std::int64_t{1} << 30}, 0), Contains("too few"));
  CHECK_THAT(raw({8, 3}, -1), Contains("from byte -1"));

  put_for_all(folder / "c.npy", "old");
  const auto write = [&](const std::string& to) {
    return complaint([&] { write_distributed(MPI_COMM_WORLD, to, all({8, 3}), room.data()); });
  };
  CHECK_THAT(write(folder / "none/c.npy"), Contains("none does not exist"));
  CHECK_THAT(complaint([&] {
               write_raw(MPI_COMM_WORLD, folder / "c.npy", Distribution::at(0, {1, 1}, world.ranks + 1), room.data());
             }),
             Contains("on the ranks of the communicator"));
  CHECK(agreed(test_files::get(folder / "c.npy") == "old"));
}
