#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <type_traits>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <tombolo/interpose/devices.hpp>

namespace tombolo::interpose {

namespace {

// What is used of CUDA's driver interface (cuda.h), by the names that its library exports. Tombolo is built without
// CUDA, and programs without devices do not load it.
struct Driver {
  using Context = struct CUctx_st*;
  using Stream = struct CUstream_st*;
  using Address = std::uintptr_t;  // CUdeviceptr

  int (*cuPointerGetAttributes)(unsigned number, int* attributes, void** values, Address address) = nullptr;
  int (*cuDevicePrimaryCtxRetain)(Context* context, int device) = nullptr;
  int (*cuDevicePrimaryCtxRelease_v2)(int device) = nullptr;
  int (*cuCtxPushCurrent_v2)(Context context) = nullptr;
  int (*cuCtxPopCurrent_v2)(Context* context) = nullptr;
  int (*cuStreamCreate)(Stream* stream, unsigned flags) = nullptr;
  int (*cuStreamDestroy_v2)(Stream stream) = nullptr;
  int (*cuStreamSynchronize)(Stream stream) = nullptr;
  int (*cuMemcpyAsync)(Address to, Address from, std::size_t bytes, Stream stream) = nullptr;
  int (*cuGetErrorString)(int code, const char** text) = nullptr;

  bool find_all(void* library) {
    const auto find = [library](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    return find(cuPointerGetAttributes, "cuPointerGetAttributes") &&
           find(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain") &&
           find(cuDevicePrimaryCtxRelease_v2, "cuDevicePrimaryCtxRelease_v2") &&
           find(cuCtxPushCurrent_v2, "cuCtxPushCurrent_v2") && find(cuCtxPopCurrent_v2, "cuCtxPopCurrent_v2") &&
           find(cuStreamCreate, "cuStreamCreate") && find(cuStreamDestroy_v2, "cuStreamDestroy_v2") &&
           find(cuStreamSynchronize, "cuStreamSynchronize") && find(cuMemcpyAsync, "cuMemcpyAsync") &&
           find(cuGetErrorString, "cuGetErrorString");
  }

  void check(int code, const char* function) const {
    if (code == 0) return;
    const char* text = nullptr;
    cuGetErrorString(code, &text);
    throw Error(fmt::format("CUDA cannot copy the buffer of a collective call: {} returned {} ({})", function, code,
                            text == nullptr ? "unknown" : text),
                "check the program's own calls of CUDA, or run it without tombolo-run");
  }
};

// The number of libraries that the process has loaded so far: it tells in some 50 ns that there is no new one.
std::uint64_t libraries_loaded() {
  std::uint64_t number = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* into) {
        *static_cast<std::uint64_t*>(into) = info->dlpi_adds;
        return 1;
      },
      &number);
  return number;
}

// Null while the program has not loaded CUDA. The runtime loads it at its first call, so often after MPI_Init.
const Driver* driver() {
  static std::mutex looking;
  static Driver found;
  static bool usable = false;
  static std::uint64_t looked_at = 0;
  const std::lock_guard lock(looking);
  if (usable) return &found;
  if (const std::uint64_t loaded = libraries_loaded(); std::exchange(looked_at, loaded) == loaded) return nullptr;
  // Never closed: it stays as long as the functions are known.
  void* const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  usable = library != nullptr && found.find_all(library);
  return usable ? &found : nullptr;
}

struct Place {
  bool on_device = false;
  int device = 0;
  Driver::Context context = nullptr;  // null: of a pool that belongs to none
};

Place place_of(const Driver& cuda, const void* address) {
  enum Attribute : int { context = 1, memory_type = 2, is_managed = 8, device_ordinal = 9 };
  constexpr unsigned memory_of_device = 2;
  Place place;
  unsigned type = 0;
  unsigned managed = 0;
  std::array<int, 4> attributes{context, memory_type, is_managed, device_ordinal};
  std::array<void*, 4> values{static_cast<void*>(&place.context), &type, &managed, &place.device};
  const int code = cuda.cuPointerGetAttributes(attributes.size(), attributes.data(), values.data(),
                                               reinterpret_cast<Driver::Address>(address));
  place.on_device = code == 0 && type == memory_of_device && managed == 0;
  return place;
}

// While it lives, a context in which the memory can be reached is the thread's current one.
class InContext {
 public:
  InContext(const Driver& cuda, const Place& place) : cuda_(cuda), device_(place.device), context_(place.context) {
    retained_ = context_ == nullptr;
    if (retained_) cuda_.check(cuda_.cuDevicePrimaryCtxRetain(&context_, device_), "cuDevicePrimaryCtxRetain");
    const int code = cuda_.cuCtxPushCurrent_v2(context_);
    if (code != 0 && retained_) cuda_.cuDevicePrimaryCtxRelease_v2(device_);
    cuda_.check(code, "cuCtxPushCurrent");
  }
  ~InContext() {
    Driver::Context popped = nullptr;
    cuda_.cuCtxPopCurrent_v2(&popped);
    if (retained_) cuda_.cuDevicePrimaryCtxRelease_v2(device_);
  }
  InContext(const InContext&) = delete;
  InContext& operator=(const InContext&) = delete;

 private:
  const Driver& cuda_;
  int device_;
  Driver::Context context_;
  bool retained_ = false;
};

}  // namespace

bool is_on_device(const void* address) {
  const Driver* const cuda = driver();
  return cuda != nullptr && address != nullptr && place_of(*cuda, address).on_device;
}

void copy(const void* on, std::span<const DeviceCopy> copies) {
  const Driver& cuda = *driver();
  const InContext current(cuda, place_of(cuda, on));
  // It begins after what the program has put on the default stream, where small copies from host memory may still be
  // under way when their calls have returned, and waits for no other stream.
  constexpr unsigned after_default_stream = 0;
  Driver::Stream stream = nullptr;
  cuda.check(cuda.cuStreamCreate(&stream, after_default_stream), "cuStreamCreate");
  int code = 0;
  for (const DeviceCopy& each : copies) {
    if (code != 0) break;
    code = cuda.cuMemcpyAsync(reinterpret_cast<Driver::Address>(each.to), reinterpret_cast<Driver::Address>(each.from),
                              static_cast<std::size_t>(each.bytes), stream);
  }
  const int waited = cuda.cuStreamSynchronize(stream);
  cuda.cuStreamDestroy_v2(stream);
  cuda.check(code, "cuMemcpyAsync");
  cuda.check(waited, "cuStreamSynchronize");
}

}  // namespace tombolo::interpose
