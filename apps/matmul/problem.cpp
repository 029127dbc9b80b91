#include "matmul/problem.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/matrix/random_matrix.hpp>
#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/framework/mpi/session/same_call.hpp>
#include <tombolo/framework/program/declare/arrangement.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>

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

// Of a rank without rows; the root verifies. Distributed, a rank may have nothing.
double least_memory(const Problem& problem, const Options& options, Rank rank) {
  if (options.held == Held::distributed) return 0;
  const GemmShape& s = problem.shape;
  if (options.recording.wanted()) return bytes(problem, s.k, s.n);  // and blocks of A and C, of any height
  const bool is_root = rank == options.root;
  return bytes(problem, s.k, s.n) +
         (is_root ? bytes(problem, s.m, s.k) + bytes(problem, s.m, s.n) + freivalds_bytes(s) : 0);
}

// The memory was taken for the shape that the file had when the run began.
void check_unchanged(const std::string& path, const NpyHeader& header, const MatrixShape& shape) {
  if (matrix_shape(header, path) == shape) return;
  throw Error(fmt::format("{} was {} x {} when this run began and is no longer", path, shape.rows, shape.columns),
              "make sure that nobody changes the file meanwhile, and start again");
}

template <class T>
void read(const std::string& path, const MatrixShape& shape, const Rows& rows, T* to) {
  const NpyHeader header = read_npy_header(path);
  check_unchanged(path, header, shape);
  MatrixFileReader(MPI_COMM_SELF, path, header).read({rows.first, rows.count, 0, shape.columns}, false, to);
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
  if (!machine::simulated()) require_memory(session, least_memory(problem, options, session.rank()));
  const GemmShape& s = problem.shape;
  agree(session.communicator(), [&] {
    check_sizes(problem);
    if (session.rank() == options.root && !options.c.empty()) {
      check_result(options.c, bytes_of({s.m, s.n}, problem.type), options.recording);
    }
    check_report(session, options.run);
  });
  return problem;
}

void check_sizes(const Problem& problem) {
  const GemmShape& s = problem.shape;
  for (const MatrixShape& matrix : {MatrixShape{s.m, s.k}, MatrixShape{s.k, s.n}, MatrixShape{s.m, s.n}}) {
    check_size(matrix, problem.type);
  }
}

double bytes_of_product(const Problem& problem) {
  return bytes(problem, problem.shape.m, problem.shape.n);
}

namespace {

Part below(const Part& part, std::int64_t rows) {
  return {part.first_row + rows, part.rows, part.first_column, part.columns};
}

}  // namespace

Verification together(std::span<const Verification> verdicts, std::span<const std::int64_t> first_rows) {
  Verification worst;
  double largest_relative_error = 0;
  const auto severity = [](const Verification& v) { return std::pair(v.ok ? 0 : v.decided ? 2 : 1, v.worst_ratio); };
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    largest_relative_error = std::max(largest_relative_error, verdicts[i].largest_relative_error);
    if (severity(verdicts[i]) <= severity(worst)) continue;
    worst = verdicts[i];
    if (worst.row >= 0) worst.row += first_rows[i];
  }
  worst.largest_relative_error = largest_relative_error;
  return worst;
}

namespace {

// Each member gets some rows of A and C, and group by group of columns all rows of B: B alone would be too large.
template <class T>
Verification verify_slice(Collectives& members, const Options& options, const GemmShape& shape, Program& program,
                          const Matrices<T>& matrices) {
  constexpr std::int64_t narrowest = 1024;  // group of columns: A is read once for each
  const auto [m, n, k] = shape;
  const int ranks = members.ranks();
  const MPI_Datatype type = mpi_type_of<T>();
  const std::vector<std::int64_t> shares = equal_shares(m, ranks);
  const std::int64_t rows = shares[static_cast<std::size_t>(members.rank())];
  const std::int64_t width = std::max(narrowest, (n + ranks - 1) / ranks);
  std::vector<Rank> owners(static_cast<std::size_t>(ranks));
  std::iota(owners.begin(), owners.end(), 0);
  const std::vector<std::int64_t> first_rows = first_of(shares);
  std::vector<T> a(static_cast<std::size_t>(rows * k));
  move(members, program.distribution(matrices.a), Distribution::rows(shares, k), sizeof(T), type,
       program.local(matrices.a).data(), a.data());
  std::vector<Verification> verdicts;
  for (std::int64_t first = 0; first < n; first += width) {
    const std::int64_t columns = std::min(width, n - first);
    std::vector<Part> of_b(static_cast<std::size_t>(ranks), Part{0, k, first, columns});
    std::vector<Part> of_c;
    for (std::size_t r = 0; r < shares.size(); ++r) of_c.push_back({first_rows[r], shares[r], first, columns});
    std::vector<T> b(static_cast<std::size_t>(k * columns));
    std::vector<T> c(static_cast<std::size_t>(rows * columns));
    move(members, program.distribution(matrices.b), Distribution::rectangles({k, n}, of_b, owners, ranks), sizeof(T),
         type, program.local(matrices.b).data(), b.data());
    move(members, program.distribution(matrices.c), Distribution::rectangles({m, n}, of_c, owners, ranks), sizeof(T),
         type, program.local(matrices.c).data(), c.data());
    verdicts.push_back(freivalds({.m = rows, .n = columns, .k = k}, a.data(), b.data(), c.data(), 2, options.seed));
  }
  const std::vector<std::int64_t> offsets(verdicts.size(), first_rows[static_cast<std::size_t>(members.rank())]);
  return together(verdicts, offsets);
}

}  // namespace

namespace {

/// A matrix of this shape, of which the program has rows from `first_row` on.
template <class T>
void fill(Session& session, const Options& options, const std::string& path, std::uint64_t stream,
          const MatrixShape& shape, Program& program, const Array<T, 2>& matrix, const Rows& rows) {
  if (session.phantom()) return;
  if (program.takes_part()) program.refill(matrix);  // an earlier run may have left the newest values elsewhere
  if (options.held == Held::root) {
    agree(session.communicator(), [&] {
      if (session.rank() != options.root) return;
      T* const to = program.local(matrix).data();
      if (options.generated()) {
        fill_random(options.seed, stream, rows.first, rows.count, shape.columns, to);
      } else {
        read(path, shape, rows, to);
      }
    });
    return;
  }
  std::unique_ptr<MatrixFileReader> file;
  if (!options.generated()) {
    NpyHeader header;
    agree(session.communicator(), [&] {
      header = read_npy_header(path);
      check_unchanged(path, header, shape);
    });
    check_same_call(session.communicator(), fmt::format("reads {} in {} order from byte {} on", printable(path),
                                                        header.fortran_order ? "Fortran" : "C", header.data_offset));
    file = std::make_unique<MatrixFileReader>(session.communicator(), path, header);
  }
  for_parts(session, program, matrix, [&](const Part& part, T* to) {
    const Part in_matrix = part.elements() == 0 ? part : below(part, rows.first);
    if (file != nullptr) return file->read(in_matrix, false, to);
    fill_random(options.seed, stream, in_matrix, false, to);
  });
}

}  // namespace

template <class T>
void fill_a(Session& session, const Options& options, const Problem& problem, Program& program,
            const Matrices<T>& matrices, const Rows& rows) {
  fill(session, options, options.a, 0, {problem.shape.m, problem.shape.k}, program, matrices.a, rows);
}

template <class T>
void fill_b(Session& session, const Options& options, const Problem& problem, Program& program,
            const Matrices<T>& matrices) {
  const auto [m, n, k] = problem.shape;
  fill(session, options, options.b, 1, {k, n}, program, matrices.b, {0, k});
}

template <class T>
std::vector<Rank> ranks_of_row(const Program& program, const Matrices<T>& matrices, const std::vector<Part>& parts_of_c,
                               std::int64_t row) {
  const auto has_row = [row](const Part& part) {
    return part.elements() > 0 && part.first_row <= row && row < part.first_row + part.rows;
  };
  std::vector<Rank> ranks;
  if (!parts_of_c.empty()) {
    for (std::size_t rank = 0; rank < parts_of_c.size(); ++rank) {
      if (has_row(parts_of_c[rank])) ranks.push_back(static_cast<Rank>(rank));
    }
    return ranks;
  }
  const Distribution held = program.distribution(matrices.c);
  for (Rank member = 0; member < held.ranks(); ++member) {
    const std::vector<Part> parts = held.parts(member);
    if (std::any_of(parts.begin(), parts.end(), has_row)) {
      ranks.push_back(program.arrangement().members[static_cast<std::size_t>(member)]);
    }
  }
  return ranks;
}

template <class T>
Verification verify(Session& session, const Options& options, const Problem& problem, Program& program,
                    const Matrices<T>& matrices) {
  Verification result;
  if (session.phantom()) return result;
  Rank judge = options.root;
  if (options.held == Held::root) {
    agree(session.communicator(), [&] {
      if (session.rank() != options.root) return;
      result = freivalds(problem.shape, program.local(matrices.a).data(), program.local(matrices.b).data(),
                         program.local(matrices.c).data(), 2, options.seed);
    });
  } else {
    MPI_Comm members = MPI_COMM_NULL;
    check_mpi(
        MPI_Comm_split(session.communicator(), program.takes_part() ? 0 : MPI_UNDEFINED, session.rank(), &members),
        "MPI_Comm_split");
    judge = program.arrangement().members.front();
    if (members != MPI_COMM_NULL) {
      const auto collectives = session.make_collectives(Session::Kind::native, members);
      const Verification mine = verify_slice(*collectives, options, problem.shape, program, matrices);
      std::vector<Verification> all(static_cast<std::size_t>(collectives->ranks()));
      check_mpi(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, members),
                "MPI_Allgather");
      result = together(all, std::vector<std::int64_t>(all.size(), 0));
    }
    if (members != MPI_COMM_NULL) check_mpi(MPI_Comm_free(&members), "MPI_Comm_free");
  }
  check_mpi(MPI_Bcast(&result, sizeof result, MPI_BYTE, judge, session.communicator()), "MPI_Bcast");
  return result;
}

#define TOMBOLO_FOR(T)                                                                                                 \
  template void fill_a(Session&, const Options&, const Problem&, Program&, const Matrices<T>&, const Rows&);           \
  template void fill_b(Session&, const Options&, const Problem&, Program&, const Matrices<T>&);                        \
  template std::vector<Rank> ranks_of_row(const Program&, const Matrices<T>&, const std::vector<Part>&, std::int64_t); \
  template Verification verify(Session&, const Options&, const Problem&, Program&, const Matrices<T>&);
TOMBOLO_FOR(float)
TOMBOLO_FOR(double)
#undef TOMBOLO_FOR

}  // namespace tombolo::matmul
