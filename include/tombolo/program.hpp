#pragma once

// An application, declared as data and tasks.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <mpi.h>

#include <tombolo/arrays.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>

namespace tombolo {

struct Arrangement;
struct Declaration;
class Division;

/// Options of a program. Open choices are made by prediction.
struct ProgramOptions {
  SharePolicy shares = SharePolicy::best;
  Session::Kind collectives = Session::Kind::tombolo;
  int panels = 0;          ///< panels of each domain that can be cut; 0: the number predicted to be best
  bool overlap = true;     ///< overlap of collectives with computation
  bool adapt = true;       ///< new shares during a run, for domains with `adapts`
  bool progress = true;    ///< a progress line on the terminal
  std::string trace = {};  ///< file for Chrome trace events of all ranks, or for a picture if the name ends in .svg
  std::map<std::string, std::vector<std::int64_t>> speeds = {};  ///< known speeds, by kernel and rank
};

/// Options of a domain: how its items are shared out and cut.
struct DomainOptions {
  std::vector<std::int64_t> weights = {};  ///< work of each index of the first dimension; empty: equal
  std::int64_t grain = 1;                  ///< least indices of the first dimension worth a call of the body
  std::vector<std::int64_t> given = {};    ///< indices of each rank; empty: chosen
  /// Allows new shares in a loop after a processor has slowed down. Then only arrays of the program may depend on which
  /// rank has which items.
  bool adapts = false;
};

/// Cost of a task. Shares, members and predictions follow from the cost, so the cost must be known.
struct Cost {
  std::string kernel = {};  ///< kernel that gives the speed: a gemm (dgemm), stencil, copy, or a custom one
  double operations = -1;   ///< of an item of weight 1, in the kernel's unit; custom tasks: of each rank
  std::int64_t size = 0;    ///< problem size that an item adds, in the kernel's measure; 0: the problem is large
  Bytes bytes = 0;          ///< bytes sent between ranks; only for custom tasks
  /// Parts in which the body can compute an item, one after the other (Range::part_of()): between them messages get on,
  /// as they do between items. Only for compute().
  std::int64_t parts = 1;
};

/// Options of move() and transpose().
struct MoveOptions {
  /// Gives up the source array: the memories of both arrays are used in turn, and the move needs no memory of its own.
  /// Packing, the collective and unpacking are then three tasks. Both arrays must have the same kind of distribution
  /// and no halo.
  bool spends_source = false;
  /// Kernel for predictions of packing and unpacking as tasks; its operations are elements.
  std::string kernel = {};
  /// Lets the source lack elements of the target, which keep their values there; else that is an error. So a
  /// target may be put together by several moves.
  bool updates = false;
};

/// What a program is predicted to take.
struct ProgramForecast {
  double seconds = 0;
  double computing_s = 0;  ///< of the rank that computes longest
  int computing_ranks = 0;
};

/// Operation of a partial value: its identity, and how calls and ranks combine parts.
struct Reduction {
  std::string name;
  MPI_Op op = MPI_OP_NULL;
  MPI_User_function* user_function = nullptr;  ///< if MPI lacks the operation: the program creates `op` and frees it
  bool commutative = true;
  void (*function)() = nullptr;                         ///< custom function, for comparison with others
  std::function<void(std::byte*, std::int64_t)> begin;  ///< sets elements to the identity
  std::function<void(std::byte*, const std::byte*, std::int64_t)> combine;  ///< into the first argument
};

namespace detail {

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

template <class T, class Combine>
Reduction reduction_of(std::string name, MPI_Op op, T identity, Combine combine) {
  return {.name = std::move(name),
          .op = op,
          .begin = [identity](std::byte* to,
                              std::int64_t count) { std::fill_n(reinterpret_cast<T*>(to), count, identity); },
          .combine =
              [combine](std::byte* to, const std::byte* from, std::int64_t count) {
                auto* const all = reinterpret_cast<T*>(to);
                const auto* const part = reinterpret_cast<const T*>(from);
                for (std::int64_t i = 0; i < count; ++i) all[i] = combine(all[i], part[i]);
              }};
}

/// Returns a reduction by an operation that MPI lacks.
template <class T, T (*Combine)(T, T)>
Reduction made_reduction(std::string name, T identity, bool commutative) {
  Reduction reduction = reduction_of<T>(std::move(name), MPI_OP_NULL, identity, Combine);
  const auto call = [](void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
    const auto* const left = static_cast<const T*>(in);
    auto* const right = static_cast<T*>(inout);
    for (int i = 0; i < *count; ++i) right[i] = Combine(left[i], right[i]);
  };
  reduction.user_function = call;
  reduction.commutative = commutative;
  return reduction;
}

template <class T>
bool not_a_number([[maybe_unused]] T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}
/// Returns the larger value, or NaN if an argument is NaN.
template <class T>
T larger(T a, T b) {
  return a < b || not_a_number(b) ? b : a;
}
template <class T>
T smaller(T a, T b) {
  return b < a || not_a_number(b) ? b : a;
}

}  // namespace detail

/// Returns the reduction of a standard operation. Throws Error for max and min of complex numbers.
template <class T>
Reduction reduction_by(Reduce how) {
  if (how == Reduce::sum) return detail::reduction_of<T>("sum", MPI_SUM, T{0}, [](T a, T b) { return T(a + b); });
  if (how == Reduce::product) {
    return detail::reduction_of<T>("product", MPI_PROD, T{1}, [](T a, T b) { return T(a * b); });
  }
  if constexpr (detail::is_complex<T>) {
    throw Error("complex numbers have no maximum and no minimum", "combine their absolute values or parts");
  } else {
    using Limits = std::numeric_limits<T>;
    constexpr T least = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    constexpr T most = Limits::has_infinity ? Limits::infinity() : Limits::max();
    // MPICH 4.0 compares unsigned numbers as if they were signed; its MPI_MAX keeps or loses a NaN depending on the
    // order of ranks.
    if constexpr (std::is_unsigned_v<T> || std::is_floating_point_v<T>) {
      return how == Reduce::max ? detail::made_reduction<T, detail::larger<T>>("max", least, true)
                                : detail::made_reduction<T, detail::smaller<T>>("min", most, true);
    } else {
      return how == Reduce::max ? detail::reduction_of<T>("max", MPI_MAX, least, detail::larger<T>)
                                : detail::reduction_of<T>("min", MPI_MIN, most, detail::smaller<T>);
    }
  }
}

/// Returns the reduction of a custom associative function. Its name is not compared between ranks, as functions have
/// none.
template <class T, T (*Combine)(T, T)>
Reduction reduction_by(T identity, bool commutative) {
  Reduction reduction = detail::made_reduction<T, Combine>("own", identity, commutative);
  reduction.function = reinterpret_cast<void (*)()>(Combine);
  return reduction;
}

/// An application, declared as data and tasks. Shares, plans, predictions and the overlap of independent tasks follow
/// from the declaration; runs are measured. Example:
///
///     Program program(session, "matmul");
///     const Domain rows = program.domain("rows", m);
///     const auto a = program.array<double>("A", {m, k}, Distributed::over(rows).and_at(0));
///     const auto b = program.array<double>("B", {k, n}, Distributed::everywhere().and_at(0));
///     const auto c = program.array<double>("C", {m, n}, Distributed::over(rows).and_at(0));
///     program.scatterv(a);
///     program.bcast(b);
///     program.compute("multiply", rows, {.kernel = "dgemm", .operations = 2.0 * n * k}, reads(a), whole(b), writes(c),
///                     [=](const Range& range, auto a, auto b, auto c) {
///                       gemm<double>({range.count(), n, k}, a.data(), b.data(), c.data());
///                     });
///     program.gatherv(c);
///     program.prepare();            // shares, plans, memory: fill local(a) and local(b) at rank 0 now
///     std::cout << program.explain();
///     const RunReport report = program.run();
///
/// The body of a task accesses arrays through its views alone. Captured values must be constant and the same on all
/// ranks. The result then differs between sets of ranks only by the order of floating-point sums. TOMBOLO_CHECK=1 in
/// the environment finds bodies that break these rules (docs/programs.md).
///
/// All ranks of the session make the same declarations in the same order. Tasks run in the order of declaration, as far
/// as data dependences demand. Throws Error for contradictions, on all ranks alike.
class Program {
 public:
  /// `session` must outlive the program.
  Program(Session& session, std::string name, ProgramOptions options = {});
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Declares independent items in one to three dimensions, cut along the first.
  Domain domain(std::string name, std::int64_t items, DomainOptions options = {}) {
    return add_domain(std::move(name), {items}, std::move(options));
  }
  /// Declares a domain of several dimensions: domain("plate", {rows, columns}).
  template <std::size_t N>
  Domain domain(std::string name, const std::int64_t (&extents)[N], DomainOptions options = {}) {
    static_assert(N <= Range::most_dimensions, "a domain has one to three dimensions");
    return add_domain(std::move(name), {extents, extents + N}, std::move(options));
  }
  /// Declares an array of one to four dimensions. The leading extents of an array over a domain are those of the
  /// domain; further dimensions belong to an item.
  template <class T, std::size_t D>
  Array<T, D> array(std::string name, const std::int64_t (&extents)[D], const Distributed& distributed) {
    static_assert(D <= 4, "an array has one to four dimensions");
    return {add_array(std::move(name), {extents, extents + D}, distributed, type<T>())};
  }
  /// Declares a number that every rank holds.
  template <class T>
  Number<T> number(std::string name) {
    return {add_array(std::move(name), {}, Distributed::everywhere(), type<T>())};
  }
  /// Declares a number that tasks combine and allreduce() makes one value on all ranks.
  ///
  ///     const auto change = program.partial<double>("change", Reduce::max);
  template <class T>
  Number<T> partial(std::string name, Reduce how) {
    return {add_array(std::move(name), {}, Distributed::everywhere(), type<T>(), reduction_by<T>(how))};
  }
  /// Declares an array that tasks combine, element by element.
  template <class T, std::size_t D>
  Array<T, D> partial(std::string name, const std::int64_t (&extents)[D], Reduce how) {
    return {
        add_array(std::move(name), {extents, extents + D}, Distributed::everywhere(), type<T>(), reduction_by<T>(how))};
  }
  /// Declares a number combined by a custom associative function: partial<double, largest_magnitude>("pivot", 0).
  template <class T, T (*Combine)(T, T)>
  Number<T> partial(std::string name, T identity, bool commutative = true) {
    return {add_array(std::move(name), {}, Distributed::everywhere(), type<T>(),
                      reduction_by<T, Combine>(identity, commutative))};
  }

  void scatterv(AnyArray array);     ///< sends items from the root to all ranks
  void gatherv(AnyArray array);      ///< collects the items of all ranks at the root
  void bcast(AnyArray array);        ///< sends the whole from the root to all ranks
  void allgatherv(AnyArray array);   ///< collects the items of all ranks on every rank
  void allreduce(AnyArray partial);  ///< makes a partial value one value on all ranks
  void halo(AnyArray array);         ///< fills the halo of each rank
  /// Copies `from` to the distribution of `to`; usually an alltoallv.
  void move(AnyArray from, AnyArray to, const MoveOptions& options = {});
  /// Copies the transpose of `from` to the distribution of `to`; usually an alltoallv.
  void transpose(AnyArray from, AnyArray to, const MoveOptions& options = {});
  /// Swaps two arrays of the same declaration, by pointer.
  void swap(AnyArray one, AnyArray other);

  /// Computes over a domain: compute(name, domain, cost, accesses..., body). The body is called as body(range,
  /// views...) for any number of ranges, which together are all items of the rank.
  template <class... Parts>
  void compute(const std::string& name, Domain over, const Cost& cost, Parts... accesses_and_body) {
    add_compute(name, over, cost, bind_body<const Range&>(std::move(accesses_and_body)...));
  }
  /// Computes items of unknown cost: a rank that is ready gets the next range. The body reads whole() arrays and
  /// writes() one array, which is distributed over the domain and at a root. The root gets the results.
  template <class... Parts>
  void farm(const std::string& name, Domain over, const Cost& cost, Parts... accesses_and_body) {
    add_farm(name, over, cost, bind_body<const Range&>(std::move(accesses_and_body)...));
  }
  /// Adds a custom task: task(name, cost, accesses..., body). All members call body(collectives, views...). Each view
  /// covers the rank's items, or all of an array over no domain, and is empty if the rank does not hold the array.
  template <class... Parts>
  void task(const std::string& name, const Cost& cost, Parts... accesses_and_body) {
    add_custom(name, cost, bind_body<Collectives&>(std::move(accesses_and_body)...));
  }

  /// Repeats the tasks that `body` declares, at most `most` times or until the rule holds after a pass. Loops cannot be
  /// nested.
  void repeat(const std::string& name, std::int64_t most, const std::function<void()>& body, LoopRule rule = {});

  /// Checks the declaration and chooses members, shares, panels and plans. Collective.
  void plan();
  /// Predicts programs of one session, as plan() does, to compare them. Each is planned on one rank, so that many take
  /// the time of a few; plan() of a program then takes what was found. Throws Error for one that is planned already.
  /// Collective.
  static std::vector<ProgramForecast> predict(std::span<Program* const> programs);
  /// Calls plan() and allocates arrays. Throws AgreedError if the arrays do not fit. Collective.
  void prepare();
  /// Uses address space without content for arrays, in a simulation, with the same simulated time. Call before
  /// prepare().
  void use_phantom_memory();

  /// Saves the program during its runs, between two passes of a loop, and goes on from what is saved if that is asked
  /// for (docs/checkpoints.md). Call before the first run; the same on all ranks. Without a call, the options of the
  /// session hold (Session::use_checkpoints): those of the command line or the environment.
  ///
  ///     program.checkpoint({.folder = "saved", .every_minutes = 10, .resume = true});
  void checkpoint(CheckpointOptions options);

  // Access between runs. Each function throws std::logic_error before prepare() and during a run. A rank that is no
  // member holds no arrays, but numbers. Local.

  /// Returns the newest values of an array on this rank, row after row. Before the first run, returns the memory to
  /// fill: all of the array at a root or everywhere, else the rank's items. Empty on phantom memory.
  template <class T, std::size_t D>
  std::span<T> local(const Array<T, D>& array) {
    const auto [data, size] = local_memory(array, "local");
    return {reinterpret_cast<T*>(data), static_cast<std::size_t>(size)};
  }
  /// Returns a number, on every rank of the session; a partial value after its reduction.
  template <class T>
  T& local(const Number<T>& number) {
    return *reinterpret_cast<T*>(local_memory(number, "local").first);
  }
  /// Returns the memory to fill before a run if the previous run left the newest values elsewhere. The next run begins
  /// with the new content.
  template <class T, std::size_t D>
  std::span<T> refill(const Array<T, D>& array) {
    const auto [data, size] = local_memory(renewed(array), "refill");
    return {reinterpret_cast<T*>(data), static_cast<std::size_t>(size)};
  }
  /// Sets all elements before a run.
  template <class T, std::size_t D>
  void fill(const Array<T, D>& array, std::type_identity_t<T> value) {
    if constexpr (D == 0) {
      local(renewed_handle(array)) = value;
    } else {
      for (T& element : refill(array)) element = value;
    }
  }
  /// Calls body(range, views...) at once for each range of this rank: each_of_mine(domain, accesses..., body). The
  /// views of writes() and updates() may fill arrays that are held by items.
  template <class... Parts>
  void each_of_mine(Domain domain, Parts... accesses_and_body) {
    call_for_mine(domain, bind_body<const Range&>(std::move(accesses_and_body)...));
  }

  /// Reads an array from a .npy file, in parallel on all members: all of the array if a root or every rank holds the
  /// whole, else each rank's items. Calls prepare() if needed. Does nothing on phantom memory. Throws AgreedError
  /// (move.hpp). Collective.
  template <Element T, std::size_t D>
  void read(const Array<T, D>& array, const std::filesystem::path& path) {
    read_file(array, path, element_type_of<T>);
  }
  /// Writes the newest values of an array to a file, which gets its name once it is complete. Collective.
  template <Element T, std::size_t D>
  void write(const Array<T, D>& array, const std::filesystem::path& path) {
    write_file(array, path, element_type_of<T>);
  }

  /// True if this rank is a member. Valid after plan().
  bool takes_part() const;
  /// Returns the shares of a domain, by member. Throws std::logic_error before plan().
  const Division& division(Domain domain) const;
  const Arrangement& arrangement() const;
  /// Returns this rank's items of the first panel, which is the only panel of an uncut domain; empty if the rank is no
  /// member.
  Range mine(Domain domain) const;
  /// Returns the distribution of an array over the members: by items if the array is over a domain, else by the whole.
  Distribution distribution(AnyArray array) const;

  /// Returns the tasks, plans, shares, predicted times and bounds as text, the same on all ranks. Throws
  /// std::logic_error before plan(). Local.
  std::string explain() const;
  /// Returns the report of a run as it is predicted, without measurements. The same on all ranks. Throws
  /// std::logic_error before plan(). Local.
  const RunReport& predicted() const;
  /// Runs the program; may be repeated. Collective.
  RunReport run();

  /// The session that the program was made for.
  Session& session();
  const Declaration& declaration() const;
  const std::string& name() const;
  /// Returns the number of this program in the process, which arrays and domains carry too.
  std::uint64_t serial() const;

 private:
  class State;
  struct Type {
    std::string name;
    Bytes bytes = 0;
    MPI_Datatype mpi = MPI_DATATYPE_NULL;
  };
  template <class T>
  static Type type() {
    const char* const kind = detail::is_complex<T>         ? "complex"
                             : std::is_floating_point_v<T> ? "float"
                             : std::is_signed_v<T>         ? "int"
                                                           : "uint";
    return {kind + std::to_string(8 * sizeof(T)), sizeof(T), mpi_type_of<T>()};
  }
  Domain add_domain(std::string name, std::vector<std::int64_t> extents, DomainOptions options);
  AnyArray add_array(std::string name, std::vector<std::int64_t> extents, const Distributed& distributed,
                     const Type& type, Reduction reduction = {});
  void add_compute(const std::string& name, Domain over, const Cost& cost, BoundBody<const Range&> body);
  void add_farm(const std::string& name, Domain over, const Cost& cost, BoundBody<const Range&> body);
  void add_custom(const std::string& name, const Cost& cost, BoundBody<Collectives&> body);
  std::pair<std::byte*, std::int64_t> local_memory(AnyArray array, const char* what) const;
  AnyArray renewed(AnyArray array);
  template <class T>
  Number<T> renewed_handle(const Number<T>& number) {
    renewed(number);
    return number;
  }
  void call_for_mine(Domain domain, const BoundBody<const Range&>& body);
  void read_file(AnyArray array, const std::filesystem::path& path, ElementType type);
  void write_file(AnyArray array, const std::filesystem::path& path, ElementType type);

  std::unique_ptr<State> state_;
};

}  // namespace tombolo
