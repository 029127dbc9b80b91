#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tombolo {

class Session;

std::vector<std::int64_t> kernel_speeds(Session& session, const std::string& kernel);

}  // namespace tombolo
