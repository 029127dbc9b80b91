#pragma once

#include <string_view>

namespace tombolo {

/// Returns true if the text matches the pattern: * stands for any number of characters, ? for exactly one.
bool matches(std::string_view text, std::string_view pattern);

}  // namespace tombolo
