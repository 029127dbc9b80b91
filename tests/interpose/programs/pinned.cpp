// Reductions whose bits must be those of one order: that of ranks. Prints how many results have other bits; natively
// some have.
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

#include <mpi.h>

namespace {

int rank = 0;
int ranks = 1;
int others = 0;

/// Values of very different sizes, whose sums round.
double value(int r, int i) {
  return (1 + (r * 7919 + i % 1000 * 104729) % 1000003) / 3. * std::pow(10., (r * 5 + i * 3) % 13 - 6);
}

double plus(double a, double b) {
  return a + b;
}

/// Neither commutative nor, in its bits, associative.
double fade(double a, double b) {
  return a / 3 + b;
}

/// Elements as a program has them: doubles, or with a gap behind each.
struct Layout {
  MPI_Datatype type;
  MPI_Op op;
  double (*both)(double, double);
  int stride;
};

void fade_with_gaps(void* in, void* both, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i) {
    double& b = static_cast<double*>(both)[2 * i];
    b = fade(static_cast<double*>(in)[2 * i], b);
  }
}

/// The operands of ranks 0 to `last` in their order.
double folded(const Layout& layout, int last, int i) {
  double all = value(0, i);
  for (int r = 1; r <= last; ++r) all = layout.both(all, value(r, i));
  return all;
}

using Buffer = std::vector<double>;

Buffer operands(const Layout& layout, int count) {
  Buffer all(static_cast<std::size_t>(layout.stride) * static_cast<std::size_t>(count) + 1, -1);
  for (int i = 0; i < count; ++i) all[static_cast<std::size_t>(layout.stride * i)] = value(rank, i);
  return all;
}

void expect(const Layout& layout, const Buffer& found, int first, int count, int last) {
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    const double right = folded(layout, last, first + i);
    if (std::memcmp(&right, &found[static_cast<std::size_t>(layout.stride * i)], sizeof right) != 0) wrong = 1;
    if (layout.stride > 1 && found[static_cast<std::size_t>(layout.stride * i + 1)] != -1) wrong = 1;
  }
  others += wrong;
}

void reductions(const Layout& l, int count, MPI_Comm comm) {
  const Buffer in = operands(l, count);
  const Buffer empty(in.size(), -1);
  Buffer out = empty;
  MPI_Allreduce(in.data(), out.data(), count, l.type, l.op, comm);
  expect(l, out, 0, count, ranks - 1);
  out = in;
  MPI_Allreduce(MPI_IN_PLACE, out.data(), count, l.type, l.op, comm);
  expect(l, out, 0, count, ranks - 1);
  for (int root : {0, ranks - 1}) {
    if (root == 0) {  // at others, MPICH 4.0.2 itself may read from MPI_IN_PLACE
      out = rank == root ? in : empty;
      MPI_Reduce(rank == root ? MPI_IN_PLACE : in.data(), out.data(), count, l.type, l.op, root, comm);
      if (rank == root) expect(l, out, 0, count, ranks - 1);
    }
    out = empty;
    MPI_Reduce(in.data(), out.data(), count, l.type, l.op, root, comm);
    if (rank == root) expect(l, out, 0, count, ranks - 1);
  }
  out = empty;
  MPI_Scan(in.data(), out.data(), count, l.type, l.op, comm);
  expect(l, out, 0, count, rank);
  out = in;
  MPI_Exscan(MPI_IN_PLACE, out.data(), count, l.type, l.op, comm);
  if (rank > 0) expect(l, out, 0, count, rank - 1);
  std::vector<int> counts(static_cast<std::size_t>(ranks), count / ranks);
  const int each = counts[0];
  out = empty;
  MPI_Reduce_scatter_block(in.data(), out.data(), each, l.type, l.op, comm);
  expect(l, out, rank * each, each, ranks - 1);
  counts.back() = count - each * (ranks - 1);
  counts.front() += counts.back();
  counts.back() = 0;
  out = in;
  MPI_Reduce_scatter(MPI_IN_PLACE, out.data(), counts.data(), l.type, l.op, comm);
  const int first = rank == 0 ? 0 : counts[0] + (rank - 1) * each;
  expect(l, out, first, counts[static_cast<std::size_t>(rank)], ranks - 1);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Datatype gaps = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &gaps);
  MPI_Type_commit(&gaps);
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(fade_with_gaps, 0, &op);
  for (int turn = 0; turn < 4; ++turn) {  // natively and planned
    for (int count : {1, 7, 1000, 20011}) {
      reductions({MPI_DOUBLE, MPI_SUM, plus, 1}, count, MPI_COMM_WORLD);
      reductions({gaps, op, fade, 2}, count, MPI_COMM_WORLD);
    }
  }
  int all = 0;
  MPI_Reduce(&others, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%d with other bits\n", all);
  MPI_Type_free(&gaps);
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}
