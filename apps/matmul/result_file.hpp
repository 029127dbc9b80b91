#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tombolo/framework/mpi/arrays/panel_file.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/program.hpp>
#include <tombolo/session.hpp>

#include "matmul/options.hpp"
#include "matmul/problem.hpp"

namespace tombolo::matmul {

/// A block that an earlier run has finished.
struct Earlier {
  Part block;
  bool judged = true;
};

/// The file of C, written block by block: of the root alone, which need not share its files, or of all ranks. All
/// functions are collective, and throw AgreedError.
class ResultFile {
 public:
  ResultFile(Session& session, const Options& options, const Problem& problem);

  std::vector<Earlier> earlier() const;

  /// Writes a block of C from a program that has `computed` of it, and leaves that in disorder.
  template <class T>
  void write(Program& program, const Array<T, 2>& c, const Part& computed, const Part& block);
  void finish(const Part& block, bool judged);

  /// Returns in words what the disk does not hold as it was written; empty: all of it.
  template <class T>
  std::string wrong();
  void commit();

 private:
  template <class Work>
  void by_writers(Work work) const;

  Session& session_;
  bool of_root_;
  Rank root_;
  std::unique_ptr<PanelFile> file_;  // on ranks that write
};

}  // namespace tombolo::matmul
