#include <exception>
#include <new>

#include <tombolo/platform/system/attempt.hpp>

namespace tombolo {

std::string attempt(const std::function<void()>& work) {
  std::string words;
  try {
    work();
    return {};
  } catch (const std::bad_alloc&) {
    return "out of memory; take a smaller problem or more hosts";
  } catch (const std::exception& error) {
    words = error.what();
  } catch (...) {
    // The exception has no message, like one with an empty message.
  }
  return words.empty() ? "failed without a reason" : words;
}

}  // namespace tombolo
