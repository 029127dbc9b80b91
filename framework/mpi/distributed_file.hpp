#pragma once

#include <filesystem>

#include <mpi.h>

#include <tombolo/framework/distribution.hpp>
#include <tombolo/framework/element_type.hpp>

namespace tombolo {

// A distributed matrix from and to a file, by all ranks together, each its own parts, by MPI-IO: so all hosts see the
// file. Copies are read by every rank and written by rank 0. Memory has the distribution's order, whatever the file's
// is. All functions are collective, with the same arguments on all ranks but for the array; what fails on one rank
// throws the same AgreedError on all.

/// to[0, matrix.elements(rank)) from a .npy file of NumPy's, in C or Fortran order. An array of one dimension is read
/// as a matrix of one column, or one row. Errors: as read_npy_header's; another shape or type than these; a matrix on
/// another number of ranks; not the same file on all hosts.
template <Element T>
void read_distributed(MPI_Comm communicator, const std::filesystem::path& path, const Distribution& matrix, T* to);

/// The same from a file of elements alone, which begin at byte `offset` and may be followed by anything. Errors: the
/// file is too short for the shape.
template <Element T>
void read_raw(MPI_Comm communicator, const std::filesystem::path& path, const Distribution& matrix, T* to,
              bool fortran_order = false, Bytes offset = 0);

/// A .npy file from[0, matrix.elements(rank)) of all ranks. It stands under its name once all have succeeded and not
/// before. Errors: see AtomicFile; a disk too full.
template <Element T>
void write_distributed(MPI_Comm communicator, const std::filesystem::path& path, const Distribution& matrix,
                       const T* from, bool fortran_order = false);

/// The same without a header.
template <Element T>
void write_raw(MPI_Comm communicator, const std::filesystem::path& path, const Distribution& matrix, const T* from,
               bool fortran_order = false);

}  // namespace tombolo
