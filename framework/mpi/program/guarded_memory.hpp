#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace tombolo {

/// Zeroed memory in separate pages, between two inaccessible pages. The memory begins right behind the first guard page
/// or ends right before the second one, so that an access beyond that edge is a fault.
class GuardedMemory {
 public:
  enum class Edge { begin, end };
  enum class Allowed { nothing, reading, all };

  /// Throws std::bad_alloc.
  GuardedMemory(std::int64_t bytes, Edge edge);
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  std::byte* data() const { return data_; }
  std::int64_t size() const { return size_; }
  void allow(Allowed what);
  /// True if an address is in the memory or its guard pages.
  bool is_near(const void* address) const;

 private:
  std::byte* pages_ = nullptr;  // including both guard pages
  std::size_t room_ = 0;
  std::byte* data_ = nullptr;
  std::int64_t size_ = 0;
};

/// Calls `work`. Throws std::runtime_error with the text of `explain` for the address after a forbidden access; objects
/// of `work` are not destroyed then.
void catch_faults(const std::function<void()>& work, const std::function<std::string(const void*)>& explain);

}  // namespace tombolo
