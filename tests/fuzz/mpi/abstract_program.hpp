#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tombolo/arrays.hpp>
#include <tombolo/framework/program/declare/declaration.hpp>

namespace tombolo::fuzz {

/// What is drawn from a seed: it says nothing of ranks. Roots, shares and speeds follow from numbers that are drawn
/// here and the ranks that there are.
enum class Type { u64, u32, f64 };
enum class Op { none, sum, product, max, min, bits, last };

struct AbstractDomain {
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> weights;
  std::int64_t grain = 1;
  std::uint64_t given = 0;  ///< 0: shares are chosen
  bool adapts = false;
};

enum class Placing { none, rows, columns, blocks };

struct AbstractArray {
  std::vector<std::int64_t> extents;  ///< none: a number
  Type type = Type::u64;
  int domain = -1;
  int root = -1;  ///< of so many ranks the remainder
  bool everywhere = false;
  std::int64_t halo = 0;
  Placing placed = Placing::none;
  std::uint64_t placing = 0;
  Op op = Op::none;

  std::int64_t rows() const { return extents.empty() ? 1 : extents.front(); }
  std::int64_t columns() const {
    std::int64_t product = 1;
    for (std::size_t d = 1; d < extents.size(); ++d) product *= extents[d];
    return product;
  }
  std::int64_t size() const { return rows() * columns(); }
};

struct AbstractAccess {
  AccessKind kind = AccessKind::reads;
  int array = 0;
};

struct AbstractTask {
  TaskKind kind = TaskKind::compute;
  int array = -1;
  int to = -1;
  bool transposed = false;
  bool spends = false;
  int domain = -1;
  std::vector<AbstractAccess> accesses = {};
  std::uint64_t seed = 0;  ///< of its arithmetic
  double operations = 1;
  int loop = -1;
};

/// It ends early only where it watches something.
struct AbstractLoop {
  std::int64_t most = 1;
  std::vector<int> watches = {};
  std::uint64_t seed = 0;
};

struct AbstractProgram {
  std::uint64_t seed = 0;
  std::vector<AbstractDomain> domains = {};
  std::vector<AbstractArray> arrays = {};
  std::vector<AbstractTask> tasks = {};
  std::vector<AbstractLoop> loops = {};
  int runs = 1;

  const AbstractArray& array(int number) const { return arrays[static_cast<std::size_t>(number)]; }
};

/// As a reader of a failure wants to see it.
std::string to_text(const AbstractProgram& program);

/// What a number of the program is in memory, and back: integers as they are, floating-point ones where they are whole.
std::uint64_t fitted(Type type, std::uint64_t value);  ///< the value that an array of that type gets for any number
std::uint64_t identity(Type type, Op op);
std::uint64_t combined(Type type, Op op, std::uint64_t one, std::uint64_t other);
double as_double(std::uint64_t number);
std::uint64_t from_double(double number);

/// Mixes numbers well.
std::uint64_t mix(std::uint64_t one, std::uint64_t other);

/// Numbers from a seed.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(mix(seed, 0x5eed)) {}
  std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15, 1); }
  std::int64_t below(std::int64_t end) { return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(end)); }
  std::int64_t between(std::int64_t first, std::int64_t last) { return first + below(last - first + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <class T>
  const T& of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(static_cast<std::int64_t>(all.size())))];
  }

 private:
  std::uint64_t state_;
};

/// Elements of the arrays that a body accesses, by the place of the access, row and column; all dimensions but the
/// first are columns.
class Slots {
 public:
  virtual ~Slots() = default;
  virtual std::uint64_t get(std::size_t slot, std::int64_t row, std::int64_t column) = 0;
  virtual void put(std::size_t slot, std::int64_t row, std::int64_t column, std::uint64_t value) = 0;
  virtual void combine(std::size_t slot, std::int64_t row, std::int64_t column, std::uint64_t value) = 0;
  // Of custom tasks.
  struct Rows {
    std::int64_t first = 0;
    std::int64_t end = 0;
  };
  virtual Rows own(std::size_t slot) = 0;      ///< that no other rank has in its own
  virtual Rows written(std::size_t slot) = 0;  ///< that this rank has to write
  virtual std::uint64_t sum(std::uint64_t mine) = 0;
  virtual bool first() = 0;  ///< of the ranks
};

/// The bodies: item `row` of a compute or a farm, and a custom task.
void item_body(const AbstractProgram& program, const AbstractTask& task, std::int64_t row, Slots& slots);
void custom_body(const AbstractProgram& program, const AbstractTask& task, Slots& slots);
/// A loop's rule, of the first element of what it watches.
bool enough(const AbstractLoop& loop, const std::vector<std::uint64_t>& values);

/// What an array is filled with.
std::uint64_t filling(std::uint64_t seed, const AbstractArray& array, std::int64_t row, std::int64_t column);

}  // namespace tombolo::fuzz
