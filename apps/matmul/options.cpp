#include "matmul/options.hpp"

#include <array>
#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/machine.hpp>

#include "validators.hpp"

namespace tombolo::matmul {

void add_options(CLI::App& command, Options& options) {
  const std::string input = "Matrices";
  auto* a =
      command
          .add_option("--a", options.a, "A, an m x k matrix in a .npy file (float32 or float64, C or Fortran order)")
          ->transform(file_name())
          ->type_name("FILE.npy")
          ->group(input);
  auto* b = command.add_option("--b", options.b, "B, a k x n matrix of the same type")
                ->transform(file_name())
                ->type_name("FILE.npy")
                ->group(input);
  a->needs(b);
  b->needs(a);
  auto* size = command.add_option("--size", options.size, "Generate square matrices of this size instead");
  auto* m = command.add_option("--m", options.m, "Rows of a generated A; default: --size");
  auto* n = command.add_option("--n", options.n, "Columns of a generated B; default: --size");
  auto* k = command.add_option("--k", options.k, "Columns of a generated A and rows of B; default: --size");
  for (auto* option : {size, m, n, k}) {
    option->type_name("INT")->transform(whole_number(1))->group(input)->excludes(a)->excludes(b);
  }
  command.add_option("--seed", options.seed, "Seed of generated matrices; any number of ranks gives the same ones")
      ->capture_default_str()
      ->transform(whole_number(0))
      ->type_name("INT")
      ->group(input)
      ->excludes(a);
  add_choice<ElementType>(command, "--dtype", options.type,
                          {{"float64", ElementType::float64}, {"float32", ElementType::float32}},
                          "Element type of generated matrices: float64 (default) or float32")
      ->type_name("TYPE")
      ->group(input)
      ->excludes(a);
  command.add_option("--c", options.c, "Write C = A x B here (C order); default: C is verified and dropped")
      ->transform(file_name())
      ->type_name("FILE.npy")
      ->group(input);

  const std::string running = "How it runs";
  constexpr int most = std::numeric_limits<int>::max();
  add_choice<Shares>(command, "--shares", options.shares, {{"speed", Shares::speed}, {"equal", Shares::equal}},
                     "Rows per rank: in proportion to measured speed (default), or equal")
      ->type_name("speed|equal")
      ->group(running);
  add_choice<Session::Kind>(command, "--collectives", options.collectives,
                            {{"tombolo", Session::Kind::tombolo}, {"native", Session::Kind::native}},
                            "Planned collectives (default), or the MPI library's own")
      ->type_name("tombolo|native")
      ->group(running);
  command.add_option("--root", options.root, "The rank that holds A, B and C")
      ->capture_default_str()
      ->type_name("RANK")
      ->transform(whole_number(0, most))
      ->group(running);
  command
      .add_option("--threads", options.threads,
                  "BLAS threads per rank; default: the cores of each host, shared out among its ranks")
      ->type_name("INT")
      ->transform(whole_number(1, most))
      ->group(running);
  command.add_option("--report", options.report, "Write everything that is shown, and more, as JSON")
      ->transform(file_name())
      ->type_name("FILE.json")
      ->group(running);
  command
      .add_flag("--reference", options.reference,
                "Then multiply on the root alone with all its cores, one process, and compare")
      ->group(running);
  command
      .add_flag(
          "--phantom", options.phantom,
          "In a simulation: hold no matrices and multiply nothing, which takes the same simulated time; default:\n"
          "where they would not fit in memory")
      ->group(running);
}

namespace {

bool is_same_file(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  if (one.empty() || other.empty()) return false;
  return fs::weakly_canonical(fs::absolute(one)) == fs::weakly_canonical(fs::absolute(other));
}

}  // namespace

void complete(Options& options) {
  if (options.phantom && !machine::simulated()) {
    throw Error("--phantom without a simulation", "run it by scripts/simulate, or leave it out");
  }
  if (is_same_file(options.c, options.report)) {
    throw Error(fmt::format("--c {} and --report {} are the same file", options.c, options.report),
                "give them different names");
  }
  if (!options.generated()) return;
  if (options.size == 0 && options.m == 0 && options.n == 0 && options.k == 0) {
    throw Error("no matrices to multiply", "give --a and --b, or --size, or --m, --n and --k");
  }
  using Dimension = std::pair<const char*, std::int64_t*>;
  for (const auto& [name, dimension] :
       std::array{Dimension{"--m", &options.m}, Dimension{"--n", &options.n}, Dimension{"--k", &options.k}}) {
    if (*dimension == 0) *dimension = options.size;
    if (*dimension == 0) throw Error(fmt::format("{} is missing", name), "give it, or --size for all that are missing");
  }
}

}  // namespace tombolo::matmul
