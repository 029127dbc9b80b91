#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Sizes of messages, as in 64:4M:x4 (64, 256, ..., 4194304), 1K:64K (doubling), or 8K alone. Ascending.
/// Throws Error for words that are none.
std::vector<Bytes> size_range(const std::string& words);

/// For options whose words are such a range.
CLI::Validator is_size_range();

}  // namespace tombolo
