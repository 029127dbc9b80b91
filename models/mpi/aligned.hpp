#pragma once

#include <tombolo/models/laboratory.hpp>
#include <tombolo/models/mpi/messenger.hpp>
#include <tombolo/models/series.hpp>

namespace tombolo {

/// Experiments that two ranks start at the same time: exchange, late_receive and late_arrival. Both call this, a once b
/// has said that it is ready, which b does here. `series` gets the times of the one that measures.
void measure_aligned(Messenger& messenger, const Experiment& experiment, Rank rank, Series& series);

}  // namespace tombolo
