#pragma once

#include <string>
#include <string_view>

#include <tombolo/platform/json/node.hpp>

namespace tombolo {

/// Returns a JSON object laid out for people, with the checksum of its content, a compact JSON value.
std::string sealed_json(std::string_view content);

/// Parses what sealed_json() has made: the document {"checksum": ..., "content": ...}. Throws Error as parse_json(),
/// and for another checksum than that of the content, so that any damage is found.
JsonDocument parse_sealed(std::string_view text, std::string name, std::string remedy);

}  // namespace tombolo
