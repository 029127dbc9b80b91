// This library in processes that tombolo-run did not see: what ranks start, and programs behind a shell, which is
// linked to no MPI library that tells which of the two libraries to load.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <mpi.h>
#include <unistd.h>

#include <tombolo/interpose/loading.hpp>
#include <tombolo/platform/system/environment.hpp>
#include <tombolo/platform/system/standard_streams.hpp>

namespace tombolo::interpose {

namespace {

constexpr const char* preload = "LD_PRELOAD";

struct MpiLibrary {
  const char* name;
  const char* file;      // as programs are linked to it
  const char* function;  // that it alone has
  const char* word;      // of it to tombolo-run
};
constexpr MpiLibrary mpich{"MPICH", "libmpich.so.12", "MPIR_Err_return_comm", "mpich"};
constexpr MpiLibrary openmpi{"Open MPI", "libmpi.so.40", "ompi_mpi_init", "openmpi"};
#ifdef MPICH
constexpr const MpiLibrary& own = mpich;
constexpr const MpiLibrary& other = openmpi;
#else
constexpr const MpiLibrary& own = openmpi;
constexpr const MpiLibrary& other = mpich;
#endif

// The file that holds this address; empty if there is none.
std::string file_of(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

// The words of a list, which blanks or colons part.
std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(": "), list.size());
    if (end > 0) words.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

// Puts another library in the place of this one in LD_PRELOAD, or none. Returns false if this one is not there.
bool load_instead(const std::string& library) {
  std::vector<std::string> words = words_of(environment(preload));
  const auto at = std::ranges::find(words, file_of(reinterpret_cast<const void*>(&load_instead)));
  if (at == words.end()) return false;
  if (library.empty()) {
    words.erase(at);
  } else {
    *at = library;
  }
  if (words.empty()) {
    unsetenv(preload);
  } else {
    setenv(preload, fmt::format("{}", fmt::join(words, ":")).c_str(), 1);
  }
  return true;
}

#ifndef TOMBOLO_SIMULATED
bool is_linked_to(const link_map& object, std::string_view file) {
  const char* names = nullptr;
  for (const auto* entry = object.l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
  }
  for (const auto* entry = object.l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_NEEDED && file == names + entry->d_un.d_val) return true;
  }
  return false;
}

// Whether this process's program or a library of it is linked to the other MPI library and, but for this library, none
// to its own.
bool is_for_other() {
  bool others = false;
  for (const link_map* object = _r_debug.r_map; object != nullptr; object = object->l_next) {
    if (is_linked_to(*object, own.file) && object->l_ld != _DYNAMIC) return false;
    others = others || is_linked_to(*object, other.file);
  }
  return others;
}

// Starts this process's program again from its beginning.
void start_again() {
  std::error_code failed;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", failed);
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string words{std::istreambuf_iterator<char>(file), {}};
  std::vector<char*> arguments;
  for (std::size_t at = 0; at < words.size(); at = words.find('\0', at) + 1) arguments.push_back(&words[at]);
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
}

// Before main, a program of the other MPI library starts again with Tombolo's library for that, or without any where
// there is none.
__attribute__((constructor)) void change_to_library_of_program() {
  if (!is_for_other()) return;
  const std::filesystem::path here = file_of(reinterpret_cast<const void*>(&change_to_library_of_program));
  const std::filesystem::path sibling = here.parent_path() / fmt::format("libtombolo_{}.so", other.word);
  const bool there = access(sibling.c_str(), R_OK) == 0;
  if (!load_instead(there ? sibling.string() : "")) return;
  if (!there) {
    say(fmt::format(
        "tombolo: a program for {} runs without planned collectives: no {}; build Tombolo where {} is installed\n",
        other.name, sibling.string(), other.name));
  }
  start_again();
}
#endif

}  // namespace

void load_for_ranks_alone() {
  load_instead("");
}

void refuse_other_library(const void* caller) {
  const std::string file = file_of(caller);
  void* const loaded = file.empty() ? nullptr : dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (loaded == nullptr) return;
  // Of the file and of what it is linked to.
  const bool is_other = dlsym(loaded, other.function) != nullptr && dlsym(loaded, own.function) == nullptr;
  dlclose(loaded);
  if (!is_other) return;
  say(fmt::format("tombolo: {} is for {}, and tombolo-run has loaded its library for {}; say tombolo-run --mpi {}\n",
                  file, other.name, own.name, other.word));
  _exit(1);
}

}  // namespace tombolo::interpose
