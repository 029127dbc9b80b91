#include "matmul/result_file.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/matrix/matrix_hash.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/units.hpp>

#include "run/recording.hpp"

namespace tombolo::matmul {

namespace {

constexpr Bytes read_at_once = Bytes{16} << 20;  // of the file, when it is verified

std::vector<Fact> facts(const Options& options, const Problem& problem) {
  if (!options.generated()) {
    return {{"command", "matmul"}, fact_of_file("A", options.a), fact_of_file("B", options.b)};
  }
  return {{"command", "matmul"},
          {"input", fmt::format("generated with k = {} and seed {}", problem.shape.k, options.seed)}};
}

}  // namespace

template <class Work>
void ResultFile::by_writers(Work work) const {
  if (!of_root_) return work();
  agree(session_.communicator(), [&] {
    if (session_.rank() == root_) work();
  });
}

ResultFile::ResultFile(Session& session, const Options& options, const Problem& problem)
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

std::vector<Earlier> ResultFile::earlier() const {
  std::vector<Earlier> all;
  if (file_ != nullptr) {
    for (const FinishedPanel& block : file_->finished()) all.push_back({block.panel, block.judged});
  }
  auto count = static_cast<int>(all.size());
  check_mpi(MPI_Bcast(&count, 1, MPI_INT, root_, session_.communicator()), "MPI_Bcast");
  all.resize(static_cast<std::size_t>(count));
  check_mpi(
      MPI_Bcast(all.data(), static_cast<int>(all.size() * sizeof(Earlier)), MPI_BYTE, root_, session_.communicator()),
      "MPI_Bcast");
  return all;
}

template <class T>
void ResultFile::write(Program& program, const Array<T, 2>& c, const Part& computed, const Part& block) {
  const auto write_part = [&](const Part& part, T* elements) {
    const Part in_c{part.first_row + computed.first_row, part.rows, part.first_column + computed.first_column,
                    part.columns};
    const Part wanted = overlap(in_c, block);
    if (wanted.elements() == 0) return file_->write(Part{}, false, elements, 0);
    T* from = elements + (wanted.first_row - in_c.first_row) * part.columns;
    if (wanted.columns < part.columns) {
      const T* row = from + (wanted.first_column - in_c.first_column);
      for (T* to = from; to < from + wanted.elements(); to += wanted.columns, row += part.columns)
        std::copy_n(row, wanted.columns, to);
    }
    file_->write(wanted, false, from, hash_part(from, wanted, false, false));
  };
  if (of_root_) {
    by_writers([&] { write_part({0, computed.rows, 0, computed.columns}, program.local(c).data()); });
  } else {
    for_parts(session_, program, c, write_part);
  }
}

void ResultFile::finish(const Part& block, bool judged) {
  by_writers([&] {
    file_->finish(block, judged);
    file_->record();
  });
}

template <class T>
std::string ResultFile::wrong() {
  std::string words;
  by_writers([&] {
    Storage<T> buffer(read_at_once / Bytes{sizeof(T)});
    const auto wrong = file_->find_wrong(std::span<T>(buffer.data(), static_cast<std::size_t>(buffer.size())), false);
    if (wrong) words = words_of(*wrong, "C");
  });
  return text_from(session_.communicator(), root_, std::move(words));
}

void ResultFile::commit() {
  by_writers([&] { file_->commit(); });
}

#define TOMBOLO_FOR(T)                                                                     \
  template void ResultFile::write(Program&, const Array<T, 2>&, const Part&, const Part&); \
  template std::string ResultFile::wrong<T>();
TOMBOLO_FOR(float)
TOMBOLO_FOR(double)
#undef TOMBOLO_FOR

}  // namespace tombolo::matmul
