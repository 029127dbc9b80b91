#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <mpi.h>

#include <tombolo/units.hpp>

namespace tombolo::interpose {

/// A part of a user's buffer: `count` elements at an address.
struct Part {
  void* address = nullptr;
  std::int64_t count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;

  Bytes bytes() const;
};

/// Returns true if the data of one element is its memory, in order and without gaps: predefined types without padding,
/// and contiguous ones and duplicates of such. Types with any displacement are not, even if they leave no gap: their
/// order may be another.
bool is_plain(MPI_Datatype type);

/// Returns true for a datatype of MPI itself, not derived.
bool is_named(MPI_Datatype type);

/// Asks the MPI library itself whether a buffer can be sent from: false for datatypes that are not committed, for null
/// with data, for wrong counts. Sends nothing and calls no error handler.
bool could_be_sent(const void* buffer, std::int64_t count, MPI_Datatype type);

/// Sets the communicator of this process alone that copies between layouts use. Not the user's MPI_COMM_SELF, where a
/// receive of the user's could match.
void copy_by(MPI_Comm alone);

/// The parts of a buffer as consecutive bytes: the user's memory itself where it is that already, else a copy.
class PlainBytes {
 public:
  /// No bytes.
  PlainBytes() = default;
  explicit PlainBytes(std::vector<Part> parts);

  /// The same bytes in a copy of their own.
  PlainBytes copied() &&;

  void* data() const { return data_; }
  /// Copies the user's data into the copy, if there is one.
  void pack() const;
  /// Copies the copy back into the user's buffer, if there is one.
  void unpack() const;

 private:
  void make_copy();

  std::vector<Part> parts_;
  std::unique_ptr<std::byte[]> copy_;
  void* data_ = nullptr;
};

}  // namespace tombolo::interpose
