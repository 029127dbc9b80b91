#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/arrays/product/product_parts.hpp>
#include <tombolo/framework/mpi/arrays/distributed_product.hpp>
#include <tombolo/framework/partition/rectangles.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

template <class T>
MatrixShape shape_of(const Factor<T>& factor) {
  const MatrixShape held = factor.distribution.shape();
  return factor.transposed ? MatrixShape{held.columns, held.rows} : held;
}

template <class T>
GemmShape shape_of(const Factor<T>& a, const Factor<T>& b, const Distribution& c, int ranks) {
  const MatrixShape of_a = shape_of(a);
  const MatrixShape of_b = shape_of(b);
  const MatrixShape of_c = c.shape();
  if (of_a.columns != of_b.rows || of_a.rows != of_c.rows || of_b.columns != of_c.columns) {
    throw Error(fmt::format("a product of {} x {} by {} x {} as a matrix of {} x {}", of_a.rows, of_a.columns,
                            of_b.rows, of_b.columns, of_c.rows, of_c.columns),
                "give matrices of m x k, k x n and m x n");
  }
  for (const Distribution* one : {&a.distribution, &b.distribution, &c}) {
    if (one->ranks() != ranks) {
      throw Error(fmt::format("a product of matrices on {} ranks in a session of {}", one->ranks(), ranks),
                  "give distributions on the ranks of the session");
    }
  }
  return {.m = of_c.rows, .n = of_c.columns, .k = of_a.columns};
}

template <class T>
void bring(Collectives& collectives, const Factor<T>& factor, const Distribution& needed, T* to) {
  const auto how = factor.transposed ? transpose : static_cast<decltype(&transpose)>(move);
  how(collectives, factor.distribution, needed, sizeof(T), mpi_type_of<T>(), factor.elements, to);
}

/// Computes x = alpha y + beta x; y is not read if alpha is 0, x if beta is 0.
template <class T>
void add_scaled(std::int64_t count, T alpha, const T* y, T beta, T* x) {
  for (std::int64_t i = 0; i < count; ++i) {
    const T kept = beta == T{0} ? T{0} : beta * x[i];
    x[i] = alpha == T{0} ? kept : alpha * y[i] + kept;
  }
}

}  // namespace

std::vector<Part> parts_by_speed(const GemmShape& shape, std::span<const FlopsPerSecond> speeds, const Level& top) {
  const MatrixShape c{shape.m, shape.n};
  return clusters(top).size() > 1 ? nested_partition(c, speeds, top) : column_partition(c, speeds);
}

template <class T>
void multiply_at(const ProductPlace& place, T alpha, const Factor<T>& a, const Factor<T>& b, T beta,
                 const Distribution& distribution_c, T* c) {
  Collectives& collectives = place.collectives;
  const GemmShape shape = shape_of(a, b, distribution_c, collectives.ranks());
  if (shape.m == 0 || shape.n == 0) return;
  const Rank rank = collectives.rank();
  const std::int64_t mine = distribution_c.elements(rank);
  const auto compute = [&](double operations, const std::function<void()>& work) {
    place.session != nullptr ? place.session->compute(operations, work) : work();
  };
  const auto finish = [&](const T* product) {
    compute(static_cast<double>(mine), [&] { add_scaled(mine, product ? alpha : T{0}, product, beta, c); });
  };
  if (shape.k == 0 || alpha == T{0}) return finish(nullptr);

  const ProductParts parts = product_parts(shape, place.parts_of_c(shape));
  const std::vector<InnerRange> all_of_k{{0, shape.k}};
  const Distribution needed_a = needed_of_a(shape, parts, all_of_k);
  const Distribution needed_b = needed_of_b(shape, parts, all_of_k);
  const Distribution computed = part_by_rank({shape.m, shape.n}, parts.c);
  const bool as_it_is = alpha == T{1} && beta == T{0};
  Storage<T> rows;
  Storage<T> columns;
  Storage<T> rectangle;
  Storage<T> product;
  const auto storage = [&](std::int64_t size) {
    return place.session != nullptr ? place.session->storage<T>(size) : Storage<T>(size);
  };
  agree(place.communicator, [&] {
    rows = storage(needed_a.elements(rank));
    columns = storage(needed_b.elements(rank));
    rectangle = storage(computed.elements(rank));
    if (!as_it_is) product = storage(mine);
  });

  bring(collectives, a, needed_a, rows.data());
  bring(collectives, b, needed_b, columns.data());
  const Part& part = parts.c[static_cast<std::size_t>(rank)];
  const GemmShape piece{.m = part.rows, .n = part.columns, .k = shape.k};
  compute(flops(piece), [&] { gemm(piece, rows.data(), columns.data(), rectangle.data()); });
  T* const result = as_it_is ? c : product.data();
  move(collectives, computed, distribution_c, sizeof(T), mpi_type_of<T>(), rectangle.data(), result);
  if (!as_it_is) finish(result);
}

#define TOMBOLO_FOR(T) \
  template void multiply_at(const ProductPlace&, T, const Factor<T>&, const Factor<T>&, T, const Distribution&, T*);
TOMBOLO_FOR(float)
TOMBOLO_FOR(double)
#undef TOMBOLO_FOR

}  // namespace tombolo
