#include "matmul/options.hpp"

#include <limits>

#include "files.hpp"
#include "run/checks.hpp"
#include "run/dimensions.hpp"
#include "validators.hpp"

namespace tombolo::matmul {

void add_options(CLI::App& command, Options& options) {
  const std::string input = "Matrices";
  auto* a =
      command
          .add_option("--a", options.a, "A, an m x k matrix in a .npy file (float32 or float64, C or Fortran order)")
          ->transform(input_file())
          ->type_name("FILE.npy")
          ->group(input);
  auto* b = command.add_option("--b", options.b, "B, a k x n matrix of the same type")
                ->transform(input_file())
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
      ->transform(output_file())
      ->type_name("FILE.npy")
      ->group(input);

  command.add_option("--root", options.root, "The rank that holds A, B and C")
      ->capture_default_str()
      ->type_name("RANK")
      ->transform(whole_number(0, std::numeric_limits<Rank>::max()))
      ->group(how_it_runs);
  add_shares_and_collectives(command, options.run);
  command
      .add_option("--panels", options.panels,
                  "Panels of rows, so that moving one overlaps with multiplying another; 1: nothing overlaps; default: "
                  "as predicted to be best")
      ->type_name("INT")
      ->transform(whole_number(1, std::numeric_limits<int>::max()))
      ->group(how_it_runs);
  command
      .add_option("--threads", options.threads,
                  "BLAS threads per rank; default: the cores of each host, shared out among its ranks")
      ->type_name("INT")
      ->transform(whole_number(1, std::numeric_limits<int>::max()))
      ->group(how_it_runs);
  add_trace(command, options.trace);
  add_report_and_phantom(command, options.run);
  command
      .add_flag("--reference", options.reference,
                "Then multiply on the root alone with all its cores, one process, and compare")
      ->group(how_it_runs);
}

void complete(Options& options) {
  check_phantom_wanted(options.run);
  if (!options.generated()) return;
  complete_dimensions(options.size, {{"--m", &options.m}, {"--n", &options.n}, {"--k", &options.k}},
                      "no matrices to multiply", "give --a and --b, or --size, or --m, --n and --k");
}

}  // namespace tombolo::matmul
