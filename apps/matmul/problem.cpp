#include "matmul/problem.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/arrays/product/block_plan.hpp>
#include <tombolo/framework/arrays/rank_move.hpp>
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
double least_memory(const Problem& problem, const Options& options, int ranks, Rank rank) {
  if (options.held == Held::distributed) return 0;
  const GemmShape& s = problem.shape;
  if (options.may_be_in_blocks()) {
    const auto [rows, columns] = smallest_block(s, ranks);
    return bytes(problem, rows, s.k) + bytes(problem, s.k, columns) + bytes(problem, rows, columns);
  }
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
void read(const std::string& path, const MatrixShape& shape, const Part& part, T* to) {
  const NpyHeader header = read_npy_header(path);
  check_unchanged(path, header, shape);
  MatrixFileReader(MPI_COMM_SELF, path, header).read(part, false, to);
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
  if (!machine::simulated()) require_memory(session, least_memory(problem, options, session.ranks(), session.rank()));
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

/// A part of a matrix of which `part` is a part of `within`.
Part in_matrix(const Part& part, const Part& within) {
  return {part.first_row + within.first_row, part.rows, part.first_column + within.first_column, part.columns};
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

/// How members verify a product: each gets some rows of A and C, and group by group of columns all rows of B; B alone
/// would be too large.
class Slices {
 public:
  Slices(const GemmShape& shape, int members)
      : shape_(shape),
        width_(std::max(narrowest, (shape.n + members - 1) / members)),
        shares_(equal_shares(shape.m, members)),
        first_rows_(first_of(shares_)),
        owners_(shares_.size()) {
    std::iota(owners_.begin(), owners_.end(), 0);
  }

  std::int64_t first_row(Rank member) const { return first_rows_[static_cast<std::size_t>(member)]; }
  std::int64_t width() const { return width_; }
  Distribution a() const { return Distribution::rows(shares_, shape_.k); }

  /// Of the group of columns that begins at `first`: what a member multiplies, and what all have.
  GemmShape product(Rank member, std::int64_t first) const {
    return {.m = shares_[static_cast<std::size_t>(member)], .n = columns(first), .k = shape_.k};
  }
  Distribution b(std::int64_t first) const {
    const std::vector<Part> parts(shares_.size(), Part{0, shape_.k, first, columns(first)});
    return Distribution::rectangles({shape_.k, shape_.n}, parts, owners_, static_cast<int>(owners_.size()));
  }
  Distribution c(std::int64_t first) const {
    std::vector<Part> parts;
    for (std::size_t r = 0; r < shares_.size(); ++r)
      parts.push_back({first_rows_[r], shares_[r], first, columns(first)});
    return Distribution::rectangles({shape_.m, shape_.n}, parts, owners_, static_cast<int>(owners_.size()));
  }

 private:
  static constexpr std::int64_t narrowest = 1024;  // group of columns: A is read once for each

  std::int64_t columns(std::int64_t first) const { return std::min(width_, shape_.n - first); }

  GemmShape shape_;
  std::int64_t width_;
  std::vector<std::int64_t> shares_;
  std::vector<std::int64_t> first_rows_;
  std::vector<Rank> owners_;
};

template <class T>
Verification verify_slice(Collectives& members, const Options& options, const GemmShape& shape, Program& program,
                          const Matrices<T>& matrices) {
  const Slices slices(shape, members.ranks());
  const auto moved = [&](const Array<T, 2>& matrix, const Distribution& to) {
    std::vector<T> mine(static_cast<std::size_t>(to.elements(members.rank())));
    move(members, program.distribution(matrix), to, sizeof(T), mpi_type_of<T>(), program.local(matrix).data(),
         mine.data());
    return mine;
  };
  const std::vector<T> a = moved(matrices.a, slices.a());
  std::vector<Verification> verdicts;
  for (std::int64_t first = 0; first < shape.n; first += slices.width()) {
    const std::vector<T> b = moved(matrices.b, slices.b(first));
    const std::vector<T> c = moved(matrices.c, slices.c(first));
    verdicts.push_back(freivalds(slices.product(members.rank(), first), a.data(), b.data(), c.data(), 2, options.seed));
  }
  const std::vector<std::int64_t> offsets(verdicts.size(), slices.first_row(members.rank()));
  return together(verdicts, offsets);
}

double bytes_to_verify_slice(const Program& program, Rank member, const GemmShape& shape, Bytes element,
                             const std::array<AnyArray, 3>& matrices) {
  const Slices slices(shape, program.arrangement().ranks());
  const auto size = static_cast<double>(element);
  const auto moved = [&](const AnyArray& matrix, const Distribution& to) {
    const RankMove move({program.distribution(matrix), to}, member);
    return std::pair(static_cast<double>(to.elements(member)) * size,
                     static_cast<double>(move.packed_room() + move.arrived_room()) * size);
  };
  const auto [a, of_a] = moved(matrices[0], slices.a());
  double most = a + of_a;
  for (std::int64_t first = 0; first < shape.n; first += slices.width()) {
    const auto [b, of_b] = moved(matrices[1], slices.b(first));
    const auto [c, of_c] = moved(matrices[2], slices.c(first));
    most = std::max({most, a + b + of_b, a + b + c + of_c, a + b + c + freivalds_bytes(slices.product(member, first))});
  }
  return most;
}

}  // namespace

namespace {

/// A matrix of this shape, of which the program has `had`.
template <class T>
void fill(Session& session, const Options& options, const std::string& path, std::uint64_t stream,
          const MatrixShape& shape, Program& program, const Array<T, 2>& matrix, const Part& had) {
  if (session.phantom()) return;
  if (program.takes_part()) program.refill(matrix);  // an earlier run may have left the newest values elsewhere
  if (options.held == Held::root) {
    agree(session.communicator(), [&] {
      if (session.rank() != options.root) return;
      T* const to = program.local(matrix).data();
      if (options.generated()) {
        fill_random(options.seed, stream, had, false, to);
      } else {
        read(path, shape, had, to);
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
    const Part wanted = part.elements() == 0 ? part : in_matrix(part, had);
    if (file != nullptr) return file->read(wanted, false, to);
    fill_random(options.seed, stream, wanted, false, to);
  });
}

}  // namespace

template <class T>
void fill_a(Session& session, const Options& options, const Problem& problem, Program& program,
            const Matrices<T>& matrices, const Part& block) {
  const auto [m, n, k] = problem.shape;
  fill(session, options, options.a, 0, {m, k}, program, matrices.a, {block.first_row, block.rows, 0, k});
}

template <class T>
void fill_b(Session& session, const Options& options, const Problem& problem, Program& program,
            const Matrices<T>& matrices, const Part& block) {
  const auto [m, n, k] = problem.shape;
  fill(session, options, options.b, 1, {k, n}, program, matrices.b, {0, k, block.first_column, block.columns});
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

template <class T>
double bytes_to_verify(const Session& session, const Options& options, const GemmShape& shape, const Program& program,
                       const Matrices<T>& matrices) {
  if (options.held == Held::root) return session.rank() == options.root ? freivalds_bytes(shape) : 0;
  if (!program.takes_part()) return 0;
  return bytes_to_verify_slice(program, program.arrangement().member(session.rank()), shape, sizeof(T),
                               {matrices.a, matrices.b, matrices.c});
}

#define TOMBOLO_FOR(T)                                                                                                 \
  template void fill_a(Session&, const Options&, const Problem&, Program&, const Matrices<T>&, const Part&);           \
  template void fill_b(Session&, const Options&, const Problem&, Program&, const Matrices<T>&, const Part&);           \
  template std::vector<Rank> ranks_of_row(const Program&, const Matrices<T>&, const std::vector<Part>&, std::int64_t); \
  template Verification verify(Session&, const Options&, const Problem&, Program&, const Matrices<T>&);                \
  template double bytes_to_verify(const Session&, const Options&, const GemmShape&, const Program&, const Matrices<T>&);
TOMBOLO_FOR(float)
TOMBOLO_FOR(double)
#undef TOMBOLO_FOR

}  // namespace tombolo::matmul
