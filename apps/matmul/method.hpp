#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tombolo/matrix.hpp>
#include <tombolo/program.hpp>
#include <tombolo/session.hpp>

#include "matmul/options.hpp"
#include "matmul/problem.hpp"
#include "matmul/rows.hpp"

namespace tombolo::matmul {

/// A way of multiplying, and what is known of it before the run.
struct Forecast {
  std::string name;  ///< "rows", "columns on the 16 ranks of cluster c1"
  double predicted_s = 0;
  double computing_s = 0;  ///< of which computation alone, on the slowest rank
  double needs = 0;        ///< bytes of A and B that ranks need, together
  std::string left_out;    ///< why it was not predicted in full, with predicted_s of computation alone; empty: it was
};

/// The program of a product, declared, and the ways that were compared with it.
template <class T>
struct Declared {
  std::unique_ptr<Program> program;
  Matrices<T> matrices;
  std::string algorithm;                ///< "rows", "columns"
  std::vector<Part> parts_of_c;         ///< by rank; empty for rows
  std::vector<Forecast> compared = {};  ///< the chosen one first, the others by time; empty if there was no choice
};

/// The fastest way of a product within a limit of memory.
template <class T>
struct Found {
  Declared<T> product;      ///< without a program if no way fits
  double least_needed = 0;  ///< bytes, if there is a limit: of the ways on the rank that takes the most, the least
};

/// Declares the product by the method of the options, on ranks of these speeds, and plans it. If that is left open,
/// predicts rows, and columns on all ranks, on clusters and on the fastest ranks, directly and by copies for clusters,
/// and takes the fastest. `most`: bytes that a rank may need; 0: what is free, as far as ways of columns need more.
/// Collective.
template <class T>
Found<T> find_product(Session& session, const Options& options, const Problem& problem,
                      const std::vector<FlopsPerSecond>& speeds, double most = 0);

/// The same without a limit. Throws AgreedError if no way fits in what is free.
template <class T>
Declared<T> declare_product(Session& session, const Options& options, const Problem& problem,
                            const std::vector<FlopsPerSecond>& speeds);

/// Bytes that a planned product needs on this rank, from reading A and B to the verification of C.
template <class T>
double bytes_needed(Session& session, const Options& options, const GemmShape& shape, const Declared<T>& product);

}  // namespace tombolo::matmul
