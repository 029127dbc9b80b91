#include "matmul/reference.hpp"

#include <algorithm>

#include <mpi.h>

#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/session.hpp>

namespace tombolo::matmul {

template <class T>
Reference multiply_alone(Session& session, const Problem& problem, Rank root, Program& program,
                         const Matrices<T>& matrices) {
  Reference reference{.measured = true};
  const int threads = blas_threads();
  Storage<T> c;
  agree(session.communicator(), [&] {
    if (session.rank() == root) c = session.storage<T>(problem.shape.m * problem.shape.n);
  });
  alone_on(session.communicator(), root, [&] {
    const T* const a = program.local(matrices.a).data();
    const T* const b = program.local(matrices.b).data();
    const Processor& on = session.processors()[static_cast<std::size_t>(root)];
    set_blas_threads(on.cores);
    reference.threads = blas_threads();
    // Twice, and the better one counts: OpenBLAS starts its threads in the first.
    for (int run = 0; run < 2; ++run) {
      const double start = MPI_Wtime();
      session.compute(flops(problem.shape), [&] { gemm(problem.shape, a, b, c.data()); });
      const double seconds = MPI_Wtime() - start;
      reference.seconds = run == 0 ? seconds : std::min(reference.seconds, seconds);
    }
    set_blas_threads(threads);
  });
  check_mpi(MPI_Bcast(&reference, sizeof reference, MPI_BYTE, root, session.communicator()), "MPI_Bcast");
  return reference;
}

template Reference multiply_alone(Session&, const Problem&, Rank, Program&, const Matrices<float>&);
template Reference multiply_alone(Session&, const Problem&, Rank, Program&, const Matrices<double>&);

}  // namespace tombolo::matmul
