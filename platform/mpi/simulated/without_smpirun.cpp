// A simulated program is a shared object that smpirun loads; started directly, it would crash. Hence it gets the parts
// of an executable, as the system's libc.so.6 does: the name of the loader and an entry point.
#include <string_view>

#include <unistd.h>

#if defined(__x86_64__)
#define TOMBOLO_LOADER "/lib64/ld-linux-x86-64.so.2"
#define TOMBOLO_AT_THE_BEGINNING __attribute__((force_align_arg_pointer))
#elif defined(__aarch64__)
#define TOMBOLO_LOADER "/lib/ld-linux-aarch64.so.1"
#define TOMBOLO_AT_THE_BEGINNING
#endif

#ifdef TOMBOLO_LOADER
extern "C" {

extern const char tombolo_loader[];
[[gnu::section(".interp"), gnu::used]] const char tombolo_loader[] = TOMBOLO_LOADER;

/// The entry point without smpirun, named to the linker in CMakeLists.txt. It has no caller and must not return.
[[noreturn]] TOMBOLO_AT_THE_BEGINNING void tombolo_without_smpirun();
void tombolo_without_smpirun() {
  constexpr std::string_view words =
      "tombolo: this program is built for simulated platforms and does not run by itself; start it by "
      "scripts/simulate, "
      "or use the one in build/release\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, words.data(), words.size());
  ::_exit(2);
}
}
#endif
