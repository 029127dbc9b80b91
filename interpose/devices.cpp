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

// What is used of CUDA's driver interface (cuda.h). Tombolo is built without CUDA, and programs without devices do not
// load it.
struct Driver {
  using Context = struct CUctx_st*;
  using Stream = struct CUstream_st*;
  using Address = std::uintptr_t;  // CUdeviceptr

  int (*attributes_of)(unsigned number, int* attributes, void** values, Address address) = nullptr;
  int (*retain_context)(Context* context, int device) = nullptr;
  int (*release_context)(int device) = nullptr;
  int (*push_context)(Context context) = nullptr;
  int (*pop_context)(Context* context) = nullptr;
  int (*create_stream)(Stream* stream, unsigned flags) = nullptr;
  int (*destroy_stream)(Stream stream) = nullptr;
  int (*wait_for_stream)(Stream stream) = nullptr;
  int (*copy_on_stream)(Address to, Address from, std::size_t bytes, Stream stream) = nullptr;
  int (*describe_error)(int code, const char** text) = nullptr;

  bool find_all(void* library) {
    const auto find = [library](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    return find(attributes_of, "cuPointerGetAttributes") && find(retain_context, "cuDevicePrimaryCtxRetain") &&
           find(release_context, "cuDevicePrimaryCtxRelease_v2") && find(push_context, "cuCtxPushCurrent_v2") &&
           find(pop_context, "cuCtxPopCurrent_v2") && find(create_stream, "cuStreamCreate") &&
           find(destroy_stream, "cuStreamDestroy_v2") && find(wait_for_stream, "cuStreamSynchronize") &&
           find(copy_on_stream, "cuMemcpyAsync") && find(describe_error, "cuGetErrorString");
  }

  void check(int code, const char* function) const {
    if (code == 0) return;
    const char* text = nullptr;
    describe_error(code, &text);
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
  const int code = cuda.attributes_of(attributes.size(), attributes.data(), values.data(),
                                      reinterpret_cast<Driver::Address>(address));
  place.on_device = code == 0 && type == memory_of_device && managed == 0;
  return place;
}

// While it lives, a context in which the memory can be reached is the thread's current one.
class InContext {
 public:
  InContext(const Driver& cuda, const Place& place) : cuda_(cuda), device_(place.device), context_(place.context) {
    retained_ = context_ == nullptr;
    if (retained_) cuda_.check(cuda_.retain_context(&context_, device_), "cuDevicePrimaryCtxRetain");
    const int code = cuda_.push_context(context_);
    if (code != 0 && retained_) cuda_.release_context(device_);
    cuda_.check(code, "cuCtxPushCurrent");
  }
  ~InContext() {
    Driver::Context popped = nullptr;
    cuda_.pop_context(&popped);
    if (retained_) cuda_.release_context(device_);
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
  cuda.check(cuda.create_stream(&stream, after_default_stream), "cuStreamCreate");
  int code = 0;
  for (const DeviceCopy& each : copies) {
    if (code != 0) break;
    code = cuda.copy_on_stream(reinterpret_cast<Driver::Address>(each.to), reinterpret_cast<Driver::Address>(each.from),
                               static_cast<std::size_t>(each.bytes), stream);
  }
  const int waited = cuda.wait_for_stream(stream);
  cuda.destroy_stream(stream);
  cuda.check(code, "cuMemcpyAsync");
  cuda.check(waited, "cuStreamSynchronize");
}

}  // namespace tombolo::interpose
