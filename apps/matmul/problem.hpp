#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tombolo/framework/program/declare/arrangement.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/program.hpp>
#include <tombolo/session.hpp>

#include "matmul/options.hpp"
#include "matmul/rows.hpp"

namespace tombolo::matmul {

/// The product to compute. The same on all ranks.
struct Problem {
  GemmShape shape;
  ElementType type = ElementType::float64;
};

/// From the options, or from the headers of the files, which the root reads. Also checks that results can be written,
/// before any work. Throws AgreedError on all ranks. Collective.
Problem find_problem(Session& session, const Options& options);

/// Throws Error where a matrix is too large for any machine.
void check_sizes(const Problem& problem);

/// Bytes of C, as a double since they may pass 2^63.
double bytes_of_product(const Problem& problem);

/// Loads or generates the rows of A for a program that computes `block` of C, where the program has them: on the root,
/// or each rank its parts. Collective.
template <class T>
void fill_a(Session& session, const Options& options, const Problem& problem, Program& program,
            const Matrices<T>& matrices, const Part& block);
/// The same for the columns of B.
template <class T>
void fill_b(Session& session, const Options& options, const Problem& problem, Program& program,
            const Matrices<T>& matrices, const Part& block);

/// Calls transfer(part, first element in memory) with this rank's parts of an array of a program, and with empty parts
/// at the end, equally often on every rank of the session.
template <class T, class Transfer>
void for_parts(Session& session, Program& program, const Array<T, 2>& matrix, Transfer transfer) {
  const Distribution held = program.distribution(matrix);
  std::size_t most = 1;
  for (Rank member = 0; member < held.ranks(); ++member) most = std::max(most, held.parts(member).size());
  std::vector<Part> mine;
  if (program.takes_part()) mine = held.parts(program.arrangement().member(session.rank()));
  T* at = program.takes_part() ? program.local(matrix).data() : nullptr;
  for (std::size_t i = 0; i < most; ++i) {
    const Part part = i < mine.size() ? mine[i] : Part{};
    transfer(part, at);
    at += part.elements();
  }
}

/// Verifies the product where it is: on the root by itself, or on the ranks that hold parts of it. The same on all
/// ranks. Collective.
template <class T>
Verification verify(Session& session, const Options& options, const Problem& problem, Program& program,
                    const Matrices<T>& matrices);

/// Bytes that verify() takes on this rank, beside the matrices.
double bytes_to_verify(const Session& session, const Options& options, const GemmShape& shape, const Program& program);

/// Returns the ranks that compute parts of a row of C, which lie in `parts_of_c`, by rank, or by rows if there are
/// none.
template <class T>
std::vector<Rank> ranks_of_row(const Program& program, const Matrices<T>& matrices, const std::vector<Part>& parts_of_c,
                               std::int64_t row);

}  // namespace tombolo::matmul
