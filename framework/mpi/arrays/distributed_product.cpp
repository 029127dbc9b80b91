#include <algorithm>
#include <complex>
#include <list>
#include <memory>
#include <tuple>
#include <utility>

#include <tombolo/framework/arrays/product/learned_speeds.hpp>
#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/framework/mpi/arrays/distributed_product.hpp>
#include <tombolo/platform/mpi/attached.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>

namespace tombolo {
namespace {

constexpr std::size_t most_kept = 16;  // of each type of elements

template <Element T>
ProductRanks measured_ranks(const ProductPlace& place, const GemmShape& shape) {
  ProductRanks ranks = place.ranks(shape);
  for (FlopsPerSecond& speed : ranks.speeds) speed /= real_operations<T>;
  return ranks;
}

template <Element T>
struct Kept {
  ProductMatrices matrices;
  std::vector<int> threads;
  ProductDivision division;
  ProductStrides strides;
  PreparedProduct<T> product;
  bool adapts;               ///< takes so long that an exchange of computing times costs nothing
  int runs = 0;              ///< since computing times were compared
  int look_after = 1;        ///< runs
  Picoseconds computed = 0;  ///< by this rank in these runs

  Kept(const ProductPlace& place, const ProductMatrices& of, const ProductStrides& at, const ProductRanks& ranks,
       ProductDivision by)
      : matrices(of),
        threads(place.threads),
        division(std::move(by)),
        strides(at),
        product(of, division, place.collectives.rank(), at),
        adapts(place.collectives.ranks() > 1 && takes_long(division, of.shape(place.collectives.ranks()), ranks)) {}
};

/// The products of one type that were prepared on a communicator, the last used first, and what their runs have told.
template <Element T>
struct KeptOfType {
  std::list<Kept<T>> products;
  LearnedSpeeds learned;
};

/// All of a communicator, and memory for their runs.
struct KeptProducts {
  std::tuple<KeptOfType<float>, KeptOfType<double>, KeptOfType<std::complex<float>>, KeptOfType<std::complex<double>>>
      by_type;
  ScratchPool scratch;
};

/// Returns the product of these matrices. All ranks find it, or none does: they have made the same calls.
template <Element T>
Kept<T>& prepared(KeptOfType<T>& kept, const ProductPlace& place, const GemmShape& shape,
                  const ProductMatrices& matrices, const ProductStrides& strides) {
  std::list<Kept<T>>& products = kept.products;
  const auto found = std::find_if(products.begin(), products.end(), [&](const Kept<T>& one) {
    return one.matrices == matrices && one.threads == place.threads;
  });
  if (found != products.end()) {
    products.splice(products.begin(), products, found);
    Kept<T>& one = products.front();
    if (one.strides != strides) one.product = {matrices, one.division, place.collectives.rank(), strides};
    one.strides = strides;
    return one;
  }
  ProductRanks ranks = measured_ranks<T>(place, shape);
  ranks.speeds = kept.learned.of(std::move(ranks.speeds));
  products.emplace_front(place, matrices, strides, ranks, divide_product(matrices, sizeof(T), ranks));
  if (products.size() > most_kept) products.pop_back();
  return products.front();
}

/// Compares what the ranks have computed for with what was expected, after ever more runs while they agree, and divides
/// the product anew where ranks have turned out to be slower or faster.
template <Element T>
void adapt(KeptOfType<T>& kept, Kept<T>& one, const ProductPlace& place, const GemmShape& shape) {
  if (!one.adapts || ++one.runs < one.look_after) return;
  constexpr int rarest = 16;
  const std::vector<Picoseconds> taken = of_all_ranks(place.communicator, one.computed / one.runs);
  one.runs = 0;
  one.computed = 0;
  ProductRanks ranks = measured_ranks<T>(place, shape);
  kept.learned.note(computing_times(one.division, shape, kept.learned.of(ranks.speeds)), taken);
  ranks.speeds = kept.learned.of(std::move(ranks.speeds));
  one.look_after = std::min(2 * one.look_after, rarest);
  if (auto better = better_division(one.division, one.matrices, sizeof(T), ranks)) {
    one = Kept<T>(place, one.matrices, one.strides, ranks, std::move(*better));
  }
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
  auto& all = attached<KeptProducts>(place.communicator, [] { return std::make_unique<KeptProducts>(); });
  auto& kept = std::get<KeptOfType<T>>(all.by_type);
  Kept<T>& one = prepared(kept, place, shape, matrices, memory.strides);
  typename PreparedProduct<T>::Memory of_run;
  agree(place.communicator, [&] { of_run = one.product.memory(all.scratch, beta); });
  const auto timed = [&](double operations, const std::function<void()>& work) {
    const Picoseconds from = machine::now();
    compute(operations, work);
    one.computed += machine::now() - from;
  };
  one.product.run(place.collectives, of_run, timed, alpha, memory.a, memory.b, beta, memory.c);
  adapt(kept, one, place, shape);
}

#define TOMBOLO_FOR(T) \
  template void multiply_at(const ProductPlace&, const ProductMatrices&, T, T, const ProductMemory<T>&);
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

}  // namespace tombolo
