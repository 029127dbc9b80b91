#include "matmul/block_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <tombolo/framework/arrays/product/block_plan.hpp>
#include <tombolo/units.hpp>

namespace tombolo::matmul {

namespace {

constexpr double usual_seconds = 600;  // of the computation of a block that is recorded

/// Rows of blocks as equal as possible, which take about so many seconds each if every rank computes at its speed.
std::int64_t height_of_blocks(const GemmShape& shape, const std::vector<FlopsPerSecond>& speeds, double seconds) {
  const double each = std::accumulate(speeds.begin(), speeds.end(), 0.0) * seconds;
  const auto rows = static_cast<double>(shape.m);
  const auto blocks = static_cast<std::int64_t>(std::clamp(std::ceil(flops(shape) / each), 1.0, std::max(rows, 1.0)));
  return (shape.m - 1) / blocks + 1;
}

/// Finds blocks that fit.
template <class T>
class BlockChoice {
 public:
  BlockChoice(Session& session, const Options& options, const Problem& problem,
              const std::vector<FlopsPerSecond>& speeds)
      : session_(session), options_(options), problem_(problem), speeds_(speeds) {}

  BlockProgram<T> within(const MemoryLimit& limit) {
    const auto [m, n, k] = problem_.shape;
    const MatrixShape whole{m, n};
    const MatrixShape first = as_long_as_asked(whole);
    if (limit.bytes == 0) return look_at(first, 0);
    Bytes before = memory_before(session_);
    if (BlockProgram<T> all = look_at(first, room(limit, before)); all.declared.program) return all;
    const double first_needs = needed_;
    before = memory_before(session_);  // what planning takes is taken
    const double most = room(limit, before);
    const MatrixShape smallest = smallest_block(problem_.shape, session_.ranks());
    BlockProgram<T> found = look_at(smallest, most);
    const double least = needed_;
    agree(session_.communicator(), [&] {
      if (!found.declared.program) throw no_room(limit, "blocks", before, least);
    });
    const BlockNeeds needs{.smallest = least,
                           .high = need_of({m, smallest.columns}),
                           .wide = need_of({smallest.rows, n}),
                           .whole = first == whole ? first_needs : need_of(whole)};
    constexpr double less = 0.95;  // where the estimate was too low
    for (double aim = most; aim > least; aim *= less) {
      const MatrixShape block = as_long_as_asked(plan_block(problem_.shape, session_.ranks(), needs, aim));
      if (BlockProgram<T> larger = look_at(block, most); larger.declared.program) return larger;
    }
    return found;
  }

 private:
  static constexpr double nothing = 1;  // bytes, in which no product fits: what is wanted is what it needs

  static double room(const MemoryLimit& limit, Bytes before) {
    return std::max(static_cast<double>(limit.bytes - before), nothing);
  }

  /// The block with fewer rows, if it is to be recorded earlier.
  MatrixShape as_long_as_asked(const MatrixShape& block) const {
    if (!options_.recording.wanted()) return block;
    const double seconds = options_.recording.every_s > 0 ? options_.recording.every_s : usual_seconds;
    const GemmShape all{.m = problem_.shape.m, .n = block.columns, .k = problem_.shape.k};
    return {std::min(block.rows, height_of_blocks(all, speeds_, seconds)), block.columns};
  }

  BlockProgram<T> look_at(const MatrixShape& block, double most) {
    Problem problem = problem_;
    problem.shape.m = block.rows;
    problem.shape.n = block.columns;
    Found<T> found = find_product<T>(session_, options_, problem, speeds_, most);
    needed_ = found.least_needed;
    return {block, std::move(found.product)};
  }

  double need_of(const MatrixShape& block) {
    look_at(block, nothing);
    return needed_;
  }

  Session& session_;
  const Options& options_;
  const Problem& problem_;
  const std::vector<FlopsPerSecond>& speeds_;
  double needed_ = 0;  // by what was looked at last
};

}  // namespace

template <class T>
MemoryLimit block_limit(Session& session, const Options& options, const Problem& problem, const Declared<T>& whole) {
  double needed = 0;
  if (!options.in_blocks()) {
    needed =
        whole.program ? bytes_needed(session, options, problem.shape, whole) : std::numeric_limits<double>::infinity();
  }
  return memory_limit(session, options.memory,
                      {.bytes = needed, .in_parts = options.in_blocks(), .matrices = "A, B and C", .parts = "blocks"});
}

template <class T>
BlockProgram<T> choose_blocks(Session& session, const Options& options, const Problem& problem,
                              const std::vector<FlopsPerSecond>& speeds, const MemoryLimit& limit) {
  return BlockChoice<T>(session, options, problem, speeds).within(limit);
}

#define TOMBOLO_FOR(T)                                                                                                 \
  template MemoryLimit block_limit(Session&, const Options&, const Problem&, const Declared<T>&);                      \
  template BlockProgram<T> choose_blocks(Session&, const Options&, const Problem&, const std::vector<FlopsPerSecond>&, \
                                         const MemoryLimit&);
TOMBOLO_FOR(float)
TOMBOLO_FOR(double)
#undef TOMBOLO_FOR

}  // namespace tombolo::matmul
