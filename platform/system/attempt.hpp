#pragma once

#include <functional>
#include <string>

namespace tombolo {

/// Runs `work` and returns an empty string on success, else the error message, which is never empty. Handle the failure
/// after the call, not in a catch block: MPI must not be called inside a catch block, since simulated ranks are
/// coroutines of one thread.
std::string attempt(const std::function<void()>& work);

}  // namespace tombolo
