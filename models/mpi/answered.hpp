#pragma once

#include <tombolo/models/laboratory.hpp>
#include <tombolo/models/mpi/messenger.hpp>
#include <tombolo/models/series.hpp>

namespace tombolo {

/// Experiments in which all that a's partners do is to answer: round_trip, one_to_two, saturation and the two
/// overheads.
bool is_answered(Experiment::Kind kind);

/// Of these, how many times at the beginning of a series do not count.
int untimed_rounds(Experiment::Kind kind);

/// What a does once its partners have said that they are ready: makes the experiment until the series has enough.
void measure_answered(Messenger& messenger, const Experiment& experiment, Series& series);

/// What b does, and c: says that it is ready, and answers.
void answer(Messenger& messenger, const Experiment& experiment, const Series& series);

}  // namespace tombolo
