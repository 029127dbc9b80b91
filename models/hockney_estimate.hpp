#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include <tombolo/models/hockney.hpp>
#include <tombolo/models/laboratory.hpp>
#include <tombolo/models/least_squares.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// The sizes that Hockney's parameters are fitted to (LMO paper, section 6: 10 sizes from 0 to 100 kB).
constexpr std::array<Bytes, 10> hockney_sizes = {0,      1'000,  2'000,  5'000,  10'000,
                                                 20'000, 40'000, 60'000, 80'000, 100'000};

/// One line for each pair: half the times of round trips of these sizes, in ps by bytes, by relative least squares.
/// Neither latency nor slope is negative. Collective.
std::vector<Line> measure_hockney(std::span<const std::pair<Rank, Rank>> pairs, Laboratory& laboratory);

/// The homogeneous model of a platform: the medians of latency and slope over at most 256 pairs, of ranks 1, 2, 4, ...
/// apart, spread evenly over the ranks. Collective.
Hockney::Parameters estimate_hockney(const Platform& platform, Laboratory& laboratory);

}  // namespace tombolo
