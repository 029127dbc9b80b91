#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/matrix/for_elements.hpp>
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

template <Element T>
void check_same(Session& session, const Collectives& collectives, T alpha, const Factor<T>& a, const Factor<T>& b,
                T beta, const ProductMatrices& matrices) {
  const auto held = [](const Factor<T>& factor) {
    const auto [rows, columns] = factor.distribution.shape();
    return fmt::format("{} x {}{}{}", rows, columns, factor.transposed ? " (transposed)" : "",
                       factor.conjugated ? " (conjugated)" : "");
  };
  const auto [rows, columns] = matrices.c.shape();
  check_same_call(
      session.communicator(),
      fmt::format("multiplies by {} {} by {} as {} x {} with alpha {} and beta {} by {} collectives, distributions {}",
                  name_of_gemm<T>, held(a), held(b), rows, columns, in_words(alpha), in_words(beta), collectives.name(),
                  matrices.fingerprint()));
}

}  // namespace

template <Element T>
void multiply(Session& session, Collectives& collectives, std::type_identity_t<T> alpha,
              const std::type_identity_t<Factor<T>>& a, const std::type_identity_t<Factor<T>>& b,
              std::type_identity_t<T> beta, const Distribution& distribution_c, T* c) {
  const ProductMatrices matrices{a.distribution, a.transposed, b.distribution, b.transposed, distribution_c};
  check_same(session, collectives, alpha, a, b, beta, matrices);
  const ProductPlace place{.collectives = collectives,
                           .communicator = session.communicator(),
                           .ranks = [&](const GemmShape& shape) { return ranks_of(session, shape, name_of_gemm<T>); },
                           .threads = threads_in(session),
                           .session = &session};
  multiply_at<T>(place, matrices, alpha, beta,
                 {.a = {a.elements, a.conjugated}, .b = {b.elements, b.conjugated}, .c = c});
}

#define TOMBOLO_FOR(T) \
  template void multiply(Session&, Collectives&, T, const Factor<T>&, const Factor<T>&, T, const Distribution&, T*);
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

}  // namespace tombolo
