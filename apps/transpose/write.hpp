#pragma once

#include <cstdint>
#include <string>

#include <tombolo/framework/element_type.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/framework/npy_header.hpp>

namespace tombolo::transposition {

/// Writes a matrix into a .npy file, every rank its rows at once. It stands under its name when all have succeeded;
/// otherwise nothing of it is left and all ranks throw the same AgreedError. Collective.
template <Element T>
void write_slices(Session& session, const std::string& target, const MatrixShape& shape, std::int64_t first_row,
                  std::int64_t rows, const T* slice);

}  // namespace tombolo::transposition
