#pragma once

#include <string_view>

namespace tombolo {

/// Whether a text is like a pattern in which * stands for any characters, or none, and ? for any one.
bool matches(std::string_view text, std::string_view pattern);

}  // namespace tombolo
