#include "transpose/problem.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include <tombolo/framework/matrix/random_matrix.hpp>
#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/matrix_file.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>

#include "run/checks.hpp"

namespace tombolo::transposition {

namespace {

// What rank 0 has found becomes what all have found.
void broadcast(Session& session, Problem& problem) {
  std::array<std::int64_t, 3> agreed{problem.a.rows, problem.a.columns, static_cast<std::int64_t>(problem.type)};
  check_mpi(MPI_Bcast(agreed.data(), agreed.size(), MPI_INT64_T, 0, session.communicator()), "MPI_Bcast");
  problem.a = {agreed[0], agreed[1]};
  problem.type = static_cast<ElementType>(agreed[2]);
}

// That this rank sees the file that rank 0 has seen.
NpyHeader read_same_header(Session& session, const Options& options, const Problem& problem) {
  const std::string& host = session.processors()[static_cast<std::size_t>(session.rank())].host;
  std::error_code error;
  if (!std::filesystem::exists(options.in, error) && !error) {
    throw Error(fmt::format("rank {} on {} does not see {}, of which every rank reads its part", session.rank(), host,
                            printable(options.in)),
                "give an absolute path on a file system that all hosts share");
  }
  NpyHeader header = read_npy_header(options.in);
  const MatrixShape shape = matrix_shape(header, options.in);
  if (shape == problem.a && header.type == problem.type) return header;
  throw Error(fmt::format("{} is {} x {}, {}, on rank 0 and {} x {}, {}, on rank {} on {}", printable(options.in),
                          problem.a.rows, problem.a.columns, element_info(problem.type).name, shape.rows, shape.columns,
                          element_info(header.type).name, session.rank(), host),
              "make sure that all hosts see the same file and that nobody changes it meanwhile");
}

}  // namespace

Problem find_problem(Session& session, const Options& options) {
  Problem problem{{options.m, options.n}, options.type, {}};
  agree(session.communicator(), [&] {
    if (session.rank() != 0 || options.generated()) return;
    problem.header = read_npy_header(options.in);
    problem.a = matrix_shape(problem.header, options.in);
    problem.type = problem.header.type;
  });
  broadcast(session, problem);
  agree(session.communicator(), [&] {
    check_size(problem.a, problem.type);
    if (!options.generated()) problem.header = read_same_header(session, options, problem);
    if (session.rank() == 0 && !options.out.empty()) check_writable(options.out, bytes_of(problem.a, problem.type));
    check_report(session, options.run);
  });
  return problem;
}

template <Element T>
void fill(Session& session, const Options& options, const Problem& problem, const Part& part, bool by_columns, T* to) {
  if (options.generated()) {
    agree(session.communicator(), [&] { fill_random(options.seed, 0, part, by_columns, to); });
  } else {
    read_part(session.communicator(), options.in, problem.header, part, by_columns, to);
  }
}

template void fill(Session&, const Options&, const Problem&, const Part&, bool, float*);
template void fill(Session&, const Options&, const Problem&, const Part&, bool, double*);
template void fill(Session&, const Options&, const Problem&, const Part&, bool, std::complex<float>*);
template void fill(Session&, const Options&, const Problem&, const Part&, bool, std::complex<double>*);

}  // namespace tombolo::transposition
