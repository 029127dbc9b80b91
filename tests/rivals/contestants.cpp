#include "rivals/contestants.hpp"

#include <algorithm>
#include <cstddef>

#include <tombolo/collectives/mpi/scratch_pool.hpp>
#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/framework/mpi/arrays/carry_out.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace rivals {

using tombolo::check_mpi;

namespace {

/// Places and counts as MPI_Alltoallv has them.
struct Counts {
  std::vector<int> counts;
  std::vector<int> at;
};

Counts counts(const Matrix& matrix) {
  Counts result;
  int at = 0;
  for (const std::int64_t rows : matrix.each) {
    result.counts.push_back(static_cast<int>(rows * matrix.rows));
    result.at.push_back(at);
    at += result.counts.back();
  }
  return result;
}

}  // namespace

Contestant tombolo(tombolo::Session& session, Matrix& matrix) {
  struct Prepared {
    tombolo::Redistribution moves;
    std::unique_ptr<tombolo::Collectives> collectives;
    tombolo::ScratchPool scratch = tombolo::ScratchPool();
  };
  const auto rows = tombolo::Distribution::rows(matrix.each, matrix.size);
  auto prepared = std::make_shared<Prepared>(
      Prepared{.moves = {rows, rows, true}, .collectives = session.make_collectives(tombolo::Session::Kind::tombolo)});
  return {"Tombolo: pack, alltoallv, unpack", [prepared, &matrix] {
            tombolo::move(*prepared->collectives, prepared->moves, sizeof(double), MPI_DOUBLE, matrix.a.data(),
                          matrix.b.data(), prepared->scratch);
          }};
}

Contestant loops(MPI_Comm communicator, Matrix& matrix) {
  auto send = std::make_shared<std::vector<double>>(matrix.a.size());
  auto received = std::make_shared<std::vector<double>>(matrix.a.size());
  return {"MPI_Alltoallv, packed by loops", [=, &matrix, places = counts(matrix)] {
            const double* const a = matrix.a.data();
            double* to = send->data();
            for (std::int64_t column = 0; column < matrix.size; ++column) {
              for (std::int64_t row = 0; row < matrix.rows; ++row) *to++ = a[row * matrix.size + column];
            }
            check_mpi(MPI_Alltoallv(send->data(), places.counts.data(), places.at.data(), MPI_DOUBLE, received->data(),
                                    places.counts.data(), places.at.data(), MPI_DOUBLE, communicator),
                      "MPI_Alltoallv");
            const double* from = received->data();
            double* const b = matrix.b.data();
            std::int64_t left = 0;
            for (const std::int64_t wide : matrix.each) {
              for (std::int64_t row = 0; row < matrix.rows; ++row) {
                for (std::int64_t i = 0; i < wide; ++i) b[row * matrix.size + left + i] = *from++;
              }
              left += wide;
            }
          }};
}

Contestant derived_types(MPI_Comm communicator, Matrix& matrix) {
  struct Types {
    Types() = default;
    Types(const Types&) = delete;
    Types& operator=(const Types&) = delete;
    std::vector<MPI_Datatype> sent;
    std::vector<MPI_Datatype> received;
    std::vector<int> ones;
    std::vector<int> at;  // bytes, on both sides
    ~Types() {
      for (auto* types : {&sent, &received}) {
        for (MPI_Datatype& type : *types) MPI_Type_free(&type);
      }
    }
  };
  auto types = std::make_shared<Types>();
  const int stride = static_cast<int>(matrix.size);
  const int mine = static_cast<int>(matrix.rows);
  int at = 0;
  for (const std::int64_t rows : matrix.each) {
    const int theirs = static_cast<int>(rows);
    MPI_Datatype column = MPI_DATATYPE_NULL;
    MPI_Datatype next = MPI_DATATYPE_NULL;
    MPI_Datatype block = MPI_DATATYPE_NULL;
    MPI_Datatype put = MPI_DATATYPE_NULL;
    check_mpi(MPI_Type_vector(mine, 1, stride, MPI_DOUBLE, &column), "MPI_Type_vector");
    check_mpi(MPI_Type_create_resized(column, 0, sizeof(double), &next), "MPI_Type_create_resized");
    check_mpi(MPI_Type_contiguous(theirs, next, &block), "MPI_Type_contiguous");
    check_mpi(MPI_Type_vector(mine, theirs, stride, MPI_DOUBLE, &put), "MPI_Type_vector");
    MPI_Type_free(&column);
    MPI_Type_free(&next);
    check_mpi(MPI_Type_commit(&block), "MPI_Type_commit");
    check_mpi(MPI_Type_commit(&put), "MPI_Type_commit");
    types->sent.push_back(block);
    types->received.push_back(put);
    types->ones.push_back(1);
    types->at.push_back(at);
    at += theirs * static_cast<int>(sizeof(double));
  }
  return {"MPI_Alltoallw, derived types", [communicator, types, &matrix] {
            check_mpi(MPI_Alltoallw(matrix.a.data(), types->ones.data(), types->at.data(), types->sent.data(),
                                    matrix.b.data(), types->ones.data(), types->at.data(), types->received.data(),
                                    communicator),
                      "MPI_Alltoallw");
          }};
}

}  // namespace rivals
