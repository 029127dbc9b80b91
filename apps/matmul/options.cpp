#include "matmul/options.hpp"

#include <limits>
#include <string>

#include <fmt/format.h>

#include <tombolo/units.hpp>

#include "run/memory_limit.hpp"

namespace tombolo::matmul {

std::vector<CLI::Option*> add_shape(OptionGroup& input, Options& options) {
  return {input.integer("--m", options.m, "Rows of a generated A; default: --size", 1),
          input.integer("--n", options.n, "Columns of a generated B; default: --size", 1),
          input.integer("--k", options.k, "Columns of a generated A and rows of B; default: --size", 1),
          input.choice<ElementType>("--dtype", options.type,
                                    {{"float64", ElementType::float64}, {"float32", ElementType::float32}},
                                    "Element type of generated matrices: float64 (default) or float32", "TYPE")};
}

void add_method(CLI::App& command, Options& options) {
  OptionGroup how(command, how_it_runs);
  how.choice<Method>(
      "--algorithm", options.method, {{"auto", Method::best}, {"rows", Method::rows}, {"columns", Method::columns}},
      "Rows of C with all of B on every rank; columns of rectangles of C, with the rows of A and columns "
      "of B that each needs; or what is predicted to be the fastest (auto, the default)",
      "auto|rows|columns");
  how.choice<Held>("--held", options.held, {{"root", Held::root}, {"distributed", Held::distributed}},
                   "Where A and B are before, and C after: on the root (default), or in parts on all ranks, which "
                   "generate, read and write their own",
                   "root|distributed");
  how.integer("--root", options.root, "The rank that holds A, B and C", 0, std::numeric_limits<Rank>::max(), "RANK")
      ->capture_default_str();
  add_shares_and_collectives(command, options.run);
  how.integer("--panels", options.panels,
              "Panels of rows, so that moving one overlaps with multiplying another; 1: nothing overlaps; default: as "
              "predicted to be best",
              1);
  how.integer("--stages", options.stages,
              "Stages of columns of C, of which each returns to the root while what the next ones need is on its way; "
              "for columns, held by the root; default: as predicted to be best",
              1);
}

void add_options(CLI::App& command, Options& options) {
  OptionGroup input(command, "Matrices");
  auto* a = input.input("--a", options.a, "A, an m x k matrix in a .npy file (float32 or float64, C or Fortran order)",
                        "FILE.npy");
  auto* b = input.input("--b", options.b, "B, a k x n matrix of the same type", "FILE.npy");
  a->needs(b);
  b->needs(a);
  auto* size = input.integer("--size", options.size, "Generate square matrices of this size instead", 1);
  std::vector<CLI::Option*> generated = add_shape(input, options);
  generated.push_back(size);
  generated.push_back(input.seed(options.seed, "Seed of generated matrices; any number of ranks gives the same ones"));
  for (CLI::Option* const option : generated) option->excludes(a)->excludes(b);
  input.output("--c", options.c, "Write C = A x B here (C order); default: C is verified and dropped", "FILE.npy");

  add_method(command, options);
  OptionGroup how(command, how_it_runs);
  how.threads(options.threads);
  add_memory(
      how, options.memory,
      "C in blocks, so that no rank takes more than this, as 1536M; default: as a whole where it fits in what is "
      "free, else, with --a or --c, in blocks that do");
  add_trace(command, options.trace);
  add_recording(
      command, options.recording,
      "Multiply blocks that take at most about so long to compute, as 90s, 10m or 2h, and record each in the "
      "file of --c, so that --resume can go on; default: 10m with --resume, else C as a whole",
      "Go on from the finished blocks of an earlier run, on any number of ranks, and record those of this one");
  how.flag("--explain", options.explain,
           "Also tell the predicted time of each way that was compared, its computation and the data that ranks need, "
           "and the plan of each task");
  add_report_and_phantom(command, options.run);
  how.flag("--reference", options.reference,
           "Then multiply on the root alone with all its cores, one process, and compare");
}

namespace {

void check_blocks(const Options& options) {
  if (!options.in_blocks()) return;
  const std::string asked = options.memory > 0 ? "--memory" : options.recording.option();
  const auto refuse = [&](const std::string& what) { throw Error(asked + what, "leave one of the two out"); };
  if (options.recording.wanted() && options.c.empty()) {
    throw Error(std::string(options.recording.option()) + " without --c: only what is written can be gone on from",
                "give --c, or leave it out");
  }
  if (options.recording.wanted() && options.run.phantom) {
    throw Error(std::string(options.recording.option()) + " and --phantom: there is nothing to record",
                "leave one of the two out");
  }
  if (options.reference) refuse(" and --reference: the product is made block by block");
  if (!options.trace.empty()) refuse(" and --trace: blocks of a product are not traced");
}

}  // namespace

void complete(Options& options) {
  check_phantom_wanted(options.run);
  check_blocks(options);
  if (options.reference && options.held == Held::distributed) {
    throw Error("--reference with --held distributed, where no rank has all of A and B", "leave one of the two out");
  }
  if (options.stages > 1 && (options.held == Held::distributed || options.method == Method::rows)) {
    throw Error(fmt::format("--stages {} without columns that the root collects", options.stages),
                "leave it out, or take --held root and --algorithm columns");
  }
  if (options.stages > 1 && options.panels == 1) {
    throw Error(fmt::format("--stages {} and --panels 1, with which nothing overlaps", options.stages),
                "leave one of the two out");
  }
  if (!options.generated()) return;
  complete_dimensions(options.size, {{"--m", &options.m}, {"--n", &options.n}, {"--k", &options.k}},
                      "no matrices to multiply", "give --a and --b, or --size, or --m, --n and --k");
}

}  // namespace tombolo::matmul
