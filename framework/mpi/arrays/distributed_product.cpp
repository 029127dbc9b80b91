#include <complex>
#include <list>
#include <memory>
#include <tuple>
#include <utility>

#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/framework/mpi/arrays/distributed_product.hpp>
#include <tombolo/platform/mpi/attached.hpp>

namespace tombolo {
namespace {

constexpr std::size_t most_kept = 16;  // of each type of elements

template <Element T>
struct Kept {
  ProductMatrices matrices;
  std::vector<int> threads;
  ProductDivision division;
  ProductStrides strides;
  PreparedProduct<T> product;
};

/// The products that were prepared on a communicator, the last used first, and memory for their runs.
struct KeptProducts {
  template <Element T>
  using List = std::list<Kept<T>>;
  std::tuple<List<float>, List<double>, List<std::complex<float>>, List<std::complex<double>>> by_type;
  ScratchPool scratch;
};

/// Returns the product of these matrices. All ranks find it, or none does: they have made the same calls.
template <Element T>
const PreparedProduct<T>& prepared(std::list<Kept<T>>& kept, const ProductPlace& place, const GemmShape& shape,
                                   const ProductMatrices& matrices, const ProductStrides& strides) {
  const Rank rank = place.collectives.rank();
  const auto found = std::find_if(kept.begin(), kept.end(), [&](const Kept<T>& one) {
    return one.matrices == matrices && one.threads == place.threads;
  });
  if (found != kept.end()) {
    kept.splice(kept.begin(), kept, found);
    Kept<T>& one = kept.front();
    if (one.strides != strides) one.product = {matrices, one.division, rank, strides};
    one.strides = strides;
    return one.product;
  }
  ProductRanks ranks = place.ranks(shape);
  for (FlopsPerSecond& speed : ranks.speeds) speed /= real_operations<T>;
  ProductDivision division = divide_product(matrices, sizeof(T), ranks);
  PreparedProduct<T> product(matrices, division, rank, strides);
  kept.push_front({matrices, place.threads, std::move(division), strides, std::move(product)});
  if (kept.size() > most_kept) kept.pop_back();
  return kept.front().product;
}

}  // namespace

ProductRanks product_ranks(const RunPlatform& machines, std::span<const SpeedFunction> speeds,
                           const GemmShape& product) {
  return {.speeds = speeds_within(speeds, product),
          .levels = machines.platform->levels,
          .time_of_moves = [planner = machines.planner](const Request& request) { return planner->bound(request); }};
}

template <Element T>
void multiply_at(const ProductPlace& place, const ProductMatrices& matrices, T alpha, T beta,
                 const ProductMemory<T>& memory) {
  const GemmShape shape = matrices.shape(place.collectives.ranks());
  if (shape.m == 0 || shape.n == 0) return;
  const auto compute = [&](double operations, const std::function<void()>& work) {
    place.session != nullptr ? place.session->compute(operations, work) : work();
  };
  if (shape.k == 0 || alpha == T{0}) {
    const HeldLines held(matrices.c, place.collectives.rank(), memory.strides.c);
    compute(static_cast<double>(held.lines * held.width), [&] {
      scale_lines(held.lines, held.width, beta, Lines<T>{memory.c, held.stride});
    });
    return;
  }
  KeptProducts& kept = attached<KeptProducts>(place.communicator, [] { return std::make_unique<KeptProducts>(); });
  const PreparedProduct<T>& product =
      prepared(std::get<std::list<Kept<T>>>(kept.by_type), place, shape, matrices, memory.strides);
  typename PreparedProduct<T>::Memory of_run;
  agree(place.communicator, [&] { of_run = product.memory(kept.scratch, beta); });
  product.run(place.collectives, of_run, compute, alpha, memory.a, memory.b, beta, memory.c);
}

#define TOMBOLO_FOR(T) \
  template void multiply_at(const ProductPlace&, const ProductMatrices&, T, T, const ProductMemory<T>&);
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

}  // namespace tombolo
