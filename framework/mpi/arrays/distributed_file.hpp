#pragma once

#include <filesystem>

#include <mpi.h>

#include <tombolo/framework/arrays/distribution.hpp>
#include <tombolo/framework/element_type.hpp>

namespace tombolo {

// Parallel input and output of distributed matrices by MPI-IO: every rank transfers its own parts, and all hosts must
// see the file. A replicated matrix is read by every rank and written by rank 0. Memory has the order of the
// distribution, independent of the order in the file. All functions are collective and take the same arguments on all
// ranks, except the array. A failure on one rank throws the same AgreedError on all ranks.

/// Reads a .npy file, in C or Fortran order, into to[0, matrix.elements(rank)). An array of one dimension is read as a
/// matrix of one column or one row. Errors: as read_npy_header; other shape or type; a matrix on another number of
/// ranks; different files on different hosts.
template <Element T>
void read_distributed(MPI_Comm communicator, const std::filesystem::path& path, const Distribution& matrix, T* to);

/// Reads a raw file, whose elements begin at byte `offset`; bytes after the elements are ignored. Errors: as
/// read_distributed; a file too short for the shape; a negative offset.
template <Element T>
void read_raw(MPI_Comm communicator, const std::filesystem::path& path, const Distribution& matrix, T* to,
              bool fortran_order = false, Bytes offset = 0);

/// Writes from[0, matrix.elements(rank)) of all ranks to a .npy file. The file appears under its name only after all
/// ranks have succeeded. Errors: see AtomicFile; disk full.
template <Element T>
void write_distributed(MPI_Comm communicator, const std::filesystem::path& path, const Distribution& matrix,
                       const T* from, bool fortran_order = false);

/// Writes a raw file, without a header.
template <Element T>
void write_raw(MPI_Comm communicator, const std::filesystem::path& path, const Distribution& matrix, const T* from,
               bool fortran_order = false);

}  // namespace tombolo
