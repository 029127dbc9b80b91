// Corners of data: counts, displacements, addresses, operations.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

#include <mpi.h>

#include "corners.hpp"

/// An int each `stride` ints apart, the first of them `first` ints from the address: with any bounds.
static MPI_Datatype spread(int count, int stride, int first, MPI_Aint extent_in_ints) {
  std::vector<int> lengths(at(count), 1);
  std::vector<MPI_Aint> places(at(count));
  for (int i = 0; i < count; ++i) places[at(i)] = (first + i * stride) * static_cast<MPI_Aint>(sizeof(int));
  MPI_Datatype bare = MPI_DATATYPE_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(count, lengths.data(), places.data(), MPI_INT, &bare);
  MPI_Type_create_resized(bare, first * static_cast<MPI_Aint>(sizeof(int)),
                          extent_in_ints * static_cast<MPI_Aint>(sizeof(int)), &type);
  MPI_Type_free(&bare);
  MPI_Type_commit(&type);
  return type;
}

/// Elements from `from` to `to` in call `call`, and the value of each: none for some pairs, and none at all at times.
static int count_of(int from, int to, int call) {
  if (call % 5 == 4) return 0;
  return (from * 3 + to * 5 + call * 7) % 11 < 4 ? 0 : (from + 2 * to + call) % 6 * (call % 3 == 2 ? 200 : 1);
}
static int value_of(int from, int to, int i) {
  return from * 1'000'000 + to * 10'000 + i;
}

/// One rank's side of an exchange: blocks in falling order of ranks, with a gap between them.
struct Side {
  Side(int call, bool sends, int unit) : counts(at(ranks)), places(at(ranks)) {
    int size = 1;
    for (int r = ranks - 1; r >= 0; --r) {
      counts[at(r)] = sends ? count_of(rank, r, call) : count_of(r, rank, call);
      places[at(r)] = size;
      size += counts[at(r)] + 1;
    }
    buffer.assign(at(size * unit), -7);
  }
  std::vector<int> counts;
  std::vector<int> places;
  std::vector<int> buffer;
};

// Sent as ints, received as ints with a gap behind each; counts change with every call, as a sort's do.
void exchanges() {
  const MPI_Datatype gapped = spread(1, 1, 0, 2);
  for (int call = 0; call < 60; ++call) {
    Side out(call, true, 1);
    Side in(call, false, 2);
    for (int r = 0; r < ranks; ++r) {
      for (int i = 0; i < out.counts[at(r)]; ++i) out.buffer[at(out.places[at(r)] + i)] = value_of(rank, r, i);
    }
    MPI_Alltoallv(out.buffer.data(), out.counts.data(), out.places.data(), MPI_INT, in.buffer.data(), in.counts.data(),
                  in.places.data(), gapped, MPI_COMM_WORLD);
    std::vector<int> expected(in.buffer.size(), -7);
    for (int r = 0; r < ranks; ++r) {
      for (int i = 0; i < in.counts[at(r)]; ++i) expected[at(2 * (in.places[at(r)] + i))] = value_of(r, rank, i);
    }
    EXPECT(in.buffer == expected);

    // In place: counts are the same both ways.
    std::vector<int> counts(at(ranks));
    for (int r = 0; r < ranks; ++r) counts[at(r)] = count_of(std::min(rank, r), std::max(rank, r), call);
    std::vector<int> places(at(ranks));
    std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
    std::vector<int> both(at(std::accumulate(counts.begin(), counts.end(), 0)));
    std::vector<int> turned(both.size());
    for (int r = 0; r < ranks; ++r) {
      for (int i = 0; i < counts[at(r)]; ++i) {
        both[at(places[at(r)] + i)] = value_of(rank, r, i);
        turned[at(places[at(r)] + i)] = value_of(r, rank, i);
      }
    }
    MPI_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, both.data(), counts.data(), places.data(), MPI_INT,
                  MPI_COMM_WORLD);
    EXPECT(both == turned);

    // Only the last rank sends, from disjoint places of the array that it receives into.
    std::vector<int> none(at(ranks), 0);
    std::vector<int> some(at(ranks), 0);
    std::vector<int> numbers(at(2 * ranks), rank);
    if (rank == ranks - 1) std::fill(some.begin(), some.end(), 1);
    none[at(ranks - 1)] = 1;
    std::vector<int> first(at(ranks));
    std::iota(first.begin(), first.end(), 0);
    const std::vector<int> second(at(ranks), ranks);
    MPI_Alltoallv(numbers.data(), some.data(), first.data(), MPI_INT, numbers.data(), none.data(), second.data(),
                  MPI_INT, MPI_COMM_WORLD);
    EXPECT(numbers[at(ranks)] == ranks - 1);
    none[at(ranks - 1)] = 0;
    const std::vector<int> zero(at(ranks), 0);
    MPI_Alltoallv(nullptr, none.data(), first.data(), MPI_INT, nullptr, zero.data(), second.data(), MPI_INT,
                  MPI_COMM_WORLD);
  }
  MPI_Datatype gone = gapped;
  MPI_Type_free(&gone);
}

// Absolute addresses, on some ranks or on all.
void bottom() {
  std::vector<int> numbers(at(ranks), rank + 1);
  MPI_Aint address = 0;
  MPI_Get_address(numbers.data(), &address);
  MPI_Datatype absolute = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(1, std::vector<int>{ranks}.data(), &address, MPI_INT, &absolute);
  MPI_Type_commit(&absolute);
  for (int turn = 0; turn < turns; ++turn) {
    const bool mine = rank % 2 == turn % 2;
    std::fill(numbers.begin(), numbers.end(), rank + 1);
    if (mine) {
      MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD);
    } else {
      MPI_Bcast(numbers.data(), ranks, MPI_INT, 0, MPI_COMM_WORLD);
    }
    EXPECT(numbers == std::vector<int>(at(ranks), 1));
    std::fill(numbers.begin(), numbers.end(), rank + 1);
    std::vector<int> all(at(ranks * ranks));
    MPI_Allgather(mine ? MPI_BOTTOM : numbers.data(), mine ? 1 : ranks, mine ? absolute : MPI_INT, all.data(), ranks,
                  MPI_INT, MPI_COMM_WORLD);
    EXPECT(all.back() == ranks && all.front() == 1);
    MPI_Alltoall(all.data(), 1, MPI_INT, numbers.data(), 1, MPI_INT, MPI_COMM_WORLD);
    const int one = rank;
    MPI_Gather(&one, 1, MPI_INT, rank == 0 ? numbers.data() : nullptr, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) EXPECT(numbers.back() == ranks - 1);
  }
  MPI_Type_free(&absolute);
}

/// Adds the ints of a type that spread() made, at the places that it has; the type at hand must be that one.
static MPI_Datatype element = MPI_DATATYPE_NULL;
static void add_spread(void* in, void* into, int* count, MPI_Datatype* type) {
  EXPECT(*type == element);
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_extent(*type, &lower, &extent);
  for (int i = 0; i < *count; ++i) {
    const auto* a = reinterpret_cast<const int*>(static_cast<const std::byte*>(in) + i * extent);
    auto* b = reinterpret_cast<int*>(static_cast<std::byte*>(into) + i * extent);
    for (const int place : {-1, 2}) b[place] += a[place];
  }
}

// Elements of two ints from one int before their address to two behind it, six ints apart.
void own_operations() {
  constexpr int elements = 40;
  element = spread(2, 3, -1, 6);
  for (const int commutes : {0, 1}) {
    MPI_Op add = MPI_OP_NULL;
    MPI_Op_create(add_spread, commutes, &add);
    for (int turn = 0; turn < turns; ++turn) {
      const auto filled = [&](int number) {
        std::vector<int> all(at(6 * elements * ranks + 6), -7);
        for (int i = 0; i < elements * ranks; ++i) all[at(1 + 6 * i - 1)] = all[at(1 + 6 * i + 2)] = number;
        return all;
      };
      const auto begins = [&](const std::vector<int>& all, int number, int count) {
        for (int i = 0; i < 6 * count; ++i) {
          const bool gap = i % 6 != 0 && i % 6 != 3;
          if (all[at(i)] != (gap ? -7 : number)) return false;
        }
        return true;
      };
      const int total = ranks * (ranks + 1) / 2;
      const std::vector<int> in = filled(rank + 1);
      std::vector<int> out = filled(-1);
      MPI_Allreduce(in.data() + 1, out.data() + 1, elements, element, add, MPI_COMM_WORLD);
      EXPECT(begins(out, total, elements));
      out = filled(rank + 1);
      MPI_Reduce(rank == 1 ? MPI_IN_PLACE : out.data() + 1, out.data() + (rank == 1 ? 1 : 3), 3, element, add, 1,
                 MPI_COMM_WORLD);
      if (rank == 1) EXPECT(begins(out, total, 3));
      out = filled(rank + 1);
      MPI_Scan(MPI_IN_PLACE, out.data() + 1, elements, element, add, MPI_COMM_WORLD);
      EXPECT(begins(out, (rank + 1) * (rank + 2) / 2, elements));
      out = filled(rank + 1);
      MPI_Exscan(MPI_IN_PLACE, out.data() + 1, elements, element, add, MPI_COMM_WORLD);
      if (rank > 0) EXPECT(begins(out, rank * (rank + 1) / 2, elements));
      out = filled(-1);
      MPI_Reduce_scatter_block(in.data() + 1, out.data() + 1, elements, element, add, MPI_COMM_WORLD);
      EXPECT(begins(out, total, elements));
      std::vector<int> counts(at(ranks), 0);
      counts[at(ranks / 2)] = elements;
      out = filled(rank + 1);
      MPI_Reduce_scatter(MPI_IN_PLACE, out.data() + 1, counts.data(), element, add, MPI_COMM_WORLD);
      if (rank == ranks / 2) EXPECT(begins(out, total, elements));
    }
    MPI_Op_free(&add);
  }
  MPI_Type_free(&element);
}

template <class Value>
static void pairs(MPI_Datatype type) {
  struct Pair {
    Value value;
    int index;
  };
  for (int turn = 0; turn < turns; ++turn) {
    std::vector<Pair> in(33);
    std::vector<Pair> least(33);
    for (int i = 0; i < 33; ++i) in[at(i)] = {static_cast<Value>((rank + i) % ranks), rank};
    MPI_Allreduce(in.data(), least.data(), 33, type, MPI_MINLOC, MPI_COMM_WORLD);
    for (int i = 0; i < 33; ++i) {
      EXPECT(least[at(i)].value == 0 && least[at(i)].index == (ranks - i % ranks) % ranks);
    }
    for (Pair& each : in) each.value = 1;
    MPI_Reduce(in.data(), least.data(), 33, type, MPI_MAXLOC, ranks - 1, MPI_COMM_WORLD);
    if (rank == ranks - 1) EXPECT(least[5].value == 1 && least[5].index == 0);
    MPI_Bcast(in.data(), 33, type, 0, MPI_COMM_WORLD);
    EXPECT(in[32].index == 0);
  }
}

void all_pairs() {
  pairs<float>(MPI_FLOAT_INT);
  pairs<double>(MPI_DOUBLE_INT);
  pairs<long>(MPI_LONG_INT);
  pairs<int>(MPI_2INT);
  pairs<short>(MPI_SHORT_INT);
  pairs<long double>(MPI_LONG_DOUBLE_INT);
}
