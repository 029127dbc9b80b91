#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/mpi/arrays/distributed_product.hpp>
#include <tombolo/framework/mpi/session/measured_kernel.hpp>
#include <tombolo/framework/mpi/session/same_call.hpp>
#include <tombolo/framework/mpi/session/session_state.hpp>
#include <tombolo/move.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

ProductRanks ranks_of(Session& session, const GemmShape& shape, const char* kernel) {
  RunPlatform& machines = machines_of(session);
  const std::vector<SpeedFunction> speeds = speeds_of(machines, kernel);
  machines.make_planner();
  return product_ranks(machines, speeds, shape);
}

std::vector<int> threads_in(const Session& session) {
  std::vector<int> threads;
  for (const Processor& processor : session.processors()) threads.push_back(processor.threads);
  return threads;
}

template <class T>
void check_same(Session& session, const Collectives& collectives, T alpha, const ProductMatrices& matrices, T beta) {
  const auto held = [](const Distribution& matrix, bool transposed) {
    const auto [rows, columns] = matrix.shape();
    return fmt::format("{} x {}{}", rows, columns, transposed ? " (transposed)" : "");
  };
  check_same_call(
      session.communicator(),
      fmt::format("multiplies by {} {} by {} as {} with alpha {} and beta {} by {} collectives, distributions {}",
                  name_of_gemm<T>, held(matrices.a, matrices.a_transposed), held(matrices.b, matrices.b_transposed),
                  held(matrices.c, false), alpha, beta, collectives.name(), matrices.fingerprint()));
}

}  // namespace

template <class T>
void multiply(Session& session, Collectives& collectives, std::type_identity_t<T> alpha,
              const std::type_identity_t<Factor<T>>& a, const std::type_identity_t<Factor<T>>& b,
              std::type_identity_t<T> beta, const Distribution& distribution_c, T* c) {
  const ProductMatrices matrices{a.distribution, a.transposed, b.distribution, b.transposed, distribution_c};
  check_same(session, collectives, alpha, matrices, beta);
  const ProductPlace place{.collectives = collectives,
                           .communicator = session.communicator(),
                           .ranks = [&](const GemmShape& shape) { return ranks_of(session, shape, name_of_gemm<T>); },
                           .threads = threads_in(session),
                           .session = &session};
  multiply_at<T>(place, matrices, alpha, beta, {.a = a.elements, .b = b.elements, .c = c});
}

template void multiply(Session&, Collectives&, float, const Factor<float>&, const Factor<float>&, float,
                       const Distribution&, float*);
template void multiply(Session&, Collectives&, double, const Factor<double>&, const Factor<double>&, double,
                       const Distribution&, double*);

}  // namespace tombolo
