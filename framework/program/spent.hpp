#pragma once

#include <optional>

#include <tombolo/framework/program/declaration.hpp>

namespace tombolo {

/// A task that reads an array after a move has spent it, and before anything has written it again; in a loop also what
/// the pass before has spent.
struct ReadWhenSpent {
  const DeclaredTask* task = nullptr;
  int array = 0;
};
/// The first one of a program, if there is any.
std::optional<ReadWhenSpent> read_when_spent(const Declaration& program);

}  // namespace tombolo
