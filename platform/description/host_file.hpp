#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tombolo {

/// Parses the text of a host file and returns the host of each rank. Line k names the host of rank k; NAME:N stands for
/// N such lines; blank lines are ignored. `name`: the file's name, for messages. Throws Error for anything else on a
/// line, for a file without hosts and for more than 2^20 ranks.
std::vector<std::string> parse_host_file(std::string_view text, const std::string& name);

}  // namespace tombolo
