// Trace of a program's actions on all ranks: Program::write_trace().
#include <array>
#include <numeric>

#include <fmt/format.h>

#include <tombolo/framework/mpi/program/program_state.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/framework/report/gnuplot.hpp>
#include <tombolo/framework/report/trace.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/session.hpp>

namespace tombolo {

namespace {

// Gathers the actions of all ranks on the first rank, in rank order; `counts` gets the bytes of each rank.
std::vector<Done> gathered(MPI_Comm communicator, const std::vector<Done>& mine, std::vector<int>& counts) {
  counts = of_all_ranks(communicator, static_cast<int>(mine.size() * sizeof(Done)));
  std::vector<int> places(counts.size(), 0);
  std::partial_sum(counts.begin(), counts.end() - 1, places.begin() + 1);
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  std::vector<Done> all(rank == 0 ? static_cast<std::size_t>(places.back() + counts.back()) / sizeof(Done) : 0);
  check_mpi(MPI_Gatherv(mine.data(), static_cast<int>(mine.size() * sizeof(Done)), MPI_BYTE, all.data(), counts.data(),
                        places.data(), MPI_BYTE, 0, communicator),
            "MPI_Gatherv");
  return all;
}

const char* category(const DeclaredTask& task) {
  constexpr std::array of_activities{"compute", "collective", "own"};
  return of_activities.at(static_cast<std::size_t>(rules(task.kind).activity()));
}

}  // namespace

void Program::State::write_trace() {
  if (options_.trace.empty()) return;
  std::vector<TraceSpan> spans;  // at the first member
  std::vector<std::string> rows;
  if (takes_part()) {
    std::vector<int> counts;
    const std::vector<Done> all = gathered(members_, done_, counts);
    auto done = all.begin();
    for (std::size_t member = 0; member_ == 0 && member < counts.size(); ++member) {
      const Rank rank = arrangement_->members[member];
      rows.resize(static_cast<std::size_t>(rank) + 1);
      rows.back() = fmt::format("{} {}", rank, session_.processors()[static_cast<std::size_t>(rank)].host);
      for (std::size_t i = 0; i < static_cast<std::size_t>(counts[member]) / sizeof(Done); ++i, ++done) {
        const DeclaredTask& task = body_.task(done->task);
        spans.push_back({rank, task.name, category(task), done->start, done->end});
      }
    }
  }
  agree(session_.communicator(), [&] {
    if (member_ != 0) return;
    const bool picture = options_.trace.ends_with(".svg");
    write_text(options_.trace,
               picture ? drawn_as_svg(trace_svg_script(spans, rows, body_.declared.name)) : chrome_trace(spans, rows));
  });
}

}  // namespace tombolo
