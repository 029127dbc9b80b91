#include "matmul/reference.hpp"

#include <vector>

#include <mpi.h>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/alone.hpp>
#include <tombolo/models/mpi/check.hpp>

namespace tombolo::matmul {

template <class T>
Reference multiply_alone(Session& session, const Problem& problem, Rank root, const Matrices<T>& matrices) {
  Reference reference{.measured = true};
  const int threads = blas_threads();
  std::vector<T> c;
  agree(session.communicator(), [&] {
    if (session.rank() == root) c.resize(matrices.c.size());
  });
  alone_on(session.communicator(), root, [&] {
    const Processor& on = session.processors()[static_cast<std::size_t>(root)];
    set_blas_threads(on.cores);
    reference.threads = blas_threads();
    const double start = MPI_Wtime();
    gemm(problem.shape, matrices.a.data(), matrices.b.data(), c.data());
    reference.seconds = MPI_Wtime() - start;
    set_blas_threads(threads);
  });
  check_mpi(MPI_Bcast(&reference, sizeof reference, MPI_BYTE, root, session.communicator()), "MPI_Bcast");
  return reference;
}

template Reference multiply_alone(Session&, const Problem&, Rank, const Matrices<float>&);
template Reference multiply_alone(Session&, const Problem&, Rank, const Matrices<double>&);

}  // namespace tombolo::matmul
