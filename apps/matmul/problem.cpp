#include "matmul/problem.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <tombolo/framework/matrix/random_matrix.hpp>
#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/session.hpp>

#include "run/options.hpp"

namespace tombolo::matmul {

namespace {

Problem read_problem(const Options& options) {
  const NpyHeader a = read_npy_header(options.a);
  const NpyHeader b = read_npy_header(options.b);
  const MatrixShape shape_a = matrix_shape(a, options.a);
  const MatrixShape shape_b = matrix_shape(b, options.b);
  for (const auto& [header, path] : {std::pair(&a, &options.a), std::pair(&b, &options.b)}) {
    if (header->type == ElementType::float32 || header->type == ElementType::float64) continue;
    throw Error(fmt::format("{} holds {}, and matmul takes float32 and float64", printable(*path),
                            element_info(header->type).name),
                "give matrices of real numbers, such as a.real and a.imag");
  }
  if (a.type != b.type) {
    throw Error(fmt::format("{} holds {} and {} holds {}", options.a, element_info(a.type).name, options.b,
                            element_info(b.type).name),
                "both must hold the same; convert one with a.astype('<f8')");
  }
  if (shape_a.columns != shape_b.rows) {
    throw Error(
        fmt::format("{} is {} x {} and {} is {} x {}", options.a, shape_a.rows, shape_a.columns, options.b,
                    shape_b.rows, shape_b.columns),
        fmt::format("A must have as many columns as B has rows, and {} is not {}", shape_a.columns, shape_b.rows));
  }
  return {{.m = shape_a.rows, .n = shape_b.columns, .k = shape_a.columns}, a.type};
}

double bytes(const Problem& problem, std::int64_t rows, std::int64_t columns) {
  return static_cast<double>(rows) * static_cast<double>(columns) *
         static_cast<double>(element_info(problem.type).bytes);
}

// Of a rank without rows; the root verifies.
double least_memory(const Problem& problem, bool is_root) {
  const GemmShape& s = problem.shape;
  return bytes(problem, s.k, s.n) +
         (is_root ? bytes(problem, s.m, s.k) + bytes(problem, s.m, s.n) + freivalds_bytes(s) : 0);
}

// The memory was taken for the shape that the file had when the run began.
template <class T>
void read(const std::string& path, const MatrixShape& shape, T* to) {
  const NpyHeader header = read_npy_header(path);
  if (matrix_shape(header, path) != shape) {
    throw Error(fmt::format("{} was {} x {} when this run began and is no longer", path, shape.rows, shape.columns),
                "make sure that nobody changes the file meanwhile, and start again");
  }
  MatrixFileReader(MPI_COMM_SELF, path, header).read({0, shape.rows, 0, shape.columns}, false, to);
}

}  // namespace

Problem find_problem(Session& session, const Options& options) {
  Problem problem{{.m = options.m, .n = options.n, .k = options.k}, options.type};
  agree(session.communicator(), [&] {
    check_root(session, options.root);
    if (session.rank() == options.root && !options.generated()) problem = read_problem(options);
  });
  std::array<std::int64_t, 4> agreed{problem.shape.m, problem.shape.n, problem.shape.k,
                                     static_cast<std::int64_t>(problem.type)};
  check_mpi(MPI_Bcast(agreed.data(), agreed.size(), MPI_INT64_T, options.root, session.communicator()), "MPI_Bcast");
  problem = {{.m = agreed[0], .n = agreed[1], .k = agreed[2]}, static_cast<ElementType>(agreed[3])};

  // Whatever the shares. A simulation can do without.
  if (!machine::simulated()) require_memory(session, least_memory(problem, session.rank() == options.root));
  const GemmShape& s = problem.shape;
  agree(session.communicator(), [&] {
    for (const MatrixShape& matrix : {MatrixShape{s.m, s.k}, MatrixShape{s.k, s.n}, MatrixShape{s.m, s.n}}) {
      check_size(matrix, problem.type);
    }
    if (session.rank() == options.root && !options.c.empty()) {
      check_writable(options.c, bytes_of({s.m, s.n}, problem.type));
    }
    check_report(session, options.run);
  });
  return problem;
}

double bytes_of_product(const Problem& problem) {
  return bytes(problem, problem.shape.m, problem.shape.n);
}

template <class T>
void fill(const Options& options, const Problem& problem, T* a, T* b) {
  const GemmShape& s = problem.shape;
  if (options.generated()) {
    fill_random(options.seed, 0, 0, s.m, s.k, a);
    fill_random(options.seed, 1, 0, s.k, s.n, b);
  } else {
    read(options.a, {s.m, s.k}, a);
    read(options.b, {s.k, s.n}, b);
  }
}

template void fill(const Options&, const Problem&, float*, float*);
template void fill(const Options&, const Problem&, double*, double*);

}  // namespace tombolo::matmul
