#pragma once

#include <functional>
#include <string>

#include <mpi.h>

#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/session.hpp>

#include "support/agree.hpp"

namespace tombolo::test {

/// What all ranks throw; empty where nothing, or where some throw other words.
inline std::string complaint(const std::function<void()>& work) {
  std::string words;
  try {
    work();
  } catch (const AgreedError& error) {
    words = error.what();
  }
  return agreed(words == text_from(MPI_COMM_WORLD, 0, words)) ? words : "";
}

}  // namespace tombolo::test
