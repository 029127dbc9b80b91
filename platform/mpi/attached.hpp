#pragma once

#include <memory>

#include <mpi.h>

#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

/// Returns the object that belongs to a communicator, by an attribute: at the first call the result of make(), a
/// std::unique_ptr<T>. It is deleted when the communicator is freed, and duplicates have none. A communicator has at
/// most one object of a type T. Local, unless make() is collective.
template <class T, class Make>
T& attached(MPI_Comm communicator, const Make& make) {
  static const int key = [] {
    const auto drop = [](MPI_Comm, int, void* object, void*) -> int {
      delete static_cast<T*>(object);
      return MPI_SUCCESS;
    };
    int made = MPI_KEYVAL_INVALID;
    check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &made, nullptr), "MPI_Comm_create_keyval");
    return made;
  }();
  T* object = nullptr;
  int found = 0;
  check_mpi(MPI_Comm_get_attr(communicator, key, static_cast<void*>(&object), &found), "MPI_Comm_get_attr");
  if (found != 0) return *object;
  std::unique_ptr<T> made = make();
  check_mpi(MPI_Comm_set_attr(communicator, key, made.get()), "MPI_Comm_set_attr");
  return *made.release();
}

}  // namespace tombolo
