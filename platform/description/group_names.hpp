#pragma once

#include <span>
#include <string>
#include <vector>

namespace tombolo {

/// Returns the common prefix of these hosts' names that no other host's name has, without the number and the
/// punctuation at its end: "c1" for c1-0 and c1-12, "node" for node7. Empty if there is no such prefix. A number is
/// never divided: c21-0 does not begin with c2. `members`: indices into `hosts`, the names of all hosts.
std::string common_name(std::span<const std::string> hosts, const std::vector<int>& members);

}  // namespace tombolo
