#pragma once

#include <string>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// A size as options take it: "64", "16K", "4M"; whole multiples of 1024 only, else bytes.
std::string readable_bytes(Bytes bytes);

}  // namespace tombolo
