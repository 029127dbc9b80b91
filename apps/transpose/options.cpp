#include "transpose/options.hpp"

#include "run/checks.hpp"
#include "run/dimensions.hpp"
#include "validators.hpp"

namespace tombolo::transposition {

void add_options(CLI::App& command, Options& options) {
  const std::string input = "Matrices";
  auto* in = command
                 .add_option("--in", options.in,
                             "A, a matrix in a .npy file (float32, float64, complex64 or complex128, C or Fortran "
                             "order); all ranks read it")
                 ->transform(file_name())
                 ->type_name("FILE.npy")
                 ->group(input);
  auto* size = command.add_option("--size", options.size, "Generate a square matrix of this size instead");
  auto* m = command.add_option("--m", options.m, "Rows of a generated A; default: --size");
  auto* n = command.add_option("--n", options.n, "Columns of a generated A; default: --size");
  for (auto* option : {size, m, n}) {
    option->type_name("INT")->transform(whole_number(1))->group(input)->excludes(in);
  }
  command.add_option("--seed", options.seed, "Seed of a generated matrix; any number of ranks gives the same one")
      ->capture_default_str()
      ->transform(whole_number(0))
      ->type_name("INT")
      ->group(input)
      ->excludes(in);
  add_choice<ElementType>(command, "--dtype", options.type,
                          {{"float64", ElementType::float64}, {"float32", ElementType::float32}},
                          "Element type of a generated matrix: float64 (default) or float32")
      ->type_name("TYPE")
      ->group(input)
      ->excludes(in);
  command
      .add_option("--out", options.out,
                  "Write B here (C order), all ranks their rows at once; default: B is verified and dropped")
      ->transform(file_name())
      ->type_name("FILE.npy")
      ->group(input);
  add_shares_and_collectives(command, options.run);
  add_report_and_phantom(command, options.run);
}

void complete(Options& options) {
  check_not_report("--in", options.in, options.run);
  check_not_report("--out", options.out, options.run);
  check_phantom_wanted(options.run);
  if (!options.generated()) return;
  complete_dimensions(options.size, {{"--m", &options.m}, {"--n", &options.n}}, "no matrix to transpose",
                      "give --in, or --size, or --m and --n");
}

}  // namespace tombolo::transposition
