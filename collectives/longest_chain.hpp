#pragma once

#include <tombolo/collectives/plan.hpp>

namespace tombolo {

/// How many messages of a plan come one after the other at most, because each waits for what the one before brought:
/// its steps, as papers count them where ranks may send to several others at a time. The stage that learns counts
/// included.
int longest_chain(const Plan& plan);

}  // namespace tombolo
