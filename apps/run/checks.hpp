#pragma once

#include <string>

#include <tombolo/framework/element_type.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/framework/npy_header.hpp>

#include "run/options.hpp"

namespace tombolo {

// What every application checks before any work. They throw Error on the rank that finds something, so call them within
// agree().

/// The rank given to --root must exist.
void check_root(const Session& session, Rank root);

/// Bytes of a matrix. Throws Error where it or a dimension passes 2^60, from which sums of sizes could overflow.
Bytes bytes_of(const MatrixShape& shape, ElementType type);
void check_size(const MatrixShape& shape, ElementType type);

/// --phantom is for simulations.
void check_phantom_wanted(const RunOptions& options);

/// There must be something to write to the output given to `option`: phantom memory holds nothing.
void check_phantom_output(const Session& session, const std::string& option, const std::string& path);

/// Rank 0 must be able to write the report, if there will be one.
void check_report(const Session& session, const RunOptions& options);

}  // namespace tombolo
