// Every operation planned and native, by one request each: the same comes out, in place or not, whatever the counts,
// for elements with and without gaps, with an operation that does not commute.

#include <cstdint>
#include <random>
#include <vector>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/collectives/mpi/native.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/platform/mpi/machine.hpp>

#include "collectives/requests.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;
using test::Spread;

namespace {

const auto planner = std::make_shared<Planner>(Hockney({.latency = 1'000'000, .rate = 1'000'000'000}));
constexpr std::uint32_t untouched = 0xdeadbeef;

/// Elements are maps x -> a x + b modulo 2^32: doing one after another is associative and does not commute.
template <int stride, int apart>
void compose(void* in, void* inout, int* count, MPI_Datatype*) {  // NOLINT(readability-non-const-parameter): MPI's
  const auto* left = static_cast<const std::uint32_t*>(in);
  auto* right = static_cast<std::uint32_t*>(inout);
  for (int i = 0; i < *count; ++i, left += stride, right += stride) {
    right[apart] = left[0] * right[apart] + left[apart];
    right[0] *= left[0];
  }
}

/// How an element's two numbers lie in memory.
class Layout {
 public:
  Layout(int stride, int apart) : stride_(stride), apart_(apart) {
    MPI_Datatype numbers = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, apart, MPI_UINT32_T, &numbers);
    MPI_Type_create_resized(numbers, 0, static_cast<MPI_Aint>(sizeof(std::uint32_t)) * stride, &type_);
    MPI_Type_commit(&type_);
    MPI_Type_free(&numbers);
    MPI_Op_create(stride == 2 ? compose<2, 1> : compose<4, 2>, 0, &op_);
  }
  ~Layout() {
    MPI_Type_free(&type_);
    MPI_Op_free(&op_);
  }
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  MPI_Datatype type() const { return type_; }
  MPI_Op op() const { return op_; }
  /// One element more than asked for, so that no buffer is null.
  std::size_t room(std::int64_t elements) const { return static_cast<std::size_t>((elements + 1) * stride_); }
  std::size_t place(std::int64_t element, int number) const {
    return static_cast<std::size_t>(element * stride_ + (number == 0 ? 0 : apart_));
  }
  /// Whether nothing was written between the numbers of so many elements, nor after them.
  bool gaps_untouched(const std::vector<std::uint32_t>& buffer) const {
    for (std::size_t at = 0; at < buffer.size(); ++at) {
      const auto in_element = static_cast<int>(at % static_cast<std::size_t>(stride_));
      const bool holds_data = in_element == 0 || in_element == apart_;
      const bool beyond = at + static_cast<std::size_t>(stride_) >= buffer.size();
      if ((beyond || !holds_data) && buffer[at] != untouched) return false;
    }
    return true;
  }

 private:
  int stride_;
  int apart_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op op_ = MPI_OP_NULL;
};

struct Buffers {
  Buffers(const Layout& of, const Contract& contract, Rank rank)
      : layout(of),
        input(layout.room(contract.input_size), untouched),
        output(layout.room(contract.output_size), untouched) {
    for (const Content& content : contract.before) {
      auto& buffer = content.piece.buffer == Buffer::input ? input : output;
      for (std::int64_t i = 0; i < content.piece.count; ++i) {
        for (const int number : {0, 1}) {
          buffer[layout.place(content.piece.offset + i, number)] =
              static_cast<std::uint32_t>(i * 31 + 1009 + number) * static_cast<std::uint32_t>(2 * rank + 3);
        }
      }
    }
  }
  std::uint32_t at(std::int64_t element, int number) const { return output[layout.place(element, number)]; }

  const Layout& layout;
  std::vector<std::uint32_t> input;
  std::vector<std::uint32_t> output;
};

/// Whether both hold the same elements where something is promised, and neither wrote anywhere else.
bool same(const Contract& contract, const Buffers& one, const Buffers& other) {
  for (const Content& content : contract.after) {
    for (std::int64_t i = content.piece.offset; i < content.piece.end(); ++i) {
      if (one.at(i, 0) != other.at(i, 0) || one.at(i, 1) != other.at(i, 1)) return false;
    }
  }
  return one.layout.gaps_untouched(one.output) && other.layout.gaps_untouched(other.output);
}

/// The native one always works on elements without gaps: MPICH 4.0.2 writes beyond the end of its memory in a
/// reduce_scatter of others, if the operation does not commute and the number of ranks is a power of two.
bool same(Collectives& native, Collectives& planned, const Request& whole, const Layout& dense, const Layout& layout) {
  const Rank me = native.rank();
  const Contract promised = contract(whole, me);
  const Request request = whole.seen_by(me);
  Buffers by_native(dense, promised, me);
  Buffers by_plan(layout, promised, me);
  const std::vector<std::uint32_t> before = by_plan.input;
  native.run(request, by_native.input.data(), by_native.output.data(), dense.type(), dense.op());
  planned.run(request, by_plan.input.data(), by_plan.output.data(), layout.type(), layout.op());
  return by_plan.input == before && same(promised, by_plan, by_native);
}

}  // namespace

TEST_CASE("planned and native do the same, all operations, in place or not, elements with gaps or not") {
  NativeCollectives native(MPI_COMM_WORLD);
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  const int ranks = native.ranks();
  const Layout dense(2, 1);
  const Layout gapped(4, 2);
  std::mt19937 random(29);
  for (const Operation operation : all_operations()) {
    // SimGrid combines the operands of these two in another order.
    if (machine::simulated() && (operation == Operation::scan || operation == Operation::exscan)) continue;
    bool good = true;
    for (const Spread spread : {Spread::none, Spread::equal, Spread::uneven, Spread::one}) {
      const Rank root = is_rooted(operation) ? static_cast<Rank>(random() % static_cast<unsigned>(ranks)) : 0;
      const Request request = test::request(operation, ranks, root, spread, random).combining(!combines(operation));
      for (const Layout* layout : {&dense, &gapped}) {
        good = same(native, planned, request, dense, *layout) && good;
        good = same(native, planned, request.knowing(Knowledge::as_in_mpi), dense, *layout) && good;
        if (sizes(operation) != Sizes::blocks && !combines(operation)) continue;
        good = same(native, planned, request.with_in_place(true), dense, *layout) && good;
      }
    }
    INFO(name(operation));
    CHECK(agreed(good));
  }
}

TEST_CASE("equal blocks are the same, by MPI's regular operations") {
  NativeCollectives native(MPI_COMM_WORLD);
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  const int ranks = native.ranks();
  const Layout layout(2, 1);
  for (const std::int64_t each : {0, 1, 6}) {
    const Blocks blocks = Blocks::equal(ranks, each);
    bool good = true;
    for (const bool in_place : {false, true}) {
      good = same(native, planned, Request::allgatherv(blocks, 8).with_in_place(in_place), layout, layout) && good;
      const Request combined = Request::reduce_scatter(blocks, 8, false);
      good = same(native, planned, combined.with_in_place(in_place), layout, layout) && good;
    }
    good =
        same(native, planned, Request::alltoallv(ranks, AlltoallCounts::equal(ranks, each), 8), layout, layout) && good;
    CHECK(agreed(good));
  }
}
