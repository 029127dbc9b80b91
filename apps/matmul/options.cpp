#include "matmul/options.hpp"

#include <map>

#include <tombolo/platform/error.hpp>

namespace tombolo::matmul {

namespace {

CLI::Validator at_least(std::int64_t least) {
  return CLI::Validator(
      [least](std::string& text) {
        std::int64_t value = 0;
        const bool is_number = CLI::detail::lexical_cast(text, value);
        if (is_number && value >= least) return std::string();
        return "'" + text + "' is not a whole number of at least " + std::to_string(least);
      },
      "");
}

template <class T>
CLI::Option* add_choice(CLI::App& command, const std::string& name, T& value, const std::map<std::string, T>& names,
                        const std::string& help) {
  return command.add_option(name, value, help)->transform(CLI::CheckedTransformer(names).description(""));
}

}  // namespace

void add_options(CLI::App& command, Options& options) {
  const std::string input = "Matrices";
  auto* a =
      command
          .add_option("--a", options.a, "A, an m x k matrix in a .npy file (float32 or float64, C or Fortran order)")
          ->type_name("FILE.npy")
          ->group(input);
  auto* b =
      command.add_option("--b", options.b, "B, a k x n matrix of the same type")->type_name("FILE.npy")->group(input);
  a->needs(b);
  b->needs(a);
  auto* size = command.add_option("--size", options.size, "Generate square matrices of this size instead");
  auto* m = command.add_option("--m", options.m, "Rows of a generated A; default: --size");
  auto* n = command.add_option("--n", options.n, "Columns of a generated B; default: --size");
  auto* k = command.add_option("--k", options.k, "Columns of a generated A and rows of B; default: --size");
  for (auto* option : {size, m, n, k}) {
    option->type_name("INT")->check(at_least(1))->group(input)->excludes(a)->excludes(b);
  }
  command.add_option("--seed", options.seed, "Seed of generated matrices; any number of ranks gives the same ones")
      ->capture_default_str()
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
      ->type_name("FILE.npy")
      ->group(input);

  const std::string running = "How it runs";
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
      ->check(at_least(0))
      ->group(running);
  command
      .add_option("--threads", options.threads,
                  "BLAS threads per rank; default: the cores of each host, shared out among its ranks")
      ->type_name("INT")
      ->check(at_least(1))
      ->group(running);
  command.add_option("--report", options.report, "Write everything that is shown, and more, as JSON")
      ->type_name("FILE.json")
      ->group(running);
  command
      .add_flag("--reference", options.reference,
                "Then multiply on the root alone with all its cores, one process, and compare")
      ->group(running);
}

void complete(Options& options) {
  if (!options.generated()) return;
  for (std::int64_t* dimension : {&options.m, &options.n, &options.k}) {
    if (*dimension == 0) *dimension = options.size;
    if (*dimension == 0) {
      throw Error("no matrices to multiply", "give --a and --b, or --size, or --m, --n and --k");
    }
  }
}

}  // namespace tombolo::matmul
