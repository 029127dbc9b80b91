#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>

namespace tombolo {

/// Memory for elements of a matrix: owned memory, zeroed so that every page is mapped before timing starts; or a part
/// of phantom memory, which has no content and can only be sent and received in a simulation.
template <class T>
class Storage {
 public:
  Storage() = default;
  /// Allocates owned memory for `size` elements.
  explicit Storage(std::int64_t size)
      : own_(std::make_unique<T[]>(static_cast<std::size_t>(size))), data_(own_.get()), size_(size) {}
  /// Uses the beginning of phantom memory. Throws std::logic_error if that is smaller.
  Storage(std::int64_t size, std::span<std::byte> phantom) : data_(reinterpret_cast<T*>(phantom.data())), size_(size) {
    if (static_cast<std::size_t>(size) > phantom.size() / sizeof(T)) {
      throw std::logic_error("a buffer larger than the phantom memory");
    }
  }

  T* data() const { return data_; }
  std::int64_t size() const { return size_; }

 private:
  std::unique_ptr<T[]> own_;
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

}  // namespace tombolo
