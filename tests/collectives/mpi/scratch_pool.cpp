#include <array>
#include <cstdint>
#include <utility>

#include <catch2/catch.hpp>

#include <tombolo/collectives/mpi/scratch_pool.hpp>

using namespace tombolo;

namespace {

bool aligned(const ScratchPool::Lease& lease) {
  return reinterpret_cast<std::uintptr_t>(lease.data()) % static_cast<std::size_t>(ScratchPool::alignment) == 0;
}

}  // namespace

TEST_CASE("memory is leased again, the smallest block that is large enough, at a cache line") {
  ScratchPool pool;
  const std::byte* small = nullptr;
  const std::byte* large = nullptr;
  {
    const ScratchPool::Lease one = pool.take(1000);
    const ScratchPool::Lease other = pool.take(100);
    CHECK((aligned(one) && aligned(other)));
    large = one.data();
    small = other.data();
    CHECK(small != large);
  }
  const ScratchPool::Lease again = pool.take(90);
  CHECK(again.data() == small);
  const ScratchPool::Lease beside = pool.take(90);
  CHECK(beside.data() == large);
  CHECK(pool.held() == 1100);
  CHECK(pool.take(0).data() == nullptr);
}

TEST_CASE("no more memory is held than was leased at one time") {
  ScratchPool pool;
  for (const std::size_t bytes : {10, 200, 3000}) pool.take(bytes);
  CHECK(pool.held() == 3000);
  {
    const ScratchPool::Lease one = pool.take(3000);
    const ScratchPool::Lease other = pool.take(500);
    CHECK(pool.held() == 3500);
  }
  const ScratchPool::Lease more = pool.take(3200);
  CHECK(pool.held() == 3200);
}

TEST_CASE("a lease can be handed on and ends with its last holder") {
  ScratchPool pool;
  ScratchPool::Lease one = pool.take(64);
  const std::byte* const at = one.data();
  ScratchPool::Lease other = std::move(one);
  CHECK(other.data() == at);
  CHECK(pool.take(64).data() != at);
  other = {};
  CHECK(pool.take(64).data() == at);
}

TEST_CASE("phantom memory is leased to all, as far as it reaches") {
  std::array<std::byte, 100> nothing{};
  ScratchPool pool(nothing);
  const ScratchPool::Lease one = pool.take(100);
  CHECK((one.data() == nothing.data() && pool.take(1).data() == nothing.data() && pool.held() == 0));
  CHECK(pool.take(101).data() != nothing.data());
}
