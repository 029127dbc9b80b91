#pragma once

#include <string>

#include <tombolo/platform.hpp>

namespace tombolo {

/// Reads a platform file or a SimGrid platform description, whichever the file is; `hosts`: the host file that says
/// which ranks a description's hosts have, empty for one each. Throws Error.
Platform load_platform(const std::string& file, const std::string& hosts);

}  // namespace tombolo
