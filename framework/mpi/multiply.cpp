#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <tombolo/framework/mpi/arrays/distributed_product.hpp>
#include <tombolo/move.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

template <class T>
constexpr const char* kernel = "dgemm";
template <>
constexpr const char* kernel<float> = "sgemm";

std::vector<Part> parts_in(Session& session, const GemmShape& shape, const char* kernel_name) {
  const std::vector<SpeedFunction> functions = speeds_of(session, kernel_name);
  // The side of a usual rectangle. A correctly rounded root is the same on all hosts.
  const double side = std::sqrt(static_cast<double>(shape.m) * static_cast<double>(shape.n) / session.ranks());
  const std::int64_t size = std::clamp<std::int64_t>(static_cast<std::int64_t>(side), 1, shape.k);
  std::vector<FlopsPerSecond> speeds;
  for (const SpeedFunction& function : functions) speeds.push_back(function.at(size));
  return parts_by_speed(shape, speeds, session.platform().levels);
}

}  // namespace

template <class T>
void multiply(Session& session, Collectives& collectives, std::type_identity_t<T> alpha,
              const std::type_identity_t<Factor<T>>& a, const std::type_identity_t<Factor<T>>& b,
              std::type_identity_t<T> beta, const Distribution& distribution_c, T* c) {
  const ProductPlace place{.collectives = collectives,
                           .communicator = session.communicator(),
                           .parts_of_c = [&](const GemmShape& shape) { return parts_in(session, shape, kernel<T>); },
                           .session = &session};
  multiply_at<T>(place, alpha, a, b, beta, distribution_c, c);
}

template void multiply(Session&, Collectives&, float, const Factor<float>&, const Factor<float>&, float,
                       const Distribution&, float*);
template void multiply(Session&, Collectives&, double, const Factor<double>&, const Factor<double>&, double,
                       const Distribution&, double*);

}  // namespace tombolo
