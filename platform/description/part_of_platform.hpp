#pragma once

#include <vector>

#include <tombolo/platform.hpp>

namespace tombolo {

/// Returns the platform of some ranks by themselves, as a file of theirs would have it: rank r is members[r]. Without
/// sections. Throws as numbers_among().
Platform part_of_platform(const Platform& platform, const std::vector<Rank>& members);

}  // namespace tombolo
