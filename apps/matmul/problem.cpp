#include "matmul/problem.hpp"

#include <array>

#include <fmt/format.h>

#include <tombolo/framework/atomic_file.hpp>
#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/npy.hpp>
#include <tombolo/framework/random_matrix.hpp>
#include <tombolo/models/mpi/check.hpp>

namespace tombolo::matmul {

namespace {

Problem read_problem(const Options& options) {
  const NpyHeader a = read_npy_header(options.a);
  const NpyHeader b = read_npy_header(options.b);
  const MatrixShape shape_a = matrix_shape(a, options.a);
  const MatrixShape shape_b = matrix_shape(b, options.b);
  for (const auto& [header, path] : {std::pair(&a, &options.a), std::pair(&b, &options.b)}) {
    if (header->type == ElementType::float32 || header->type == ElementType::float64) continue;
    throw Error(fmt::format("{} holds {}", *path, element_info(header->type).name),
                "matmul takes float32 and float64; convert it with a.astype('<f8')");
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

}  // namespace

Problem find_problem(Session& session, const Options& options) {
  Problem problem{{.m = options.m, .n = options.n, .k = options.k}, options.type};
  agree(session.communicator(), [&] {
    if (options.root >= session.ranks()) {
      throw Error(fmt::format("--root {} with {} ranks", options.root, session.ranks()),
                  fmt::format("the root must be 0 to {}", session.ranks() - 1));
    }
    if (session.rank() == options.root && !options.generated()) problem = read_problem(options);
  });
  std::array<std::int64_t, 4> agreed{problem.shape.m, problem.shape.n, problem.shape.k,
                                     static_cast<std::int64_t>(problem.type)};
  check_mpi(MPI_Bcast(agreed.data(), agreed.size(), MPI_INT64_T, options.root, session.communicator()), "MPI_Bcast");
  problem = {{.m = agreed[0], .n = agreed[1], .k = agreed[2]}, static_cast<ElementType>(agreed[3])};

  const GemmShape& s = problem.shape;
  agree(session.communicator(), [&] {
    // What no memory holds must not overflow on the way to finding that out.
    constexpr double most = 1e17;
    if (bytes(problem, s.m, s.k) + bytes(problem, s.k, s.n) + bytes(problem, s.m, s.n) > most) {
      throw Error(fmt::format("a product of {} x {} by {} x {}", s.m, s.k, s.k, s.n), "take smaller matrices");
    }
    if (session.rank() == options.root && !options.c.empty()) {
      check_writable(options.c, static_cast<Bytes>(bytes(problem, s.m, s.n)));
    }
    if (session.rank() == 0 && !options.report.empty()) check_writable(options.report);
  });
  return problem;
}

double memory_of_rank(const Problem& problem, std::int64_t rows, bool is_root) {
  const GemmShape& s = problem.shape;
  const std::int64_t held = is_root ? s.m : rows;  // the root's own slice lies in the whole
  return bytes(problem, held, s.k) + bytes(problem, s.k, s.n) + bytes(problem, held, s.n);
}

template <class T>
void fill(const Options& options, const Problem& problem, T* a, T* b) {
  const GemmShape& s = problem.shape;
  if (options.generated()) {
    fill_random(options.seed, 0, 0, s.m, s.k, a);
    fill_random(options.seed, 1, 0, s.k, s.n, b);
  } else {
    read_npy_matrix(options.a, read_npy_header(options.a), a);
    read_npy_matrix(options.b, read_npy_header(options.b), b);
  }
}

template void fill(const Options&, const Problem&, float*, float*);
template void fill(const Options&, const Problem&, double*, double*);

}  // namespace tombolo::matmul
