#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/framework/program/costs.hpp>
#include <tombolo/framework/program/division.hpp>

namespace tombolo {

/// How shares are to be chosen.
enum class SharePolicy {
  best,   ///< in proportion to speed, on those ranks with which the program is predicted to be the fastest
  speed,  ///< in proportion to speed, on all ranks
  equal
};

/// What is known of the ranks of a session.
struct Workers {
  SpeedsByKernel speeds;
  std::vector<std::vector<Rank>> clusters;  ///< the outermost ones; every rank is in one
  std::vector<double> memory = {};          ///< bytes that each rank can have; empty: as many as it likes
};

/// The items of slices shared out among members: by the speed of the work over them, as far as their memory goes.
Division shared_out(const Declaration& program, int slices, const Workers& workers, std::span<const Rank> members,
                    SharePolicy policy, int panels);

/// How fast each of the members does the work over slices, items per so much time: of all tasks over them together, on
/// large problems.
std::vector<std::int64_t> speeds_over(const Declaration& program, int slices, const SpeedsByKernel& speeds,
                                      std::span<const Rank> members);

}  // namespace tombolo
