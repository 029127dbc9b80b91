#pragma once

#include <vector>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/kinds/lmo/lmo.hpp>
#include <tombolo/models/kinds/lmo/lmo_design.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// The average of redundant values.
enum class Averaging {
  mean,
  trimmed,  ///< the mean without the smallest fifth and the largest fifth
  median
};

/// Returns 0 for no values.
double averaged(std::vector<double> values, Averaging averaging);

/// The root's processing of the answers in a one-to-two experiment.
enum class Replies {
  in_turn,    ///< processes both after the later one has arrived: 4 C_i + 2 M t_i + max, equation 11
  overlapped  ///< processes the earlier one while waiting for the later one, from the partner addressed last: 3 C_i + 2
              ///< M t_i + max, as in the predictor
};

struct LmoOptions {
  bool extended = false;
  Averaging averaging = Averaging::mean;
  Replies replies = Replies::in_turn;
  int passes = 10;          ///< at most
  double precision = 0.01;  ///< required agreement of the redundant values; see estimate_lmo
  Bytes size = 0;           ///< M, in bytes; 0: regular_size chooses
};

/// Times of experiments, in ps; 0 for one-to-two experiments that were not made.
struct LmoTimes {
  std::vector<double> empty;         ///< T_ij(0), by LmoDesign::pairs
  std::vector<double> full;          ///< T_ij(M): M bytes there, an empty answer
  std::vector<double> empty_to_two;  ///< T_i(0), by LmoDesign::roots; only for the extended model
  std::vector<double> full_to_two;   ///< T_i(M)
};

struct LmoSolution {
  Lmo::Parameters parameters;
  /// Half the 95 % intervals of C and M t over the triplets, relative to their values; mean over the ranks.
  double spread = 0;
};

/// Computes the parameters from the times: equations 7 and 12 to 16, with C and t averaged over all triplets of a rank.
/// Equation 16 uses these averages, since its n - 2 values for a pair differ only in the t of single triplets, which
/// are less accurate.
///
/// The extended model has C_i = (T_i(0) - max(T_ij(0), T_ik(0))) / 2 from empty one-to-two experiments, without the
/// half if replies overlap, L_ij = T_ij(0) / 2 - C_i - C_j, and equations 13 to 16 with L. In the model of the paper L
/// is 0 inside clusters, and between clusters the rest of the round trip. Unmeasured pairs inside clusters and pairs
/// between clusters get the medians of their class. On a platform of two ranks each C is half the latency and t is 0. A
/// negative C becomes 0.
LmoSolution solve_lmo(const PairClasses& classes, const LmoDesign& design, const LmoTimes& times, Bytes size,
                      const LmoOptions& options);

/// Estimates LMO's parameters from round trips, empty and of M bytes with empty answers, and one-to-two experiments
/// (see lmo_design.hpp), each made once: the triplets of a rank provide the redundancy. In the extended model,
/// one-to-two experiments alternate between empty and full for ranks in 12 triplets or more.
///
/// A difference of these values above `precision` (LmoSolution::spread) is due to noise or to a machine that deviates
/// from the model; repetition helps only against noise. To tell these apart, 16 round trips and 16 one-to-two
/// experiments are repeated. If the times agree to a thousandth, the estimation ends. Otherwise all experiments are
/// repeated, up to `passes` times, with averaged times; the estimation ends early if a second pass hardly reduces the
/// spread. Medians and trimmed means use at least five passes. Experiments without redundancy from triplets are
/// repeated within each pass until their interval is narrow: links between clusters, experiments for clusters of one or
/// two ranks, and, with more repetitions, all experiments of ranks in fewer than six triplets. Collective.
Lmo::Parameters estimate_lmo(const Platform& platform, Laboratory& laboratory, const LmoOptions& options);

}  // namespace tombolo
