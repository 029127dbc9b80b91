#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/program.hpp>
#include <tombolo/session.hpp>

#include "transpose/options.hpp"
#include "transpose/problem.hpp"
#include "transpose/report.hpp"

namespace tombolo::transposition {

/// A transpose that is a program, in which a rank's A and B lie one beside the other, and their memories take turns.
template <Element T>
class TwoBuffers {
 public:
  /// `speeds` are those of transposing, in bytes/s, one per rank.
  TwoBuffers(Session& session, const Options& options, const Layouts& layouts, std::vector<BytesPerSecond> speeds);

  /// Returns the run as it is predicted. Collective.
  RunReport predicted();

  void hold(bool phantom);
  T* a() { return program_.local(a_).data(); }
  T* b() { return program_.local(b_).data(); }
  void transpose(Result& result);

 private:
  Array<T, 2> array(const char* name, const Layout& layout);

  Program program_;
  Array<T, 2> a_;
  Array<T, 2> b_;
};

/// Bytes that a rank needs for them.
double bytes_of_two_buffers(const Layouts& layouts, Rank rank, Bytes element);

}  // namespace tombolo::transposition
