#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tombolo/framework/program/declare/newest_values.hpp>

#include "declared.hpp"

namespace tombolo::fuzz {

/// What the user of a program does between its runs, in all the ways that there are.
class BetweenRuns {
 public:
  BetweenRuns(Session& session, const AbstractProgram& abstract, Declared& declared)
      : session_(session), abstract_(abstract), declared_(declared) {}

  /// Local.
  void fill(int array, std::uint64_t seed);
  /// Throws where what is here differs from these values, or is here though it should not be. Local.
  void compare(int array, const Copies& copies, const std::vector<std::uint64_t>& values);
  /// Throws where the items that ranks have visited are not all items once. Collective.
  void compare_counts();
  /// Collective.
  void write(int array, const std::string& path);
  void read(int array, const std::string& path);

 private:
  template <class T>
  void compare_local(int array, const Copies& copies, const std::vector<std::uint64_t>& values, std::span<T> here);
  template <class T>
  void fill_local(const AbstractArray& array, int number, std::uint64_t seed, std::span<T> here);
  void visit(int array, AccessKind kind, const std::vector<std::uint64_t>& values);
  std::vector<std::int64_t> places(int array, bool all);

  Session& session_;
  const AbstractProgram& abstract_;
  Declared& declared_;
};

}  // namespace tombolo::fuzz
