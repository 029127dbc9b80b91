#include "matmul/problem.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/framework/arrays/product/block_plan.hpp>
#include <tombolo/framework/matrix/freivalds.hpp>
#include <tombolo/framework/matrix/random_matrix.hpp>
#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/framework/mpi/session/same_call.hpp>
#include <tombolo/framework/program/declare/arrangement.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
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

// Returns the bytes of a rank without rows; the root verifies. Distributed, a rank may have nothing.
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

  // The memory that a rank needs whatever the shares; a simulation has none.
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

namespace {

/// Over the ranks that verify a product together.
class OverRanks : public Combination {
 public:
  OverRanks(Collectives& members, MPI_Comm communicator) : members_(members), communicator_(communicator) {}
  void sum(std::span<double> values) override { combine(values, MPI_SUM); }
  void largest(std::span<double> values) override { combine(values, MPI_MAX); }

 private:
  void combine(std::span<double> values, MPI_Op op) {
    constexpr std::size_t at_once = 1 << 18;  // 2 MB: plans need scratch memory in proportion
    for (std::size_t first = 0; first < values.size(); first += at_once) {
      const auto some = values.subspan(first, std::min(at_once, values.size() - first));
      share_plan(std::ssize(some));
      members_.allreduce(MPI_IN_PLACE, some.data(), static_cast<std::int64_t>(some.size()), MPI_DOUBLE, op);
    }
  }

  // One rank searches for a plan, as ranks may share cores.
  void share_plan(std::int64_t count) {
    auto* const planned = dynamic_cast<PlannedCollectives*>(&members_);
    if (planned == nullptr || !shared_.insert(count).second) return;
    const Request request = Request::allreduce(members_.ranks(), count, sizeof(double));
    Planner& planner = *planned->planner();
    if (planner.backend(request) == Backend::native) return;
    std::string plan;
    agree(communicator_, [&] {
      if (members_.rank() == 0) plan = planner.plan_text(planner.plan(request));
    });
    planner.use_plan_text({request}, text_from(communicator_, 0, std::move(plan)));
  }

  Collectives& members_;
  MPI_Comm communicator_;
  std::set<std::int64_t> shared_;  // numbers of elements whose plan all ranks have
};

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
      const auto collectives = session.make_collectives(options.run.collectives, members);
      OverRanks ranks(*collectives, members);
      const auto held = [&](const Array<T, 2>& matrix) {
        std::vector<MatrixPart<T>> parts;
        for_parts(session, program, matrix, [&](const Part& part, const T* at) { parts.push_back({part, at}); });
        return parts;
      };
      result =
          freivalds<T>(problem.shape, held(matrices.a), held(matrices.b), held(matrices.c), ranks, 2, options.seed);
    }
    if (members != MPI_COMM_NULL) check_mpi(MPI_Comm_free(&members), "MPI_Comm_free");
  }
  check_mpi(MPI_Bcast(&result, sizeof result, MPI_BYTE, judge, session.communicator()), "MPI_Bcast");
  return result;
}

double bytes_to_verify(const Session& session, const Options& options, const GemmShape& shape, const Program& program) {
  const bool takes_part = options.held == Held::root ? session.rank() == options.root : program.takes_part();
  return takes_part ? freivalds_bytes(shape) : 0;
}

#define TOMBOLO_FOR(T)                                                                                                 \
  template void fill_a(Session&, const Options&, const Problem&, Program&, const Matrices<T>&, const Part&);           \
  template void fill_b(Session&, const Options&, const Problem&, Program&, const Matrices<T>&, const Part&);           \
  template std::vector<Rank> ranks_of_row(const Program&, const Matrices<T>&, const std::vector<Part>&, std::int64_t); \
  template Verification verify(Session&, const Options&, const Problem&, Program&, const Matrices<T>&);
TOMBOLO_FOR(float)
TOMBOLO_FOR(double)
#undef TOMBOLO_FOR

}  // namespace tombolo::matmul
