#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <dlfcn.h>

namespace tombolo::interpose {

/// Returns the function of that name that this library hides: the next one in the order of loading, so of a tool that
/// is loaded after it or of the MPI library.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// While an object of this lives, the thread's calls pass through: they are calls of Tombolo itself, or of the MPI
/// library and of tools below, inside a call that has been decided about.
class Inside {
 public:
  Inside() { ++depth; }
  ~Inside() { --depth; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  static bool now() { return depth > 0; }

 private:
  friend class Outside;
  static inline thread_local int depth = 0;
};

/// While an object of this lives, the thread's calls are the program's again: those of its error handlers, which may
/// jump out of the call for good.
class Outside {
 public:
  Outside() : before_(std::exchange(Inside::depth, 0)) {}
  ~Outside() { Inside::depth = before_; }
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  int before_;
};

/// Calls of hidden functions, which let out what error handlers and callbacks of the program throw.
class Natively {
 public:
  template <class Call>
  static auto run(Call call) {
    const bool before = std::exchange(left_by_throwing, true);  // a handler may call functions of MPI, then throw
    const auto result = call();
    left_by_throwing = before;
    return result;
  }
  /// Whether an exception that has been caught is the program's. Requires one.
  static bool thrown() { return std::exchange(left_by_throwing, false); }

 private:
  static inline thread_local bool left_by_throwing = false;
};

}  // namespace tombolo::interpose

// EXPORT(NAME, (parameters), (arguments), what carries it out, which gets `native`): both names of a function of MPI.
// In a simulation, where each rank has a copy of this library, there is no next function of that name, and no tool.
#ifdef TOMBOLO_SIMULATED
#define TOMBOLO_EXPORT(NAME, PARAMETERS, ARGUMENTS, ...)                                                          \
  extern "C" __attribute__((visibility("default"))) int MPI_##NAME PARAMETERS {                                   \
    const auto native = [&] { return tombolo::interpose::Natively::run([&] { return PMPI_##NAME ARGUMENTS; }); }; \
    return __VA_ARGS__;                                                                                           \
  }
#else
#define TOMBOLO_EXPORT_AS(PREFIX, NAME, PARAMETERS, ARGUMENTS, ...)                                          \
  extern "C" __attribute__((visibility("default"))) int PREFIX##NAME PARAMETERS {                            \
    static auto* const hidden = tombolo::interpose::next<int PARAMETERS>(#PREFIX #NAME);                     \
    const auto native = [&] { return tombolo::interpose::Natively::run([&] { return hidden ARGUMENTS; }); }; \
    return __VA_ARGS__;                                                                                      \
  }
#define TOMBOLO_EXPORT(...) TOMBOLO_EXPORT_AS(MPI_, __VA_ARGS__) TOMBOLO_EXPORT_AS(PMPI_, __VA_ARGS__)
#endif
