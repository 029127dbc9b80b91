#include <algorithm>
#include <complex>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/matrix.hpp>

#include "predict/prediction.hpp"
#include "predict/speeds.hpp"
#include "run/report.hpp"
#include "transpose/problem.hpp"
#include "transpose/report.hpp"
#include "transpose/two_buffers.hpp"

namespace tombolo::predicting {

namespace {

template <Element T>
Prediction predicted(Session& imagined, const transposition::Options& options, const transposition::Problem& problem) {
  const auto [m, n] = problem.a;
  Speeds speeds = transpose_speeds(imagined, problem.type, {(m - 1) / imagined.ranks() + 1, n});
  const transposition::Layouts layouts = find_layouts(imagined, options, problem, speeds.of_ranks);
  transposition::TwoBuffers<T> way(imagined, options, layouts, speeds.of_ranks);
  Prediction result{
      .what = transposition::described(layouts, problem.type),
      .in_general = fmt::format("B = A^T, {}, A by {}, B by {}", element_info(problem.type).name,
                                transposition::name(options.layout_of_a()), transposition::name(options.layout_of_b())),
      .shape = {{"m", m}, {"n", n}},
      .way = layouts.moves.is_view() ? "view: nothing moves" : "shares " + layouts.shared,
      .shared = {},
      .shares = Blocks(std::vector<std::int64_t>{}),
      .run = way.predicted(),
      .speeds = std::move(speeds.source)};
  std::tie(result.shared, result.shares) = transposition::shares_of(layouts.a);
  for (Rank rank = 0; rank < imagined.ranks(); ++rank) {
    result.memory = std::max(result.memory, transposition::bytes_of_two_buffers(layouts, rank, sizeof(T)));
  }
  return result;
}

Prediction predicted(Session& imagined, const transposition::Options& options, const transposition::Problem& problem) {
  switch (problem.type) {
    case ElementType::float32:
      return predicted<float>(imagined, options, problem);
    case ElementType::float64:
      return predicted<double>(imagined, options, problem);
    case ElementType::complex64:
      return predicted<std::complex<float>>(imagined, options, problem);
    case ElementType::complex128:
      break;
  }
  return predicted<std::complex<double>>(imagined, options, problem);
}

}  // namespace

Predictor predictor(const transposition::Options& options) {
  const auto predict = [options](Session& imagined, std::int64_t size, Rank) {
    transposition::Options asked = options;
    asked.size = size;
    if (std::max({asked.size, asked.m, asked.n}) == 0)  // there is no file here
      throw Error("no matrix to transpose", "give --size, or --m and --n");
    transposition::complete(asked);
    const transposition::Problem problem{{asked.m, asked.n}, asked.type, {}};
    check_size(problem.a, problem.type);
    return predicted(imagined, asked, problem);
  };
  return {.name = "transpose", .root = {}, .chooses = options.run.shares == SharePolicy::best, .predict = predict};
}

}  // namespace tombolo::predicting
