#pragma once

#include <string>

#include <tombolo/platform/description/platform.hpp>

namespace tombolo::showing {

/// The platform for people: where it comes from, its levels, its links, its processors, what is not known.
std::string to_text(const Platform& platform);

// Its parts.
std::string levels_text(const Platform& platform);
std::string links_text(const Platform& platform);
std::string processors_text(const Platform& platform);
std::string kernels_text(const Platform& platform);  // empty where none is stored

}  // namespace tombolo::showing
