// Files that are written panel by panel, left and gone on with, by all ranks together.
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/framework/matrix/matrix_hash.hpp>
#include <tombolo/framework/mpi/arrays/panel_file.hpp>
#include <tombolo/shares.hpp>

#include "framework/mpi/complaint.hpp"
#include "framework/mpi/session/session_files.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using Catch::Matchers::Contains;
using test::agreed;
using test::complaint;
using test::SharedFolder;
using Records = PanelFile::Records;

namespace {

const MatrixShape shape{24, 5};
constexpr std::int64_t rows_of_panel = 8;

int rank_here() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int ranks_here() {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

/// Element (i, j) is 100 i + j.
std::vector<double> elements(const Part& part) {
  std::vector<double> all;
  for (std::int64_t i = part.first_row; i < part.first_row + part.rows; ++i) {
    for (std::int64_t j = part.first_column; j < part.first_column + part.columns; ++j) {
      all.push_back(static_cast<double>(100 * i + j));
    }
  }
  return all;
}

PanelFile open(const std::string& path, Records records, const std::string& input = "x", bool fortran_order = false) {
  return {
      MPI_COMM_WORLD, path, {ElementType::float64, shape, fortran_order, {{"A", input}}, {8, 5}}, records, rank_here()};
}

/// Rows [8 number, 8 number + 8), which ranks share.
void write_panel(PanelFile& file, std::int64_t number) {
  const std::vector<std::int64_t> shares = equal_shares(rows_of_panel, ranks_here());
  const auto rank = static_cast<std::size_t>(rank_here());
  const Part mine{number * rows_of_panel + first_of(shares)[rank], shares[rank], 0, shape.columns};
  const std::vector<double> values = elements(mine);
  file.write(mine, false, values.data(), hash_part(values.data(), mine, false, false));
  file.finish({number * rows_of_panel, rows_of_panel, 0, shape.columns});
}

std::optional<PanelFile::Wrong> find_wrong(PanelFile& file) {
  std::vector<double> buffer(3);  // less than a line
  return file.find_wrong(std::span<double>(buffer), false);
}

std::vector<double> whole(const std::string& path) {
  std::vector<double> all(static_cast<std::size_t>(shape.rows * shape.columns));
  MatrixFileReader(MPI_COMM_WORLD, path, read_npy_header(path))
      .read({0, shape.rows, 0, shape.columns}, false, all.data());
  return all;
}

bool exists(const std::string& path) {
  MPI_Barrier(MPI_COMM_WORLD);
  const bool there = std::filesystem::exists(path);
  MPI_Barrier(MPI_COMM_WORLD);
  return there;
}

}  // namespace

TEST_CASE("panel file: a later run goes on with what is recorded") {
  for (const bool fortran_order : {false, true}) {
    const SharedFolder folder;
    const std::string path = folder / "c.npy";
    {
      PanelFile file = open(path, Records::panels, "x", fortran_order);
      write_panel(file, 0);
      file.record();
      write_panel(file, 2);  // is on its way when this run ends
    }
    CHECK(agreed(exists(path + ".partial") && !exists(path)));
    {
      PanelFile file = open(path, Records::and_resumes, "x", fortran_order);
      REQUIRE(agreed(file.finished().size() == 1));
      CHECK(agreed(file.finished()[0].panel == Part{0, rows_of_panel, 0, shape.columns}));
      CHECK(agreed(file.division() == MatrixShape{8, 5}));
      write_panel(file, 2);
      write_panel(file, 1);
      file.record();
      CHECK(agreed(!find_wrong(file)));
      file.commit();
    }
    CHECK(agreed(whole(path) == elements({0, shape.rows, 0, shape.columns})));
    CHECK_FALSE(agreed(exists(path + ".partial")));
    CHECK_FALSE(agreed(exists(path + ".partial.journal")));
  }
}

TEST_CASE("panel file: a run that ends before a panel is recorded leaves nothing") {
  const SharedFolder folder;
  const std::string path = folder / "c.npy";
  { const PanelFile file = open(path, Records::panels); }
  CHECK_FALSE(agreed(exists(path + ".partial")));
  CHECK_FALSE(agreed(exists(path + ".partial.journal")));
  {
    PanelFile file = open(path, Records::panels);
    write_panel(file, 0);
    file.record();
  }
  { const PanelFile file = open(path, Records::and_resumes); }  // has recorded none itself
  CHECK(agreed(exists(path + ".partial") && exists(path + ".partial.journal")));
}

TEST_CASE("panel file: a file that is only called so is not touched") {
  const SharedFolder folder;
  const std::string path = folder / "c.npy";
  if (rank_here() == 0) std::ofstream(path + ".partial") << "mine";
  MPI_Barrier(MPI_COMM_WORLD);
  for (const Records records : {Records::panels, Records::and_resumes}) {
    CHECK_THAT(complaint([&] { open(path, records); }),
               Contains("no record of finished panels") && Contains("move it away"));
  }
  CHECK_THROWS_WITH(make_way(path), Contains("move it away"));
  CHECK(agreed(std::filesystem::file_size(path + ".partial") == 4));
}

TEST_CASE("panel file: what the disk does not hold is named and no longer finished") {
  const SharedFolder folder;
  const std::string path = folder / "c.npy";
  {
    PanelFile file = open(path, Records::panels);
    for (const std::int64_t number : {0, 1, 2}) write_panel(file, number);
    file.record();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_here() == 0) {
    std::fstream file(path + ".partial", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-1, std::ios::end).put('\x7f');
  }
  MPI_Barrier(MPI_COMM_WORLD);
  PanelFile file = open(path, Records::and_resumes);
  const auto wrong = find_wrong(file);
  REQUIRE(agreed(wrong.has_value()));
  const auto shares = equal_shares(rows_of_panel, ranks_here());
  const Rank last = std::min(ranks_here(), static_cast<int>(rows_of_panel)) - 1;
  CHECK(agreed(wrong->part.rank == last && wrong->panels == 1));
  CHECK(agreed(wrong->part.part == Part{shape.rows - shares[static_cast<std::size_t>(last)],
                                        shares[static_cast<std::size_t>(last)], 0, shape.columns}));
  CHECK(agreed(file.finished().size() == 2));
  write_panel(file, 2);
  file.record();
  CHECK(agreed(!find_wrong(file)));
  file.commit();
  CHECK(agreed(whole(path) == elements({0, shape.rows, 0, shape.columns})));
}

TEST_CASE("panel file: what an earlier run has left is refused to a run that would lose it, or has other input") {
  const SharedFolder folder;
  const std::string path = folder / "c.npy";
  {
    PanelFile file = open(path, Records::panels);
    write_panel(file, 1);
    file.record();
  }
  CHECK_THAT(complaint([&] { open(path, Records::panels); }), Contains("holds finished panels of an earlier run"));
  CHECK_THAT(complaint([&] { open(path, Records::and_resumes, "y"); }),
             Contains("c.npy.partial is of a run whose A is x, and here A is y; "));
  CHECK_THAT(complaint([&] { open(path, Records::and_resumes, "x", true); }),
             Contains("24 x 5 float64 in C order, and here result is 24 x 5 float64 in Fortran order"));
  PanelFile file = open(path, Records::and_resumes);
  CHECK(agreed(file.finished().size() == 1));
}

TEST_CASE("panel file: without records it is as any other file") {
  const SharedFolder folder;
  const std::string path = folder / "c.npy";
  PanelFile file = open(path, Records::nothing);
  for (const std::int64_t number : {0, 1, 2}) write_panel(file, number);
  file.record();
  CHECK(agreed(file.finished().empty() && !find_wrong(file)));
  CHECK_FALSE(agreed(exists(path + ".partial")));
  file.commit();
  CHECK(agreed(whole(path) == elements({0, shape.rows, 0, shape.columns})));
}
