#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/matrix.hpp>
#include <tombolo/session.hpp>

#include "matmul/method.hpp"
#include "matmul/options.hpp"
#include "matmul/problem.hpp"
#include "run/memory_limit.hpp"

namespace tombolo::matmul {

/// The limit of a product of which `whole` is the program that computes all of C at once, if one fits in what is free
/// (memory_limit()). Collective.
template <class T>
MemoryLimit block_limit(Session& session, const Options& options, const Problem& problem, const Declared<T>& whole);

/// The program of blocks of C of one shape, planned.
template <class T>
struct BlockProgram {
  MatrixShape block;
  Declared<T> declared;
};

/// Chooses blocks such that no rank takes more than the limit, with as little to read and to move as that allows; if
/// they are recorded, such that one takes about options.recording.every_s to compute on ranks of these speeds. Throws
/// AgreedError where the limit leaves no room for the smallest blocks. Collective.
template <class T>
BlockProgram<T> choose_blocks(Session& session, const Options& options, const Problem& problem,
                              const std::vector<FlopsPerSecond>& speeds, const MemoryLimit& limit);

}  // namespace tombolo::matmul
