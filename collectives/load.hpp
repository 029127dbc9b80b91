#pragma once

#include <span>

#include <tombolo/collectives/schedule.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// How long the busiest processor, port or link of the network is busy with all these steps, one schedule per rank, of
/// elements of that size: no prediction is shorter, and a full pipeline is as slow as that.
Picoseconds heaviest_load(std::span<const Schedule> schedules, Bytes element_bytes, const Model& model);

}  // namespace tombolo
