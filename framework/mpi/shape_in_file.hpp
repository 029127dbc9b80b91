#pragma once

#include <filesystem>

#include <mpi.h>

#include <tombolo/framework/npy_header.hpp>

namespace tombolo {

/// The shape of the matrix in a .npy file, which is what a program that reads it needs for its declaration. Throws
/// AgreedError: see read_npy_header; an array of other than two dimensions. Collective, with the same path.
MatrixShape shape_in_file(MPI_Comm communicator, const std::filesystem::path& path);

}  // namespace tombolo
