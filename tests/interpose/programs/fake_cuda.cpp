// Stands in for CUDA's driver, libcuda.so.1: memory of its device is a mapping that the processor may not touch, beside
// a second mapping of the same pages. Copies are made as late as a device may: those of a stream when it is waited for,
// those of the default stream to the device when another stream's work or a copy from the device comes after them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace {

constexpr int success = 0;
constexpr int invalid = 1;

struct Allocation {
  std::size_t bytes = 0;
  std::byte* reachable = nullptr;
};

struct Copy {
  std::uintptr_t to = 0;
  std::uintptr_t from = 0;
  std::size_t bytes = 0;
};

struct Stream {
  bool non_blocking = false;  // not ordered after the default stream
  std::vector<Copy> copies{};
};

std::mutex calling;
std::map<std::uintptr_t, Allocation> allocations;
std::vector<std::pair<std::uintptr_t, std::vector<std::byte>>> under_way;  // to the device, on the default stream
thread_local int pushed = 0;                                               // contexts
int context = 0;

const Allocation* allocation_of(std::uintptr_t address, std::uintptr_t* first) {
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin()) return nullptr;
  --after;
  *first = after->first;
  return address < after->first + after->second.bytes ? &after->second : nullptr;
}

void* reachable(std::uintptr_t address, std::size_t bytes) {
  std::uintptr_t first = 0;
  const Allocation* const found = allocation_of(address, &first);
  if (found == nullptr) return reinterpret_cast<void*>(address);
  return address + bytes > first + found->bytes ? nullptr : found->reachable + (address - first);
}

int carry_out(const Copy& copy) {
  void* const to = reachable(copy.to, copy.bytes);
  const void* const from = reachable(copy.from, copy.bytes);
  if (to == nullptr || from == nullptr) return invalid;
  std::memcpy(to, from, copy.bytes);
  return success;
}

void finish_default_stream() {
  for (auto& [to, bytes] : under_way) {
    if (carry_out({to, reinterpret_cast<std::uintptr_t>(bytes.data()), bytes.size()}) != success) std::abort();
  }
  under_way.clear();
}

}  // namespace

extern "C" {

int cuInit(unsigned) {
  return success;
}

int cuDeviceGet(int* device, int) {
  *device = 0;
  return success;
}

int cuDevicePrimaryCtxRetain(void** into, int) {
  *into = &context;
  return success;
}

int cuDevicePrimaryCtxRelease_v2(int) {
  return success;
}

int cuCtxSetCurrent(void*) {
  return success;
}

int cuCtxPushCurrent_v2(void* pushes) {
  if (pushes != &context) return invalid;
  ++pushed;
  return success;
}

int cuCtxPopCurrent_v2(void**) {
  --pushed;
  return success;
}

int cuMemAlloc_v2(std::uintptr_t* address, std::size_t bytes) {
  const std::lock_guard lock(calling);
  const int pages = memfd_create("device", 0);
  if (pages < 0 || ftruncate(pages, static_cast<off_t>(bytes)) != 0) return invalid;
  void* const hidden = mmap(nullptr, bytes, PROT_NONE, MAP_SHARED, pages, 0);
  void* const open = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, pages, 0);
  close(pages);
  if (hidden == MAP_FAILED || open == MAP_FAILED) return invalid;
  *address = reinterpret_cast<std::uintptr_t>(hidden);
  allocations[*address] = {.bytes = bytes, .reachable = static_cast<std::byte*>(open)};
  return success;
}

int cuMemFree_v2(std::uintptr_t address) {
  const std::lock_guard lock(calling);
  finish_default_stream();
  const auto found = allocations.find(address);
  if (found == allocations.end()) return invalid;
  munmap(reinterpret_cast<void*>(address), found->second.bytes);
  munmap(found->second.reachable, found->second.bytes);
  allocations.erase(found);
  return success;
}

int cuMemcpy(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  const std::lock_guard lock(calling);
  std::uintptr_t first = 0;
  if (allocation_of(to, &first) == nullptr) {
    finish_default_stream();
    return carry_out({to, from, bytes});
  }
  const auto* const data = reinterpret_cast<const std::byte*>(from);
  under_way.emplace_back(to, std::vector<std::byte>(data, data + bytes));
  return success;
}

int cuStreamCreate(Stream** stream, unsigned flags) {
  if (pushed == 0) return invalid;
  *stream = new Stream{.non_blocking = flags != 0};
  return success;
}

int cuStreamDestroy_v2(Stream* stream) {
  delete stream;
  return success;
}

int cuMemcpyAsync(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, Stream* stream) {
  stream->copies.push_back({to, from, bytes});
  return success;
}

int cuStreamSynchronize(Stream* stream) {
  const std::lock_guard lock(calling);
  if (!stream->non_blocking) finish_default_stream();
  int code = success;
  for (const Copy& copy : std::exchange(stream->copies, {})) {
    if (code == success) code = carry_out(copy);
  }
  return code;
}

// As the driver does: no error for memory that it does not know, and no attributes.
int cuPointerGetAttributes(unsigned number, const int* attributes, void** values, std::uintptr_t address) {
  const std::lock_guard lock(calling);
  std::uintptr_t first = 0;
  const bool known = allocation_of(address, &first) != nullptr;
  for (unsigned i = 0; i < number; ++i) {
    switch (attributes[i]) {
      case 1:  // context
        *static_cast<void**>(values[i]) = known ? &context : nullptr;
        break;
      case 2:  // type of memory: a device's
        *static_cast<unsigned*>(values[i]) = known ? 2 : 0;
        break;
      default:  // whether managed; number of the device
        *static_cast<unsigned*>(values[i]) = 0;
    }
  }
  return success;
}

int cuGetErrorString(int code, const char** text) {
  *text = code == success ? "no error" : "invalid argument";
  return success;
}

}  // extern "C"
