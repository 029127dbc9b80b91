#pragma once

#include <optional>
#include <vector>

#include <tombolo/models/fitting/arithmetic.hpp>

namespace tombolo::forms {

/// Flat scatter and gather in the LMO model: equations 8, 9 and 10 of the LMO paper (section 4), with the parameters
/// that they take. Blocks are of equal size; times are in picoseconds.
///
/// Misprints: with the root as node 0, equation 8 counts n others and equation 10 n - 1; both sum over n of them. Here
/// it is `others.size()`, N, throughout. The slope corrections (section 5) leave out the root's N t_0, though the forms
/// that they correct contain it; kappa_small() and kappa_large() subtract it.
struct LmoLinear {
  /// A rank that is not the root, with its link to the root.
  struct Other {
    Picoseconds delay = 0;     ///< C_i
    PerMegabyte per_byte = 0;  ///< t_i
    Picoseconds latency = 0;   ///< L_0i of the extended model; 0 in the paper, whose C_i includes it
    PerMegabyte wire = 0;      ///< 1 / beta_0i; may be negative
  };
  Picoseconds root_delay = 0;     ///< C_0
  PerMegabyte root_per_byte = 0;  ///< t_0
  std::vector<Other> others;
  Bytes serial_scatter = 0;     ///< S: blocks larger than this go one after the other
  Bytes small_gather = 0;       ///< M1: smaller blocks are gathered in a time linear in their size
  Bytes large_gather = 0;       ///< M2: and so are larger ones, with another slope
  PerMegabyte slope_small = 0;  ///< kappa 1; may be negative
  PerMegabyte slope_large = 0;  ///< kappa 2; may be negative

  /// N (C_0 + t_0 M) + max_i e_i(M) for M <= S, + sum_i e_i(M) beyond; e_i(M) = C_i + L_0i + (t_i + 1 / beta_0i) M.
  Picoseconds scatter(Bytes bytes) const;

  /// N (C_0 + t_0 M) + max_i e_i(M) + kappa_1 M for M < M1, + sum_i e_i(M) + kappa_2 M for M > M2. Nothing in between,
  /// where times escalate to levels that the paper leaves open.
  std::optional<Picoseconds> gather(Bytes bytes) const;

  /// The slope corrections that make gather() as steep as what was measured: c_1 of a regression c_0 + c_1 M of the
  /// times of small or large blocks. Of small ones exactly where one rank has the largest e_i of all sizes.
  PerMegabyte kappa_small(PerMegabyte measured_slope) const;
  PerMegabyte kappa_large(PerMegabyte measured_slope) const;

 private:
  Picoseconds root(Bytes bytes) const;
  Picoseconds slowest(Bytes bytes) const;
  Picoseconds all(Bytes bytes) const;
};

}  // namespace tombolo::forms
