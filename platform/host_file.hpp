#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tombolo {

/// The hosts of a host file's text, one for each rank: rank k runs on the host of line k; NAME:N stands for N such
/// lines, blank lines for none. `name` is the file's, for messages. Throws Error for anything else on a line, for a
/// file without hosts and for more than 2^20 ranks.
std::vector<std::string> parse_host_file(std::string_view text, const std::string& name);

}  // namespace tombolo
