#pragma once

#include <span>
#include <string>
#include <vector>

namespace tombolo {

/// What the names of these hosts begin with, and those of no other host do, without the number and the punctuation
/// at its end: "c1" for c1-0 and c1-12, "node" for node7. Empty where there is no such thing. Numbers are not divided:
/// c21-0 does not begin with c2. `members`: indices into `hosts`, the names of all.
std::string common_name(std::span<const std::string> hosts, const std::vector<int>& members);

}  // namespace tombolo
