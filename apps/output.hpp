#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tombolo/platform/readable.hpp>
#include <tombolo/session.hpp>

#include "option_group.hpp"

namespace tombolo {

/// Prints data on stdout, once, from rank 0. Throws AgreedError if it cannot be written in full. Collective.
void print(Session& session, std::string_view text);

/// Returns results in the format that the user wants, by to_csv(), to_json() or to_text() of these values.
template <class... Found>
std::string shown(Format format, const Found&... found) {
  return format == Format::csv ? to_csv(found...) : format == Format::json ? to_json(found...) : to_text(found...);
}

/// Names of files and the SVG in them.
using Pictures = std::vector<std::pair<std::string, std::string>>;

/// Makes a folder for files of a command, and those above it, where they are not there yet. Throws Error where it
/// cannot be, or what is there is none.
void make_output_folder(const std::string& folder);

/// Writes pictures into a folder. Throws Error.
void write_pictures(const std::string& folder, const Pictures& pictures);

/// A size as options take it: "64", "16K", "4M"; whole multiples of 1024 only, else bytes.
std::string readable_bytes(Bytes bytes);

/// A text as a field of CSV (RFC 4180): in quotes where it has to be.
std::string csv_field(std::string_view text);

/// A time in CSV: seconds to a picosecond; empty where there is none.
std::string csv_seconds(std::optional<Picoseconds> time);

}  // namespace tombolo
