#include "matmul/blocks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/matrix/matrix_hash.hpp>
#include <tombolo/framework/mpi/arrays/panel_file.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/units.hpp>

#include "matmul/method.hpp"
#include "matmul/report.hpp"
#include "output.hpp"
#include "run/recording.hpp"

namespace tombolo::matmul {

namespace {

constexpr double usual_seconds = 600;            // of the computation of a block
constexpr Bytes read_at_once = Bytes{16} << 20;  // of the file, when it is verified

/// A block that an earlier run has finished.
struct Earlier {
  Rows rows;
  bool judged = true;
};

/// The file of C: of the root alone, which need not share its files, or of all ranks.
class ResultFile {
 public:
  ResultFile(Session& session, const Options& options, const Problem& problem)
      : session_(session), of_root_(options.held == Held::root), root_(options.root) {
    const GemmShape& s = problem.shape;
    const bool knows = session.rank() == (of_root_ ? root_ : 0);
    PanelFile::Content content{problem.type, {s.m, s.n}, false, {}};
    agree(session.communicator(), [&] {
      if (knows) content.facts = facts(options, problem);
    });
    by_writers([&] {
      file_ = std::make_unique<PanelFile>(of_root_ ? MPI_COMM_SELF : session.communicator(), options.c, content,
                                          options.recording.records(), session.rank());
    });
  }

  /// Collective.
  std::vector<Earlier> earlier() const {
    std::vector<Earlier> all;
    if (file_ != nullptr) {
      for (const FinishedPanel& block : file_->finished()) {
        all.push_back({{block.panel.first_row, block.panel.rows}, block.judged});
      }
    }
    auto count = static_cast<int>(all.size());
    check_mpi(MPI_Bcast(&count, 1, MPI_INT, root_, session_.communicator()), "MPI_Bcast");
    all.resize(static_cast<std::size_t>(count));
    check_mpi(
        MPI_Bcast(all.data(), static_cast<int>(all.size() * sizeof(Earlier)), MPI_BYTE, root_, session_.communicator()),
        "MPI_Bcast");
    return all;
  }

  /// Writes rows of C from a program whose C begins at row `first`. Collective.
  template <class T>
  void write(Program& program, const Array<T, 2>& c, std::int64_t columns, std::int64_t first, const Rows& rows) {
    const auto write_part = [&](const Part& part, const T* from) {
      const Part in_c{part.first_row + first, part.rows, part.first_column, part.columns};
      const Part wanted = overlap(in_c, {rows.first, rows.count, 0, columns});
      const T* const at = from + (wanted.first_row - in_c.first_row) * part.columns;
      if (wanted.elements() == 0) return file_->write(Part{}, false, from, 0);
      file_->write(wanted, false, at, hash_part(at, wanted, false, false));
    };
    if (of_root_) {
      by_writers([&] {
        const std::span<const T> all = program.local(c);
        write_part({0, columns == 0 ? 0 : std::ssize(all) / columns, 0, columns}, all.data());
      });
    } else {
      for_parts(session_, program, c, write_part);
    }
  }

  /// Collective.
  void finish(const Rows& rows, std::int64_t columns, bool judged) {
    by_writers([&] {
      file_->finish({rows.first, rows.count, 0, columns}, judged);
      file_->record();
    });
  }

  /// Returns in words what the disk does not hold as it was written; empty: all of it. Collective.
  template <class T>
  std::string wrong() {
    std::string words;
    by_writers([&] {
      Storage<T> buffer(read_at_once / Bytes{sizeof(T)});
      const auto wrong = file_->find_wrong(std::span<T>(buffer.data(), static_cast<std::size_t>(buffer.size())), false);
      if (wrong) words = words_of(*wrong, "C");
    });
    return text_from(session_.communicator(), root_, std::move(words));
  }

  /// Collective.
  void commit() {
    by_writers([&] { file_->commit(); });
  }

 private:
  static std::vector<Fact> facts(const Options& options, const Problem& problem) {
    if (!options.generated()) {
      return {{"command", "matmul"}, fact_of_file("A", options.a), fact_of_file("B", options.b)};
    }
    return {{"command", "matmul"},
            {"input", fmt::format("generated with k = {} and seed {}", problem.shape.k, options.seed)}};
  }

  template <class Work>
  void by_writers(Work work) const {
    if (!of_root_) return work();
    agree(session_.communicator(), [&] {
      if (session_.rank() == root_) work();
    });
  }

  Session& session_;
  bool of_root_;
  Rank root_;
  std::unique_ptr<PanelFile> file_;  // on ranks that write
};

/// Rows that no block has.
std::vector<Rows> missing(std::vector<Earlier> finished, std::int64_t m) {
  std::sort(finished.begin(), finished.end(),
            [](const Earlier& one, const Earlier& other) { return one.rows.first < other.rows.first; });
  std::vector<Rows> gaps;
  std::int64_t end = 0;
  for (const Earlier& block : finished) {
    if (block.rows.first > end) gaps.push_back({end, block.rows.first - end});
    end = std::max(end, block.rows.first + block.rows.count);
  }
  if (m > end) gaps.push_back({end, m - end});
  return gaps;
}

std::int64_t rows_in(const std::vector<Rows>& all) {
  return std::accumulate(all.begin(), all.end(), std::int64_t{0},
                         [](std::int64_t sum, const Rows& rows) { return sum + rows.count; });
}

/// Blocks as equal as possible, which take about so many seconds each if every rank computes at its speed.
std::int64_t height_of_blocks(const GemmShape& shape, std::int64_t rows, const std::vector<FlopsPerSecond>& speeds,
                              double seconds) {
  const double all = flops({.m = rows, .n = shape.n, .k = shape.k});
  const double each = std::accumulate(speeds.begin(), speeds.end(), 0.0) * seconds;
  const auto blocks =
      static_cast<std::int64_t>(std::clamp(std::ceil(all / each), 1.0, std::max(static_cast<double>(rows), 1.0)));
  return (rows - 1) / blocks + 1;
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

/// A program for one block after the other, all of one height, and what has come of them.
template <class T>
class Blocks {
 public:
  Blocks(Session& session, const Options& options, const Problem& problem, std::int64_t height,
         const std::vector<FlopsPerSecond>& speeds)
      : session_(session), options_(options), problem_(problem), block_(problem) {
    block_.shape.m = height;
    declared_ = declare_product<T>(session, options, block_, speeds);
    declared_.program->plan();
    result_ = result_of(of_no_block(declared_.program->predicted()), declared_, options);
  }

  void begin() {
    declared_.program->prepare();
    fill_b(session_, options_, problem_, *declared_.program, declared_.matrices);
  }

  /// Multiplies and verifies rows, and returns their verdict. A program of the height of all blocks gets the last rows
  /// of A for a lower one.
  Verification multiply(const Rows& rows) {
    Program& program = *declared_.program;
    first_ = std::min(rows.first, problem_.shape.m - block_.shape.m);
    fill_a(session_, options_, problem_, program, declared_.matrices, {first_, block_.shape.m});
    const RunReport run = program.run();
    if (result_.run.ran) {
      add(run, result_.run);
    } else {
      result_.run = run;
    }
    const Verification verdict = verify(session_, options_, block_, program, declared_.matrices);
    judge(verdict, first_);
    if (verdict.decided && !verdict.ok) {
      result_.of_worst_row = ranks_of_row(program, declared_.matrices, declared_.parts_of_c, verdict.row);
    }
    return verdict;
  }

  void write(ResultFile& file, const Rows& rows) {
    file.write(*declared_.program, declared_.matrices.c, problem_.shape.n, first_, rows);
  }

  /// Adds the verdict on rows from `first_row` on to that on all.
  void judge(const Verification& verdict, std::int64_t first_row) {
    const std::array verdicts{result_.verification, verdict};
    result_.verification = together(verdicts, std::array{std::int64_t{0}, first_row});
  }

  const Result& result() const { return result_; }

 private:
  Session& session_;
  const Options& options_;
  const Problem& problem_;
  Problem block_;
  Declared<T> declared_;
  Result result_ = {};
  std::int64_t first_ = 0;
};

}  // namespace

template <class T>
void multiply_in_blocks(Session& session, const Options& options, const Problem& problem,
                        const std::vector<FlopsPerSecond>& speeds, ProgressPrinter& progress) {
  const GemmShape& shape = problem.shape;
  ResultFile file(session, options, problem);
  const std::vector<Earlier> earlier = file.earlier();
  const std::vector<Rows> gaps = missing(earlier, shape.m);
  const double seconds = options.recording.every_s > 0 ? options.recording.every_s : usual_seconds;
  const std::int64_t left = rows_in(gaps);
  const std::int64_t height = height_of_blocks(shape, left > 0 ? left : shape.m, speeds, seconds);
  std::vector<Rows> blocks;
  for (const auto& [first, count] : gaps) {
    for (std::int64_t row = 0; row < count; row += height)
      blocks.push_back({first + row, std::min(height, count - row)});
  }
  const std::int64_t before = std::ssize(earlier);
  const std::int64_t all = before + std::ssize(blocks);

  Blocks<T> product(session, options, problem, height, speeds);
  for (const Earlier& block : earlier) product.judge({.decided = block.judged, .row = 0}, block.rows.first);
  double recorded_s = 0;
  std::string wrong;
  BetweenPanels between(session, options.recording);
  if (!blocks.empty()) {
    progress.begin("reading B");
    product.begin();
    agree(session.communicator(), [&] { check_phantom_output(session, "--c", options.c); });
  }
  for (std::int64_t number = before; number < all && wrong.empty(); ++number) {
    const Rows& rows = blocks[static_cast<std::size_t>(number - before)];
    progress.begin(fmt::format("block {} of {}", number + 1, all).c_str());
    const Verification verdict = product.multiply(rows);
    if (verdict.decided && !verdict.ok) {
      wrong = fmt::format("rows {} to {} of C are wrong", rows.first, rows.first + rows.count - 1);
      break;
    }
    const double start = MPI_Wtime();
    product.write(file, rows);
    file.finish(rows, shape.n, verdict.decided);
    recorded_s += MPI_Wtime() - start;
    between.is_due();
    between.end_if_told(options.c, number + 1, counted(all, "block"));
  }

  progress.begin("verifying");
  std::string not_held;
  if (wrong.empty()) {
    const double start = MPI_Wtime();
    not_held = file.wrong<T>();
    recorded_s += MPI_Wtime() - start;
  }
  Report report = report_of(session, options, problem, product.result());
  if (!not_held.empty()) report.verdict = {false, true, "WRONG: " + not_held, report.verdict.details};
  add_recorded(all, before, recorded_s, report);
  progress.begin("");
  deliver(
      session, report, [&file] { file.commit(); },
      did_not_get_its_name(wrong.empty() ? "C is not what was written" : wrong));
}

template void multiply_in_blocks<float>(Session&, const Options&, const Problem&, const std::vector<FlopsPerSecond>&,
                                        ProgressPrinter&);
template void multiply_in_blocks<double>(Session&, const Options&, const Problem&, const std::vector<FlopsPerSecond>&,
                                         ProgressPrinter&);

}  // namespace tombolo::matmul
