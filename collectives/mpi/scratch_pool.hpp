#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace tombolo {

/// Scratch memory of one rank, kept from call to call: fresh memory costs more than moving data through it. Blocks
/// begin at a cache line. A lease gets the smallest free block that is large enough. If there is none, a block of just
/// that size is allocated, and free ones are released first, the smallest first, so that the pool never holds more than
/// was leased at one time. The pool must outlive its leases.
class ScratchPool {
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete[](memory, alignment); }
  };
  struct Block {
    std::unique_ptr<std::byte[], Free> memory;
    std::size_t size = 0;
  };

 public:
  static constexpr std::align_val_t alignment{64};

  /// Leases `phantom` (machine::phantom) if large enough, to any number of users.
  explicit ScratchPool(std::span<std::byte> phantom = {}) : phantom_(phantom) {}

  /// Memory until the end of the object.
  class Lease {
   public:
    Lease() = default;
    Lease(Lease&& other) noexcept { swap(other); }
    Lease& operator=(Lease&& other) noexcept {
      Lease(std::move(other)).swap(*this);
      return *this;
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() {
      if (pool_ != nullptr) pool_->give_back(std::move(block_));
    }
    std::byte* data() const { return data_; }

   private:
    friend class ScratchPool;
    void swap(Lease& other) noexcept {
      std::swap(pool_, other.pool_);
      std::swap(block_, other.block_);
      std::swap(data_, other.data_);
    }
    ScratchPool* pool_ = nullptr;  // null: phantom, or nothing
    Block block_;
    std::byte* data_ = nullptr;
  };

  /// 0 bytes take no memory.
  Lease take(std::size_t bytes);
  std::span<std::byte> phantom() const { return phantom_; }
  /// Bytes of all blocks, leased or free.
  std::size_t held() const { return held_; }

 private:
  Block block_of(std::size_t bytes);
  void give_back(Block block);

  std::span<std::byte> phantom_;
  std::vector<Block> free_;  // by size, ascending
  std::size_t held_ = 0;
  std::size_t leased_ = 0;
  std::size_t most_leased_ = 0;
};

}  // namespace tombolo
