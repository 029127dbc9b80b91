#pragma once

#include <string>

#include <tombolo/platform.hpp>

namespace tombolo::showing {

/// The latencies between hosts as an SVG picture: hosts by cluster, lines where clusters meet, colours on a logarithmic
/// scale; the ranks of a platform of one host. Of more than 512 some of each cluster stand for all. Drawn by gnuplot.
/// Throws Error where that is missing or fails, and where there is no latency to draw.
std::string to_heat_map(const Platform& platform);

}  // namespace tombolo::showing
