#pragma once

#include <filesystem>

#include <mpi.h>

#include <tombolo/framework/npy_header.hpp>

namespace tombolo {

/// Returns the shape of the matrix in a .npy file, for the declaration of a program that reads it. Throws AgreedError:
/// see read_npy_header; an array of other than two dimensions. Collective, with the same path.
MatrixShape shape_in_file(MPI_Comm communicator, const std::filesystem::path& path);

}  // namespace tombolo
