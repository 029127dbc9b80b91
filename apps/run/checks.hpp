#pragma once

#include <string>

#include <tombolo/framework/mpi/session.hpp>

#include "run/options.hpp"

namespace tombolo {

// What every application checks before any work. They throw Error on the rank that finds something, so call them within
// agree().

/// The rank given to --root must exist.
void check_root(const Session& session, Rank root);

/// The output given to `option` must not be the file that --report names as well.
void check_not_report(const std::string& option, const std::string& path, const RunOptions& options);

/// --phantom is for simulations.
void check_phantom_wanted(const RunOptions& options);

/// There must be something to write to the output given to `option`: phantom memory holds nothing.
void check_phantom_output(const Session& session, const std::string& option, const std::string& path);

/// Rank 0 must be able to write the report, if there will be one.
void check_report(const Session& session, const RunOptions& options);

}  // namespace tombolo
