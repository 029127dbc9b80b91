#include "matmul/blocks.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/system/memory.hpp>
#include <tombolo/units.hpp>

#include "matmul/block_choice.hpp"
#include "matmul/method.hpp"
#include "matmul/report.hpp"
#include "matmul/result_file.hpp"
#include "output.hpp"
#include "run/recording.hpp"

namespace tombolo::matmul {

namespace {

/// Adds a rectangle, to the one above it if it has the same columns.
void add_below(const Part& lower, std::vector<Part>& rectangles) {
  for (Part& upper : rectangles) {
    if (upper.first_column != lower.first_column || upper.columns != lower.columns) continue;
    if (upper.first_row + upper.rows != lower.first_row) continue;
    upper.rows += lower.rows;
    return;
  }
  rectangles.push_back(lower);
}

/// Rectangles that cover what no block of C has.
std::vector<Part> missing(const std::vector<Earlier>& finished, const MatrixShape& c) {
  std::set<std::int64_t> edges{0, c.rows};
  for (const Earlier& earlier : finished) {
    edges.insert(earlier.block.first_row);
    edges.insert(earlier.block.first_row + earlier.block.rows);
  }
  std::vector<Part> gaps;
  for (auto top = edges.begin(); std::next(top) != edges.end(); ++top) {
    std::vector<Part> across;  // finished, in this band of rows
    for (const Earlier& earlier : finished) {
      const Part here = overlap(earlier.block, {*top, *std::next(top) - *top, 0, c.columns});
      if (here.elements() > 0) across.push_back(here);
    }
    std::sort(across.begin(), across.end(),
              [](const Part& one, const Part& other) { return one.first_column < other.first_column; });
    across.push_back({0, 0, c.columns, 0});
    std::int64_t end = 0;
    for (const Part& block : across) {
      if (block.first_column > end) add_below({*top, *std::next(top) - *top, end, block.first_column - end}, gaps);
      end = std::max(end, block.first_column + block.columns);
    }
  }
  return gaps;
}

/// Cuts rectangles into blocks of at most this shape. Those with the same columns follow each other.
std::vector<Part> cut(const std::vector<Part>& rectangles, const MatrixShape& block) {
  std::vector<Part> blocks;
  for (const Part& all : rectangles) {
    for (std::int64_t column = 0; column < all.columns; column += block.columns) {
      for (std::int64_t row = 0; row < all.rows; row += block.rows) {
        blocks.push_back({all.first_row + row, std::min(block.rows, all.rows - row), all.first_column + column,
                          std::min(block.columns, all.columns - column)});
      }
    }
  }
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const Part& one, const Part& other) { return one.first_column < other.first_column; });
  return blocks;
}

/// The report of a run without any block.
RunReport of_no_block(RunReport report) {
  for (TaskReport& task : report.tasks) task.predicted_s = task.bound_s = 0;
  for (MemberReport& member : report.members) {
    member.predicted_s = member.operations = 0;
    member.seconds.assign(report.tasks.size(), 0);
  }
  report.predicted_s = report.bound_s = 0;
  return report;
}

void add(const RunReport& block, RunReport& all) {
  for (std::size_t t = 0; t < all.tasks.size(); ++t) {
    all.tasks[t].predicted_s += block.tasks[t].predicted_s;
    all.tasks[t].bound_s += block.tasks[t].bound_s;
    all.tasks[t].seconds += block.tasks[t].seconds;
  }
  for (std::size_t m = 0; m < all.members.size(); ++m) {
    MemberReport& member = all.members[m];
    const MemberReport& in_block = block.members[m];
    member.predicted_s += in_block.predicted_s;
    member.computing_s += in_block.computing_s;
    member.operations += in_block.operations;
    for (std::size_t t = 0; t < member.seconds.size(); ++t) member.seconds[t] += in_block.seconds[t];
  }
  all.seconds += block.seconds;
  all.predicted_s += block.predicted_s;
  all.bound_s += block.bound_s;
}

/// Computes one block after the other by one program, and adds up their figures.
template <class T>
class Blocks {
 public:
  Blocks(Session& session, const Options& options, const Problem& problem, BlockProgram<T> program)
      : session_(session),
        options_(options),
        problem_(problem),
        block_(problem),
        declared_(std::move(program.declared)),
        result_(result_of(of_no_block(declared_.program->predicted()), declared_, options)) {
    block_.shape.m = program.block.rows;
    block_.shape.n = program.block.columns;
  }

  double needed() { return bytes_needed(session_, options_, block_.shape, declared_); }

  void begin() {
    if (options_.run.phantom) declared_.program->use_phantom_memory();
    declared_.program->prepare();
  }

  /// Multiplies and verifies a block, and returns the verdict. A smaller block than the program's lies at the end of
  /// the rows, or the columns, that are computed.
  Verification multiply(const Part& block) {
    Program& program = *declared_.program;
    const GemmShape& all = problem_.shape;
    const auto [m, n, k] = block_.shape;
    const bool has_b = computed_.columns > 0;
    const std::int64_t column = computed_.first_column;
    computed_ = {std::min(block.first_row, all.m - m), m, std::min(block.first_column, all.n - n), n};
    if (!has_b || computed_.first_column != column) {
      fill_b(session_, options_, problem_, program, declared_.matrices, computed_);
    }
    fill_a(session_, options_, problem_, program, declared_.matrices, computed_);
    const RunReport run = program.run();
    if (result_.run.ran) {
      add(run, result_.run);
    } else {
      result_.run = run;
    }
    const Verification verdict = verify(session_, options_, block_, program, declared_.matrices);
    judge(verdict, computed_.first_row);
    if (verdict.decided && !verdict.ok) {
      result_.of_worst_row = ranks_of_row(program, declared_.matrices, declared_.parts_of_c, verdict.row);
    }
    return verdict;
  }

  /// Gives the memory back.
  void end() { declared_ = {}; }

  void write(ResultFile& file, const Part& block) {
    file.write(*declared_.program, declared_.matrices.c, computed_, block);
  }

  /// Adds the verdict on rows from `first_row` on to that on all.
  void judge(const Verification& verdict, std::int64_t first_row) {
    Verification& all = result_.verification;
    const double largest = std::max(all.largest_relative_error, verdict.largest_relative_error);
    const auto severity = [](const Verification& v) { return std::pair(v.ok ? 0 : v.decided ? 2 : 1, v.worst_ratio); };
    if (severity(verdict) > severity(all)) {
      all = verdict;
      if (all.row >= 0) all.row += first_row;
    }
    all.largest_relative_error = largest;
  }

  const Result& result() const { return result_; }

 private:
  Session& session_;
  const Options& options_;
  const Problem& problem_;
  Problem block_;
  Declared<T> declared_;
  Result result_;
  Part computed_ = {};  // of C, by the last run
};

void tell_blocks(std::int64_t all, const MatrixShape& block, Report& report) {
  report.what += fmt::format(", in {} of {} x {}", counted(all, "block"), block.rows, block.columns);
  report.more["blocks"] = {{"all", all}, {"rows", block.rows}, {"columns", block.columns}};
}

}  // namespace

template <class T>
void multiply_in_blocks(Session& session, const Options& options, const Problem& problem,
                        const std::vector<FlopsPerSecond>& speeds, const MemoryLimit& limit, BetweenPanels& between,
                        ProgressPrinter& progress) {
  if (limit.bytes > 0) return_freed_memory();
  BlockProgram<T> program = choose_blocks<T>(session, options, problem, speeds, limit);
  const MatrixShape shape = program.block;
  std::optional<ResultFile> file;
  if (!options.c.empty()) file.emplace(session, options, problem);
  const std::vector<Earlier> earlier = file ? file->earlier() : std::vector<Earlier>();
  const std::vector<Part> blocks = cut(missing(earlier, {problem.shape.m, problem.shape.n}), shape);
  const std::int64_t before = std::ssize(earlier);
  const std::int64_t all = before + std::ssize(blocks);
  between.begin(options.c, before, counted(all, "block"));

  Blocks<T> product(session, options, problem, std::move(program));
  for (const Earlier& finished : earlier) {
    product.judge({.decided = finished.judged, .row = 0}, finished.block.first_row);
  }
  double recorded_s = 0;
  std::string wrong;
  const double needed = product.needed();
  const MemoryUse memory = predicted_use(session, limit, static_cast<Bytes>(needed));
  if (!machine::simulated()) require_memory(session, needed);
  if (limit.bytes > 0) print(session, memory.text());
  if (!blocks.empty()) {
    product.begin();
    agree(session.communicator(), [&] { check_phantom_output(session, "--c", options.c); });
  }
  for (std::int64_t number = before; number < all && wrong.empty(); ++number) {
    const Part& block = blocks[static_cast<std::size_t>(number - before)];
    progress.begin(fmt::format("block {} of {}", number + 1, all).c_str());
    const Verification verdict = product.multiply(block);
    if (verdict.decided && !verdict.ok) {
      wrong = fmt::format("{} of C are wrong", rows_and_columns(block));
      break;
    }
    if (!file) continue;
    const double start = MPI_Wtime();
    product.write(*file, block);
    file->finish(block, verdict.decided);
    recorded_s += MPI_Wtime() - start;
    between.is_due();
    between.end_if_told(options.c, number + 1, counted(all, "block"));
  }

  product.end();
  std::string not_held;
  if (wrong.empty() && options.recording.wanted()) {
    progress.begin("verifying");
    const double start = MPI_Wtime();
    not_held = file->wrong<T>();
    recorded_s += MPI_Wtime() - start;
  }
  Report report = report_of(session, options, problem, product.result());
  tell_blocks(all, shape, report);
  if (!not_held.empty()) report.verdict = {false, true, "WRONG: " + not_held, report.verdict.details};
  if (limit.bytes > 0) memory.add_to(session, report);
  if (options.recording.wanted()) add_recorded(all, before, recorded_s, report);
  progress.begin("");
  const std::string cause = wrong.empty() ? "C is not what was written" : wrong;
  deliver(
      session, report,
      [&file] {
        if (file) file->commit();
      },
      options.recording.wanted() ? did_not_get_its_name(cause) : was_not_written());
}

template void multiply_in_blocks<float>(Session&, const Options&, const Problem&, const std::vector<FlopsPerSecond>&,
                                        const MemoryLimit&, BetweenPanels&, ProgressPrinter&);
template void multiply_in_blocks<double>(Session&, const Options&, const Problem&, const std::vector<FlopsPerSecond>&,
                                         const MemoryLimit&, BetweenPanels&, ProgressPrinter&);

}  // namespace tombolo::matmul
