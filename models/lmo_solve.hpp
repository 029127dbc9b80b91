#pragma once

#include <vector>

#include <tombolo/models/averaging.hpp>
#include <tombolo/models/lmo.hpp>
#include <tombolo/models/lmo_design.hpp>

namespace tombolo {

/// What the root of a one-to-two experiment does with the answers.
enum class Replies {
  in_turn,    ///< it works on both after it has waited for the later one: 4 C_i + 2 M t_i + max, equation 11
  overlapped  ///< it works on the earlier one while it waits for the later one, which is that of the partner that it
              ///< sends to last: 3 C_i + 2 M t_i + max, as the predictor has it
};

struct LmoOptions {
  bool extended = false;
  Averaging averaging = Averaging::mean;
  Replies replies = Replies::in_turn;
  int passes = 10;          ///< at most
  double precision = 0.01;  ///< that the redundant values must agree to; see estimate_lmo
  Bytes size = 0;           ///< M, in bytes; 0: regular_size chooses
};

/// Times of experiments, in ps; 0 of one-to-two that were not made.
struct LmoTimes {
  std::vector<double> empty;         ///< T_ij(0), by LmoDesign::pairs
  std::vector<double> full;          ///< T_ij(M): M bytes there, an empty answer
  std::vector<double> empty_to_two;  ///< T_i(0), by LmoDesign::roots; only for the extended model
  std::vector<double> full_to_two;   ///< T_i(M)
};

struct LmoSolution {
  Lmo::Parameters parameters;
  double spread = 0;  ///< half the 95 % intervals of C and M t from what triplets say, over their values; mean of ranks
};

/// Parameters from times: equations 7 and 12 to 16, C and t averaged over all triplets that a rank is in. Equation 16
/// then takes these averages: its n - 2 values for a pair differ only in the t of single triplets, which are less sure.
///
/// With latencies, C_i = (T_i(0) - max(T_ij(0), T_ik(0))) / 2 from empty one-to-two experiments, without the half where
/// replies overlap, L_ij = T_ij(0) / 2 - C_i - C_j, and equations 13 to 16 with L. Without, L is 0 inside clusters and
/// between clusters what is left over of round trips. Medians over the class stand for pairs inside clusters that were
/// not measured, and for pairs between clusters. Two ranks alone share their latency evenly, without processing delays
/// per byte; a C that comes out negative is 0.
LmoSolution solve_lmo(const PairClasses& classes, const LmoDesign& design, const LmoTimes& times, Bytes size,
                      const LmoOptions& options);

}  // namespace tombolo
