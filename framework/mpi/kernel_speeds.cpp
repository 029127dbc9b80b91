#include <tombolo/framework/mpi/kernel_speeds.hpp>
#include <tombolo/framework/mpi/session.hpp>

namespace tombolo {

std::vector<std::int64_t> kernel_speeds(Session& session, const std::string&) {
  return session.measure_gemm<double>({.m = 1000, .n = 1000, .k = 1000});
}

}  // namespace tombolo
