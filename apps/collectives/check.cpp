#include "collectives/check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/request/regular.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::benchmarking {

namespace {

/// An element of three numbers in room for five: the data is in the first, the third and the fourth.
constexpr int room = 5;
constexpr int used[] = {0, 2, 3};

MPI_Datatype gapped() {
  constexpr int lengths[] = {1, 2};
  constexpr int places[] = {0, 2};
  MPI_Datatype numbers = MPI_DATATYPE_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_indexed(2, lengths, places, MPI_UINT64_T, &numbers), "MPI_Type_indexed");
  check_mpi(MPI_Type_create_resized(numbers, 0, room * sizeof(std::uint64_t), &type), "MPI_Type_create_resized");
  check_mpi(MPI_Type_free(&numbers), "MPI_Type_free");
  return type;
}

// The three numbers of an element side by side, without gaps.
MPI_Datatype packed() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_contiguous(std::size(used), MPI_UINT64_T, &type), "MPI_Type_contiguous");
  return type;
}

// Commits a type, and frees it in the end.
class OwnType {
 public:
  explicit OwnType(MPI_Datatype type) : type_(type) { check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit"); }
  ~OwnType() { MPI_Type_free(&type_); }
  OwnType(const OwnType&) = delete;
  OwnType& operator=(const OwnType&) = delete;
  operator MPI_Datatype() const { return type_; }

 private:
  MPI_Datatype type_;
};

// x -> a x + b, modulo 2^64, one after the other: associative, and in another order something else. The third number
// counts.
template <int stride, int a, int b, int c>
void compose(void* in, void* inout, int* count, MPI_Datatype*) {  // NOLINT(readability-non-const-parameter): MPI's
  const auto* left = static_cast<const std::uint64_t*>(in);
  auto* right = static_cast<std::uint64_t*>(inout);
  for (int i = 0; i < *count; ++i, left += stride, right += stride) {
    right[b] += right[a] * left[b];
    right[a] *= left[a];
    right[c] += left[c];
  }
}

class Composition {
 public:
  explicit Composition(MPI_User_function* function) { check_mpi(MPI_Op_create(function, 0, &op_), "MPI_Op_create"); }
  ~Composition() { MPI_Op_free(&op_); }
  Composition(const Composition&) = delete;
  Composition& operator=(const Composition&) = delete;
  operator MPI_Op() const { return op_; }

 private:
  MPI_Op op_ = MPI_OP_NULL;
};

// Input and output buffers of a call, as numbers.
struct Memories {
  std::vector<std::uint64_t> input;
  std::vector<std::uint64_t> output;
  bool operator==(const Memories&) const = default;
};

Memories filled(const Request& request, Rank rank, int numbers) {
  const Contract promised = contract(request, rank);
  Memories memories;
  const auto fill = [&](std::vector<std::uint64_t>& buffer, std::int64_t elements, std::uint64_t seed) {
    buffer.resize(static_cast<std::size_t>(elements * numbers));
    for (std::size_t i = 0; i < buffer.size(); ++i) {
      buffer[i] = (seed + i) * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(rank) * 0xbf58476d1ce4e5b9U;
    }
  };
  fill(memories.input, promised.input_size, 1);
  fill(memories.output, promised.output_size, 1'000'003);
  return memories;
}

// SimGrid's own mix up the order of operands.
bool is_prefix(Operation operation) {
  return operation == Operation::scan || operation == Operation::exscan;
}

// Compares what the call defines. In place, the part of a vector that is no rank's result may be anything.
bool equal(const Request& request, Rank rank, int numbers, const Memories& a, const Memories& b) {
  if (!request.in_place) return a == b;
  const Contract promised = contract(request, rank);
  return std::all_of(promised.after.begin(), promised.after.end(), [&](const Content& content) {
    if (content.piece.buffer != Buffer::output) return true;
    const auto begin = static_cast<std::ptrdiff_t>(content.piece.offset * numbers);
    const auto count = static_cast<std::ptrdiff_t>(content.piece.count * numbers);
    return std::equal(a.output.begin() + begin, a.output.begin() + begin + count, b.output.begin() + begin);
  });
}

bool same(Collectives& native, PlannedCollectives& planned, const Plan& plan, int numbers, MPI_Datatype type,
          MPI_Op op) {
  const Request seen = plan.request().seen_by(planned.rank());
  Memories expected = filled(seen, planned.rank(), numbers);
  Memories found = expected;
  native.run(seen, expected.input.data(), expected.output.data(), type, op);
  planned.run(Plan(seen, plan.algorithm(), plan.parameters()), found.input.data(), found.output.data(), type, op);
  return equal(seen, planned.rank(), numbers, found, expected);
}

}  // namespace

bool same_as_native(Collectives& native, PlannedCollectives& planned, const Plan& plan) {
  const Request& timed = plan.request();
  const OwnType with_gaps(gapped());
  bool good = true;
  const auto request = [&](Bytes element, bool commutes) {
    if (!is_regular(timed)) {
      Request same = timed;  // counts are what is checked: as many elements, of another size
      same.element_bytes = element;
      return same.combining(commutes);
    }
    return regular_request(timed.operation, timed.ranks, timed.root, regular_bytes(timed), element).combining(commutes);
  };
  const auto look = [&](const Request& as, int numbers, MPI_Datatype type, MPI_Op op) {
    for (const bool in_place : {false, true}) {
      bool may = combines(as.operation) || sizes(as.operation) == Sizes::blocks;
      // MPICH 4.0.2 reads from MPI_IN_PLACE there.
      if (as.operation == Operation::reduce && as.root != 0 && !machine::simulated()) may = false;
      if (in_place && !may) continue;
      good = same(native, planned, Plan(as.with_in_place(in_place), plan.algorithm(), plan.parameters()), numbers, type,
                  op) &&
             good;
    }
  };
  constexpr Bytes number = sizeof(std::uint64_t);
  look(request(number, true), 1, MPI_UINT64_T, combines(timed.operation) ? MPI_SUM : MPI_OP_NULL);
  if (!combines(timed.operation)) {
    look(request(std::size(used) * number, true), room, with_gaps, MPI_OP_NULL);
  } else if (!plan.algorithm().needs_commutative && !(machine::simulated() && is_prefix(timed.operation))) {
    const Request as = request(std::size(used) * number, false);
    if (machine::simulated()) {
      look(as, room, with_gaps, Composition(compose<room, used[0], used[1], used[2]>));
    } else {
      // With gaps MPICH 4.0.2 writes beyond the end of its own memory.
      look(as, std::size(used), OwnType(packed()), Composition(compose<std::size(used), 0, 1, 2>));
    }
  }
  return good;
}

}  // namespace tombolo::benchmarking
