#pragma once

#include <cstdlib>
#include <string>

namespace tombolo::test {

/// A variable of the environment, while this lives; empty: not set.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    // Simulated ranks share the environment: what another one has set for this test does not outlive it.
    const char* const before = std::getenv(name);
    if (before != nullptr && value != before) before_ = before;
    set(value);
  }
  ~Variable() { set(before_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const std::string& value) {
    if (value.empty()) {
      ::unsetenv(name_);
    } else {
      ::setenv(name_, value.c_str(), 1);
    }
  }
  const char* name_;
  std::string before_;
};

}  // namespace tombolo::test
