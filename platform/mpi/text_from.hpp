#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>

#include <mpi.h>

#include <tombolo/platform/mpi/broadcast_in_pieces.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

/// Returns the text of `root` on all ranks. Collective.
inline std::string text_from(MPI_Comm communicator, int root, std::string text) {
  int ranks = 1;
  check_mpi(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  if (ranks == 1) return text;
  // The beginning goes with the length: the latency of the longest link counts once for short texts.
  struct Beginning {
    std::int64_t length = 0;
    std::array<char, 1016> text = {};
  } beginning;
  beginning.length = std::ssize(text);
  std::copy_n(text.begin(), std::min(text.size(), beginning.text.size()), beginning.text.begin());
  check_mpi(MPI_Bcast(&beginning, sizeof beginning, MPI_BYTE, root, communicator), "MPI_Bcast");
  text.resize(static_cast<std::size_t>(beginning.length));
  const std::size_t known = std::min(text.size(), beginning.text.size());
  std::copy_n(beginning.text.begin(), known, text.begin());
  broadcast_in_pieces(communicator, root, text.data() + known, std::ssize(text) - static_cast<Bytes>(known));
  return text;
}

}  // namespace tombolo
