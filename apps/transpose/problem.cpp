#include "transpose/problem.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/arrays/transpose/assign_parts.hpp>
#include <tombolo/framework/arrays/transpose/transpose_shares.hpp>
#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/framework/matrix/random_matrix.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/platform/readable.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/memory.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

#include "run/options.hpp"

namespace tombolo::transposition {

namespace {

// Gives all ranks the problem that rank 0 has found.
void broadcast(Session& session, Problem& problem) {
  std::array<std::int64_t, 3> agreed{problem.a.rows, problem.a.columns, static_cast<std::int64_t>(problem.type)};
  check_mpi(MPI_Bcast(agreed.data(), agreed.size(), MPI_INT64_T, 0, session.communicator()), "MPI_Bcast");
  problem.a = {agreed[0], agreed[1]};
  problem.type = static_cast<ElementType>(agreed[2]);
}

// Reads the header of A. Throws if this rank does not see the file that rank 0 has seen.
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

using Weights = std::vector<std::int64_t>;

/// Returns the share of each rank in its host's free memory.
std::vector<Bytes> room_of_ranks(Session& session) {
  if (session.imagined() || machine::simulated()) {
    return std::vector<Bytes>(static_cast<std::size_t>(session.ranks()), std::numeric_limits<Bytes>::max());
  }
  constexpr Bytes unlimited = Bytes{1} << 48;  // which may be added up
  const Bytes free = std::min(available_memory(), unlimited);
  return of_all_ranks(session.communicator(),
                      free / session.processors()[static_cast<std::size_t>(session.rank())].ranks_on_host);
}

TransposeShares find_shares(Session& session, const Options& options, const Problem& problem,
                            const std::vector<BytesPerSecond>& speeds) {
  if (options.run.shares == SharePolicy::equal) return {.weights = Weights(speeds.size(), 1), .how = "equal"};
  if (options.run.shares == SharePolicy::speed) return {.weights = speeds, .how = "by the speed of transposing"};
  const std::vector<Bytes> room = room_of_ranks(session);
  // A rank cannot be left out of a grid.
  const bool some = options.layout_of_a() != Layout::Kind::blocks && options.layout_of_b() != Layout::Kind::blocks;
  return shares_by_links({.platform = &session.platform(), .memory = speeds, .room = room}, problem.a,
                         element_info(problem.type).bytes, some);
}

/// As many places as ranks, as near to square as they allow, higher than wide where the matrix is.
GridShape near_square(int ranks, const MatrixShape& shape) {
  int less = 1;
  for (int divisor = 1; divisor <= ranks / divisor; ++divisor) {
    if (ranks % divisor == 0) less = divisor;
  }
  const GridShape wide{less, ranks / less};
  return shape.rows > shape.columns ? wide.transposed() : wide;
}

void check_grid(const std::string& option, const GridShape& grid, int ranks) {
  const std::int64_t places = std::int64_t{grid.rows} * grid.columns;
  if (places == ranks) return;
  const GridShape fits = near_square(ranks, {1, 1});
  throw Error(
      fmt::format("{} {}x{} has {} places for {}", option, grid.rows, grid.columns, places, counted(ranks, "rank")),
      fmt::format("give {} {}x{}, or start {} ranks", option, fits.rows, fits.columns, places));
}

/// A band of a grid weighs as much as all ranks in it.
Layout blocks(const MatrixShape& shape, const GridShape& grid, const Weights& weights) {
  Weights rows(static_cast<std::size_t>(grid.rows), 0);
  Weights columns(static_cast<std::size_t>(grid.columns), 0);
  for (std::size_t place = 0; place < weights.size(); ++place) {
    rows[place / columns.size()] += weights[place];
    columns[place % columns.size()] += weights[place];
  }
  return Layout::blocks(proportional_shares(shape.rows, rows), proportional_shares(shape.columns, columns));
}

Layout layout_of(Layout::Kind kind, const MatrixShape& shape, const GridShape& grid, const Weights& weights) {
  switch (kind) {
    case Layout::Kind::rows:
      return Layout::rows(proportional_shares(shape.rows, weights), shape.columns);
    case Layout::Kind::columns:
      return Layout::columns(shape.rows, proportional_shares(shape.columns, weights));
    case Layout::Kind::blocks:
      break;
  }
  return blocks(shape, grid, weights);
}

/// The blocks of A, turned.
Layout turned(const Layout& a) {
  Weights heights;
  Weights widths;
  for (int j = 0; j < a.grid_columns(); ++j) heights.push_back(a.part_at(j).columns);
  for (int i = 0; i < a.grid_rows(); ++i) widths.push_back(a.part_at(i * a.grid_columns()).rows);
  return Layout::blocks(heights, widths);
}

/// Found on rank 0, for GLPK takes floating point, and time.
std::vector<Rank> owners_of_b(Session& session, const Layout& a, const Layout& b) {
  std::vector<Rank> owners(static_cast<std::size_t>(session.ranks()));
  const Platform& platform = session.platform();
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;
    const Layout assigned = assign_parts(a, b, &platform);
    for (std::size_t place = 0; place < owners.size(); ++place) owners[place] = assigned.owner(static_cast<int>(place));
  });
  check_mpi(MPI_Bcast(owners.data(), session.ranks(), MPI_INT32_T, 0, session.communicator()), "MPI_Bcast");
  return owners;
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
    if (session.rank() == 0 && !options.out.empty())
      check_result(options.out, bytes_of(problem.a, problem.type), options.recording);
    check_report(session, options.run);
  });
  return problem;
}

template <Element T>
void fill(Session& session, const Options& options, const Problem& problem, const Part& part, bool by_columns, T* to) {
  if (options.generated()) {
    agree(session.communicator(), [&] { fill_random(options.seed, 0, part, by_columns, to); });
  } else {
    MatrixFileReader(session.communicator(), options.in, problem.header).read(part, by_columns, to);
  }
}

#define TOMBOLO_FOR(T) template void fill(Session&, const Options&, const Problem&, const Part&, bool, T*);
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

Layouts find_layouts(Session& session, const Options& options, const Problem& problem,
                     const std::vector<BytesPerSecond>& speeds) {
  const int ranks = session.ranks();
  const GridShape grid = options.grid.value_or(near_square(ranks, problem.a));
  const bool both = options.layout_of_a() == Layout::Kind::blocks;
  const GridShape to_grid = options.to_grid.value_or(both ? grid.transposed() : near_square(ranks, problem.b()));
  agree(session.communicator(), [&] {
    if (options.grid) check_grid("--grid", grid, ranks);
    if (options.to_grid) check_grid("--to-grid", to_grid, ranks);
  });
  const TransposeShares shares = find_shares(session, options, problem, speeds);
  const Layout a = layout_of(options.layout_of_a(), problem.a, grid, shares.weights);
  const bool is_turned = both && options.layout_of_b() == Layout::Kind::blocks && to_grid == grid.transposed();
  Layout b = is_turned ? turned(a) : layout_of(options.layout_of_b(), problem.b(), to_grid, shares.weights);
  int relabelled = 0;
  if (options.relabel) {
    const std::vector<Rank> owners = owners_of_b(session, a, b);
    for (Rank place = 0; place < ranks; ++place) relabelled += owners[static_cast<std::size_t>(place)] != place ? 1 : 0;
    b = b.placed(owners);
  }
  const Redistribution moves(Distribution(a), Distribution(b), true);
  return {.a = a, .b = b, .moves = moves, .shared = shares.how, .relabelled = relabelled, .stayed = moves.staying()};
}

}  // namespace tombolo::transposition
