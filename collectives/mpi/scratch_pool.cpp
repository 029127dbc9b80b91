#include <algorithm>

#include <tombolo/collectives/mpi/scratch_pool.hpp>

namespace tombolo {

ScratchPool::Lease ScratchPool::take(std::size_t bytes) {
  Lease lease;
  if (bytes <= phantom_.size()) {
    lease.data_ = phantom_.data();
    return lease;
  }
  lease.block_ = block_of(bytes);
  lease.data_ = lease.block_.memory.get();
  lease.pool_ = this;
  leased_ += lease.block_.size;
  most_leased_ = std::max(most_leased_, leased_);
  return lease;
}

ScratchPool::Block ScratchPool::block_of(std::size_t bytes) {
  const auto fits = std::ranges::find_if(free_, [=](const Block& block) { return block.size >= bytes; });
  if (fits != free_.end()) {
    Block block = std::move(*fits);
    free_.erase(fits);
    return block;
  }
  while (!free_.empty() && held_ + bytes > std::max(most_leased_, leased_ + bytes)) {
    held_ -= free_.front().size;
    free_.erase(free_.begin());
  }
  Block block{std::unique_ptr<std::byte[], Free>(new (alignment) std::byte[bytes]), bytes};
  held_ += bytes;
  return block;
}

// Of blocks of one size the last used is the first to be leased again.
void ScratchPool::give_back(Block block) {
  leased_ -= block.size;
  const auto at = std::ranges::find_if(free_, [&](const Block& other) { return other.size >= block.size; });
  free_.insert(at, std::move(block));
}

}  // namespace tombolo
