#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include <mpi.h>

#include <tombolo/framework/program/declare/declaration.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// The file of a program's array in a checkpoint: .npy for floating-point and complex numbers, else raw elements, of
/// which those of one and two bytes take four. hash(), write() and read() are collective over the members, return this
/// member's part of the hash of all values, and throw Error on all of them. `held` says which elements a member has.
class ArrayFile {
 public:
  /// The array must outlive it.
  ArrayFile(const DeclaredArray& array, MPI_Comm members);

  const char* ending() const { return npy_ ? "npy" : "raw"; }
  Bytes bytes() const;

  std::uint64_t hash(const Distribution& held, const std::byte* elements) const;
  std::uint64_t write(const std::filesystem::path& file, const Distribution& held, const std::byte* elements) const;
  std::uint64_t read(const std::filesystem::path& file, const Distribution& held, bool fortran_order,
                     std::byte* elements) const;

 private:
  bool is_small() const { return array_.element < Bytes{sizeof(float)}; }
  template <class Work>
  std::uint64_t with_elements(const Distribution& held, const std::byte* elements, const Work& work) const;

  const DeclaredArray& array_;
  MPI_Comm members_;
  Rank member_ = 0;
  ElementType type_ = ElementType::float32;  // of the elements of the file
  bool npy_ = false;
};

}  // namespace tombolo
