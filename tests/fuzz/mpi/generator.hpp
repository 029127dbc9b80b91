#pragma once

#include <functional>

#include "abstract_program.hpp"

namespace tombolo::fuzz {

using Accepts = std::function<bool(const AbstractProgram&)>;

/// A program that `accepts` accepts, drawn from a seed: the same wherever it is drawn.
AbstractProgram generate(std::uint64_t seed, const Accepts& accepts);

/// With a mistake: without one of its tasks, or two of them in the other order, or a task reads another array. It may
/// be right all the same.
AbstractProgram falsified(AbstractProgram program, Draw& draw);

}  // namespace tombolo::fuzz
