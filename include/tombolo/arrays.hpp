#pragma once

// Arrays of a program: domains, distributions, handles, and the accesses and views of tasks.

#include <algorithm>
#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tombolo/matrix.hpp>

namespace tombolo {

/// Set of independent items of a program in one to three dimensions. Program::plan() chooses the items of each rank.
/// Made by Program::domain().
struct Domain {
  int number = -1;
  std::uint64_t program = 0;  ///< Program::serial() of the owner; 0: none
};

/// Distribution of an array of a program: over a domain, at a root, everywhere, or two of these together.
///
///     Distributed::over(rows)                     own items on every rank
///     Distributed::over(rows).and_at(0)           own items, and the whole on rank 0: for scatterv and gatherv
///     Distributed::over(rows).and_everywhere()    own items to compute, and the whole everywhere: for allgatherv
///     Distributed::everywhere().and_at(0)         the whole everywhere, filled on rank 0: for bcast
///     Distributed::over(rows).with_halo(1)        own items, and one item before and behind: for halo exchanges
///     Distributed::as(distribution)               an explicit distribution over all ranks, e.g. blocks of a grid
struct Distributed {
  std::optional<Domain> domain = {};
  std::optional<Rank> root = {};
  bool replicated = false;
  std::int64_t halo = 0;
  std::optional<Distribution> placed = {};

  /// Gives every rank its own items.
  static Distributed over(Domain domain) { return {.domain = domain}; }
  /// Gives every rank its part of an explicit distribution, in the memory order of that distribution. All ranks are
  /// members then.
  static Distributed as(Distribution distribution) { return {.placed = std::move(distribution)}; }
  /// Gives one rank the whole array.
  static Distributed at(Rank root) { return {.root = root}; }
  /// Gives every rank the whole array.
  static Distributed everywhere() { return {.replicated = true}; }
  /// Adds the whole array on `rank`.
  Distributed and_at(Rank rank) const {
    Distributed more = *this;
    more.root = rank;
    return more;
  }
  /// Adds the whole array on every rank.
  Distributed and_everywhere() const {
    Distributed more = *this;
    more.replicated = true;
    return more;
  }
  /// Adds a halo: copies of `width` items of the first dimension before and behind a rank's own.
  Distributed with_halo(std::int64_t width) const {
    Distributed more = *this;
    more.halo = width;
    return more;
  }
};

/// Handle of an array of any type, for tasks.
struct AnyArray {
  int number = -1;
  std::uint64_t program = 0;  ///< Program::serial() of the owner; 0: none
};

/// Handle of an array of a program in D dimensions, or for D = 0 of a number that every rank holds. A handle can be
/// copied and gives no access to memory: tasks get views of declared accesses, and Program::local() gives access
/// between runs.
template <class T, std::size_t D>
class Array : public AnyArray {
  static_assert((std::is_arithmetic_v<T> && !std::is_same_v<T, long double>) ||
                    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>,
                "elements are numbers: make an array of structures an array of numbers with one more dimension");
};

template <class T>
using Number = Array<T, 0>;

/// Standard operations for partial values.
enum class Reduce { sum, product, max, min };

/// Part of an array that a task may access while it runs. Indices are global; the last dimension is contiguous.
/// Accesses are unchecked; a run with TOMBOLO_CHECK=1 finds errors (docs/programs.md).
///
///     next(i, j) = 0.25 * (now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1));
///     gemm({rows.count(), n, k}, a.data(), b.data(), c.data());
template <class T, std::size_t D>
class View {
  static_assert(D >= 1 && D <= 4, "arrays have one to four dimensions");

 public:
  View() = default;
  /// Creates a view of `extents`, which begins at index `first` of the first dimension and covers all of the others.
  View(T* data, std::int64_t first, const std::array<std::int64_t, D>& extents)
      : data_(data), first_(first), extents_(extents) {
    std::int64_t stride = 1;
    for (std::size_t d = D; d-- > 0; stride *= extents_[d]) strides_[d] = stride;
  }
  /// Converts a view of mutable elements to a view of const elements.
  template <class U>
    requires std::same_as<const U, T> && (!std::same_as<U, T>)
  View(const View<U, D>& other) : View(other.data(), other.first(), other.extents()) {}

  /// Returns the element at global indices, one for each dimension.
  template <std::convertible_to<std::int64_t>... I>
    requires(sizeof...(I) == D)
  T& operator()(I... index) const {
    return data_[place(std::make_index_sequence<D>(), static_cast<std::int64_t>(index)...)];
  }
  /// Returns the elements of index i in the first dimension.
  std::span<T> row(std::int64_t i) const {
    return {data_ + (i - first_) * strides_[0], static_cast<std::size_t>(strides_[0])};
  }

  /// Returns the first element of the range; rows of a halo before the range lie before that element in memory.
  T* data() const { return data_; }
  std::int64_t size() const { return extents_[0] * strides_[0]; }  ///< elements of the range
  std::int64_t first() const { return first_; }                    ///< first index in the first dimension
  std::int64_t extent(std::size_t dimension) const { return extents_[dimension]; }  ///< elements in a dimension
  const std::array<std::int64_t, D>& extents() const { return extents_; }
  std::int64_t stride(std::size_t dimension) const { return strides_[dimension]; }  ///< in elements
  T* begin() const { return data_; }
  T* end() const { return data_ + size(); }

 private:
  template <std::size_t... K, class... I>
  std::int64_t place(std::index_sequence<K...> /*dimensions*/, I... index) const {
    // Compilers must know that the last stride is 1 to vectorise.
    return (((K == 0 ? index - first_ : index) * (K + 1 == D ? 1 : strides_[K])) + ...);
  }

  T* data_ = nullptr;
  std::int64_t first_ = 0;
  std::array<std::int64_t, D> extents_{};
  std::array<std::int64_t, D> strides_{};
};

/// Consecutive items of a domain of one to three dimensions, for one call of a task's body. Indices are global.
///
///     for (std::int64_t i = range.first(); i < range.end(); ++i) ...
class Range {
 public:
  static constexpr std::size_t most_dimensions = 3;

  Range() = default;
  /// Creates a range of one dimension.
  Range(std::int64_t first, std::int64_t count) : first_{first}, count_{count, 1, 1} {}
  /// Creates the range [first, first + count) of the first dimension, with all indices of the others.
  Range(std::int64_t first, std::int64_t count, const std::array<std::int64_t, most_dimensions>& extents)
      : first_{first}, count_{count, extents[1], extents[2]} {}

  /// The first index in a dimension.
  std::int64_t first(std::size_t dimension = 0) const { return first_[dimension]; }
  std::int64_t count(std::size_t dimension = 0) const { return count_[dimension]; }  ///< indices in a dimension
  /// The index behind the last one in a dimension.
  std::int64_t end(std::size_t dimension = 0) const { return first_[dimension] + count_[dimension]; }
  /// Returns the number of items, over all dimensions.
  std::int64_t size() const { return count_[0] * count_[1] * count_[2]; }

  /// Returns this range for a call that computes one of `parts` parts of every item.
  Range part(std::int64_t number, std::int64_t parts) const {
    Range range = *this;
    range.part_ = number;
    range.parts_ = parts;
    return range;
  }
  /// Returns what this call computes of `extent` indices that every item has, such as the columns of a row: all, unless
  /// the cost of the task has `parts`. Parts have `least` indices or more, if there are so many; late ones may be
  /// empty.
  Range part_of(std::int64_t extent, std::int64_t least = 1) const {
    const std::int64_t parts = std::clamp(extent / least, std::int64_t{1}, parts_);
    const auto start = [&](std::int64_t number) {
      const std::int64_t before = std::min(number, parts);
      return extent / parts * before + std::min(before, extent % parts);
    };
    return {start(part_), start(part_ + 1) - start(part_)};
  }
  bool operator==(const Range&) const = default;

 private:
  std::array<std::int64_t, most_dimensions> first_{};
  std::array<std::int64_t, most_dimensions> count_{0, 1, 1};
  std::int64_t part_ = 0;
  std::int64_t parts_ = 1;
};

/// Kind of access of a task to an array.
enum class AccessKind { reads, around, whole, writes, updates, combines };

/// Memory behind a view.
struct ViewedMemory {
  std::byte* data = nullptr;            ///< memory of the first item
  std::int64_t first = 0;               ///< index of the first item in the first dimension
  std::int64_t count = 0;               ///< number of items
  std::span<const std::int64_t> inner;  ///< extents of the other dimensions
};

/// Access of a task to one array, with the type of the view. Made by reads(), around(), whole(), writes(), updates()
/// and combines().
template <AccessKind Kind, class T, std::size_t D>
struct Access {
  /// The element as the body sees it: const if it is only read.
  using Element =
      std::conditional_t<Kind == AccessKind::reads || Kind == AccessKind::around || Kind == AccessKind::whole, const T,
                         T>;
  /// The view of a number is a reference to the number.
  using Viewed = std::conditional_t<D == 0, Element&, View<Element, D == 0 ? 1 : D>>;
  static constexpr AccessKind kind = Kind;

  AnyArray array;

  // A number that is read or combined is copied during the body, so that compilers can keep the value in a register.
  static constexpr bool copied = D == 0 && (Kind == AccessKind::whole || Kind == AccessKind::combines);
  static constexpr bool accumulates = D == 0 && Kind == AccessKind::combines;
  /// What the body gets: a copy of a number, or a view.
  using Opened = std::conditional_t<copied, T, Viewed>;

  /// Makes the view, or reads the number.
  static Opened open(const ViewedMemory& memory) {
    auto* const data = reinterpret_cast<Element*>(memory.data);
    if constexpr (D == 0) {
      return *data;
    } else {
      std::array<std::int64_t, D> extents{memory.count};
      for (std::size_t d = 1; d < D; ++d) extents[d] = memory.inner[d - 1];
      return {data, memory.first, extents};
    }
  }
  /// Writes a combined number back.
  static void close(const Opened& opened, const ViewedMemory& memory) {
    if constexpr (D == 0 && Kind == AccessKind::combines) *reinterpret_cast<T*>(memory.data) = opened;
  }
};

/// Declares a read of the range's own items.
template <class T, std::size_t D>
Access<AccessKind::reads, T, D> reads(const Array<T, D>& array) {
  static_assert(D > 0, "a number has no items: whole() reads it");
  return {array};
}
/// Declares a read of the range's own items and the adjacent halo. Program::halo() must come before.
template <class T, std::size_t D>
Access<AccessKind::around, T, D> around(const Array<T, D>& array) {
  static_assert(D > 0, "a number has no items: whole() reads it");
  return {array};
}
/// Declares a read of a number, or of all of an array that every rank holds.
template <class T, std::size_t D>
Access<AccessKind::whole, T, D> whole(const Array<T, D>& array) {
  return {array};
}
/// Declares a write of every element of the range; the previous content is undefined.
template <class T, std::size_t D>
Access<AccessKind::writes, T, D> writes(const Array<T, D>& array) {
  return {array};
}
/// Declares changes of any elements of the range, in place.
template <class T, std::size_t D>
Access<AccessKind::updates, T, D> updates(const Array<T, D>& array) {
  return {array};
}
/// Declares a contribution to a partial value: the body gets an accumulator of its own call, which begins as the
/// identity.
template <class T, std::size_t D>
Access<AccessKind::combines, T, D> combines(const Array<T, D>& partial) {
  return {partial};
}

/// Access without its type, for the declaration.
struct DeclaredAccess {
  AccessKind kind = AccessKind::reads;
  AnyArray array;
};

/// Rule that ends a loop, on numbers and partial values after each pass. Made by until().
struct LoopRule {
  std::vector<AnyArray> watches = {};
  std::function<bool(std::span<const ViewedMemory>)> enough = {};
};

namespace detail {

template <class A>
inline constexpr bool is_access = false;
template <AccessKind Kind, class T, std::size_t D>
inline constexpr bool is_access<Access<Kind, T, D>> = true;

/// True if all arguments but the last are accesses.
template <class... Parts>
consteval bool are_accesses_and_body() {
  std::size_t place = 0;
  return sizeof...(Parts) > 0 && ((is_access<Parts> != (++place == sizeof...(Parts))) && ...);
}

}  // namespace detail

namespace detail {

/// Type of view I in a trial call of the body; an accumulator with number K is passed as a temporary.
template <std::size_t K, std::size_t I, class A>
using Offered = std::conditional_t<K == I && A::accumulates, typename A::Element, typename A::Viewed>;

/// True if the body takes no accumulator by value, so that its contributions are kept.
template <class Body, class First, class... Accesses>
class Accumulates {
  template <std::size_t K, std::size_t... I>
  static constexpr bool by_value(std::index_sequence<I...> /*all*/) {
    return std::is_invocable_v<Body&, First, Offered<K, I, Accesses>...>;
  }
  template <std::size_t... K>
  static constexpr bool all([[maybe_unused]] std::index_sequence<K...> which) {
    return ((!Accesses::accumulates || !by_value<K>(which)) && ...);
  }

 public:
  static constexpr bool value = all(std::index_sequence_for<Accesses...>());
};

}  // namespace detail

/// Body of a task, type-erased, and its accesses; made from arguments "accesses..., body".
template <class First>
struct BoundBody {
  std::vector<DeclaredAccess> accesses;
  std::function<void(First, std::span<const ViewedMemory>)> call;
};

/// Binds accesses to a body that is called as body(first, views...). A body with unsuitable parameters does not
/// compile.
template <class First, class... Parts>
BoundBody<First> bind_body(Parts... parts) {
  static_assert(detail::are_accesses_and_body<Parts...>(),
                "a task takes accesses (reads, around, whole, writes, updates, combines) and, last, its body");
  if constexpr (detail::are_accesses_and_body<Parts...>()) {
    constexpr std::size_t accesses = sizeof...(Parts) - 1;
    auto all = std::tuple<Parts...>(std::move(parts)...);
    auto body = std::get<accesses>(all);
    return [&]<std::size_t... I>(std::index_sequence<I...> /*which*/) {
      constexpr bool fits = std::is_invocable_v<decltype(body)&, First,
                                                typename std::tuple_element_t<I, std::tuple<Parts...>>::Viewed...>;
      static_assert(
          fits,
          "the body must take its first argument (a const Range&, of a task a Collectives&) and then one view "
          "for each access, in their order: const ones for reads(), around() and whole()");
      constexpr bool accumulates =
          detail::Accumulates<decltype(body), First, std::tuple_element_t<I, std::tuple<Parts...>>...>::value;
      static_assert(accumulates, "the body must take a number that it combines() by reference: double&");
      BoundBody<First> bound{{{std::tuple_element_t<I, std::tuple<Parts...>>::kind, std::get<I>(all).array}...}, {}};
      if constexpr (fits) {
        bound.call = [body](First first, [[maybe_unused]] std::span<const ViewedMemory> memory) mutable {
          [[maybe_unused]] std::tuple<typename std::tuple_element_t<I, std::tuple<Parts...>>::Opened...> opened{
              std::tuple_element_t<I, std::tuple<Parts...>>::open(memory[I])...};
          body(std::forward<First>(first),
               static_cast<typename std::tuple_element_t<I, std::tuple<Parts...>>::Viewed>(std::get<I>(opened))...);
          (std::tuple_element_t<I, std::tuple<Parts...>>::close(std::get<I>(opened), memory[I]), ...);
        };
      }
      return bound;
    }(std::make_index_sequence<accesses>());
  } else {
    return {};
  }
}

/// Passes on a bound body, for accesses that are known only at run time.
template <class First>
BoundBody<First> bind_body(BoundBody<First> bound) {
  return bound;
}

/// Ends a loop after the pass in which `enough` returns true. `enough` takes the values in order: numbers as values,
/// arrays as views.
///
///     program.repeat("sweep", 1000, sweep, until(change, [](double c) { return c < 1e-6; }));
template <class... Parts>
LoopRule until(Parts... parts) {
  constexpr std::size_t values = sizeof...(Parts) - 1;
  auto all = std::tuple<Parts...>(std::move(parts)...);
  auto enough = std::get<values>(all);
  return [&]<std::size_t... I>(std::index_sequence<I...> /*which*/) {
    static_assert((std::derived_from<std::tuple_element_t<I, std::tuple<Parts...>>, AnyArray> && ...),
                  "until() takes numbers, partial values or arrays that every rank holds and, last, the rule");
    constexpr bool fits =
        std::is_invocable_r_v<bool, decltype(enough)&, typename decltype(whole(std::get<I>(all)))::Viewed...>;
    static_assert(fits, "the rule must take the values in their order and return a bool");
    LoopRule rule{{std::get<I>(all)...}, {}};
    if constexpr (fits) {
      rule.enough = [enough]([[maybe_unused]] std::span<const ViewedMemory> memory) mutable {
        return enough(decltype(whole(std::get<I>(all)))::open(memory[I])...);
      };
    }
    return rule;
  }(std::make_index_sequence<values>());
}

}  // namespace tombolo
