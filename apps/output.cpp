#include "output.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fmt/format.h>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {

void print(Session& session, std::string_view text) {
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;
    const bool complete = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (complete) return;
    throw Error(fmt::format("cannot write to the standard output: {}", std::generic_category().message(errno)),
                "send it to a place that has room");
  });
}

}  // namespace tombolo
