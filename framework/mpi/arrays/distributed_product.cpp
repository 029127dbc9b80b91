#include <list>
#include <memory>
#include <utility>

#include <tombolo/framework/mpi/arrays/distributed_product.hpp>
#include <tombolo/platform/mpi/attached.hpp>

namespace tombolo {
namespace {

constexpr std::size_t most_kept = 16;  // of each type of elements

template <class T>
struct Kept {
  ProductMatrices matrices;
  std::vector<int> threads;
  ProductDivision division;
  ProductStrides strides;
  PreparedProduct<T> product;
};

/// The products that were prepared on a communicator, the last used first, and memory for their runs.
struct KeptProducts {
  std::list<Kept<float>> in_float;
  std::list<Kept<double>> in_double;
  ScratchPool scratch;

  template <class T>
  std::list<Kept<T>>& of_type() {
    if constexpr (std::is_same_v<T, float>) {
      return in_float;
    } else {
      return in_double;
    }
  }
};

/// Returns the product of these matrices. All ranks find it, or none does: they have made the same calls.
template <class T>
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
  ProductDivision division = divide_product(matrices, sizeof(T), place.ranks(shape));
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

template <class T>
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
  const PreparedProduct<T>& product = prepared(kept.of_type<T>(), place, shape, matrices, memory.strides);
  typename PreparedProduct<T>::Memory of_run;
  agree(place.communicator, [&] { of_run = product.memory(kept.scratch, beta); });
  product.run(place.collectives, of_run, compute, alpha, memory.a, memory.b, beta, memory.c);
}

template void multiply_at(const ProductPlace&, const ProductMatrices&, float, float, const ProductMemory<float>&);
template void multiply_at(const ProductPlace&, const ProductMatrices&, double, double, const ProductMemory<double>&);

}  // namespace tombolo
