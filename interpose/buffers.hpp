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

/// Returns false for what the MPI library would not take for a communicator, such as one that was freed. Calls no error
/// handler where the library is MPICH; others are not asked.
bool is_communicator(MPI_Comm communicator);

/// Asks the MPI library itself whether a buffer can be sent from: false for datatypes that are not committed, for null
/// with data, for wrong counts. Sends nothing and calls no error handler.
bool could_be_sent(const void* buffer, std::int64_t count, MPI_Datatype type);

/// Sets the communicator of this process alone that copies between layouts use. Not the user's MPI_COMM_SELF, where a
/// receive of the user's could match.
void copy_by(MPI_Comm alone);

/// The memory that elements of a type take, gaps between them included.
struct Span {
  MPI_Aint first = 0;  ///< from the buffer's address; negative where types begin before it
  MPI_Aint bytes = 0;
};
Span span_of(std::int64_t count, MPI_Datatype type);

/// Elements where the processor can reach them: the user's own, or a copy of those on a device.
class HostElements {
 public:
  explicit HostElements(const Part& part);

  /// In place of the part's address.
  void* address() const { return address_; }
  /// Writes the elements of the copy, if there is one, to the device: nothing of the gaps between them, which the
  /// program may change meanwhile.
  void write_back() const;

 private:
  Part part_;
  Span span_{};
  std::unique_ptr<std::byte[]> copy_;
  void* address_ = nullptr;
};

/// The parts of a buffer as consecutive bytes: the user's memory itself where it is that already and no device's, else
/// a copy.
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
