#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/program/plan/array_room.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/program.hpp>

#include "matmul/method.hpp"
#include "matmul/problem.hpp"
#include "matmul/report.hpp"
#include "predict/prediction.hpp"
#include "predict/speeds.hpp"
#include "run/report.hpp"

namespace tombolo::predicting {

namespace {

double largest_memory(const Program& program) {
  double largest = 0;
  for (Rank member = 0; member < program.arrangement().ranks(); ++member) {
    double bytes = 0;
    for (const ArrayRoom& room : rooms_of(program.declaration(), program.arrangement(), member)) bytes += room.bytes;
    largest = std::max(largest, bytes);
  }
  return largest;
}

template <class T>
Prediction predicted(Session& imagined, const matmul::Options& options, const matmul::Problem& problem) {
  const auto [m, n, k] = problem.shape;
  Speeds speeds = gemm_speeds(imagined, problem.type, problem.shape);
  const double all_speeds = std::accumulate(speeds.of_ranks.begin(), speeds.of_ranks.end(), 0.0);
  const matmul::Declared<T> declared = matmul::declare_product<T>(imagined, options, problem, speeds.of_ranks);
  declared.program->plan();
  const RunReport& run = declared.program->predicted();
  const std::string how =
      fmt::format("{}, {}", element_info(problem.type).name,
                  options.held == matmul::Held::distributed ? "in parts on all ranks"
                                                            : fmt::format("held by rank {}", options.root));
  Prediction result{.what = fmt::format("C = A x B: A {} x {}, B {} x {}, {}", m, k, k, n, how),
                    .in_general = "C = A x B, " + how,
                    .shape = {{"m", m}, {"n", n}, {"k", k}},
                    .way = "rows by " + run.how,
                    .shared = "rows",
                    .shares = shares_of(run),
                    .run = run,
                    .memory = largest_memory(*declared.program),
                    .full_speed_s = flops(problem.shape) / all_speeds,
                    .speeds = std::move(speeds.source)};
  if (!declared.parts_of_c.empty()) {
    std::vector<std::int64_t> elements;
    for (const Part& part : declared.parts_of_c) elements.push_back(part.elements());
    result.shared = "elements";
    result.shares = Blocks(std::move(elements));
  }
  if (!declared.compared.empty()) {
    if (declared.algorithm == "columns") result.way = declared.compared.front().name;
    result.compared = matmul::to_json(declared.compared);
    result.chosen = matmul::chosen_of(declared.compared);
    result.explained = matmul::explained(declared.compared);
  }
  return result;
}

}  // namespace

Predictor predictor(const matmul::Options& options) {
  const auto predict = [options](Session& imagined, std::int64_t size, Rank root) {
    matmul::Options asked = options;
    asked.size = size;
    asked.root = root;
    if (std::max({asked.size, asked.m, asked.n, asked.k}) == 0)  // there are no files here
      throw Error("no matrices to multiply", "give --size, or --m, --n and --k");
    matmul::complete(asked);
    const matmul::Problem problem{{.m = asked.m, .n = asked.n, .k = asked.k}, asked.type};
    check_root(imagined, root);
    matmul::check_sizes(problem);
    return problem.type == ElementType::float32 ? predicted<float>(imagined, asked, problem)
                                                : predicted<double>(imagined, asked, problem);
  };
  const bool rooted = options.held == matmul::Held::root;
  return {.name = "matmul",
          .root = rooted ? std::optional(options.root) : std::nullopt,
          .chooses = options.run.shares == SharePolicy::best,
          .predict = predict};
}

}  // namespace tombolo::predicting
