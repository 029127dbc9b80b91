#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include <dlfcn.h>

#include <tombolo/interpose/loading.hpp>
#include <tombolo/platform/system/environment.hpp>

namespace tombolo::interpose {

namespace {

// The words of a list, which blanks or colons part, but for one.
std::string without(std::string_view word, std::string_view list) {
  std::string others;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(": "), list.size());
    const std::string_view each = list.substr(0, end);
    if (!each.empty() && each != word) others += (others.empty() ? "" : ":") + std::string(each);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return others;
}

}  // namespace

void load_for_ranks_alone() {
  const std::string list = environment("LD_PRELOAD");
  Dl_info own{};
  if (list.empty() || dladdr(reinterpret_cast<const void*>(&load_for_ranks_alone), &own) == 0) return;
  const std::string others = without(own.dli_fname, list);
  if (others.empty()) {
    unsetenv("LD_PRELOAD");
  } else {
    setenv("LD_PRELOAD", others.c_str(), 1);
  }
}

}  // namespace tombolo::interpose
