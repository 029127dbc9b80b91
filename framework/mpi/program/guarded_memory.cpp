#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <new>
#include <stdexcept>

#include <sys/mman.h>
#include <unistd.h>

#include <tombolo/framework/mpi/program/guarded_memory.hpp>

namespace tombolo {

namespace {

std::size_t page() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

int protection(GuardedMemory::Allowed what) {
  switch (what) {
    case GuardedMemory::Allowed::nothing:
      return PROT_NONE;
    case GuardedMemory::Allowed::reading:
      return PROT_READ;
    case GuardedMemory::Allowed::all:
      break;
  }
  return PROT_READ | PROT_WRITE;
}

// One fault at a time suffices: a body runs on one thread, and no other check runs meanwhile.
sigjmp_buf back;                  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
const void* volatile fault_at{};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void on_fault(int /*signal*/, siginfo_t* info, void* /*context*/) {
  fault_at = info->si_addr;
  siglongjmp(back, 1);
}

// Returns false after a fault in `work`.
[[gnu::noinline]] bool runs(const std::function<void()>& work) {
  if (sigsetjmp(back, 1) != 0) return false;
  work();
  return true;
}

/// Signal handler for its lifetime: faults return to runs().
class Handler {
 public:
  Handler() {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, &segv_);
    sigaction(SIGBUS, &action, &bus_);
  }
  ~Handler() {
    sigaction(SIGSEGV, &segv_, nullptr);
    sigaction(SIGBUS, &bus_, nullptr);
  }
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;

 private:
  struct sigaction segv_ {};
  struct sigaction bus_ {};
};

}  // namespace

GuardedMemory::GuardedMemory(std::int64_t bytes, Edge edge) : size_(bytes) {
  const std::size_t inner = (static_cast<std::size_t>(bytes) + page() - 1) / page() * page();
  room_ = inner + 2 * page();
  void* const mapped = mmap(nullptr, room_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<std::byte*>(mapped);
  data_ = edge == Edge::begin ? pages_ + page() : pages_ + page() + inner - bytes;
  allow(Allowed::all);
}

GuardedMemory::~GuardedMemory() {
  munmap(pages_, room_);
}

void GuardedMemory::allow(Allowed what) {
  if (room_ > 2 * page()) mprotect(pages_ + page(), room_ - 2 * page(), protection(what));
}

bool GuardedMemory::is_near(const void* address) const {
  const auto* const at = static_cast<const std::byte*>(address);
  return at >= pages_ && at < pages_ + room_;
}

void catch_faults(const std::function<void()>& work, const std::function<std::string(const void*)>& explain) {
  bool ended = false;
  {
    const Handler handler;
    ended = runs(work);
  }
  if (!ended) throw std::runtime_error(explain(fault_at));
}

}  // namespace tombolo
