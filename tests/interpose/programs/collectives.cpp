// A program that knows nothing of Tombolo: every collective call in many forms, results checked against what they must
// be. Prints "N wrong"; run natively and under the library, both print 0.
#include <cstdio>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include <mpi.h>

namespace {

int wrong = 0;

void expect(bool holds, const char* what, int line) {
  if (holds) return;
  ++wrong;
  if (wrong < 10) std::printf("line %d: %s\n", line, what);
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

/// Elements of rank r: all different.
int value(int rank, int i) {
  return rank * 100'000 + i;
}

std::vector<int> values(int rank, int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) all[static_cast<std::size_t>(i)] = value(rank, i);
  return all;
}

/// A derived type of `count` ints with a gap behind each, and a buffer for it.
struct Gaps {
  explicit Gaps(int elements) : count(elements), buffer(static_cast<std::size_t>(2 * elements + 2), -7) {
    MPI_Type_vector(count, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
  }
  ~Gaps() { MPI_Type_free(&type); }
  void fill(int rank) {
    for (int i = 0; i < count; ++i) buffer[static_cast<std::size_t>(2 * i)] = value(rank, i);
  }
  bool holds(int rank) const {
    for (int i = 0; i < count; ++i) {
      if (buffer[static_cast<std::size_t>(2 * i)] != value(rank, i)) return false;
      if (buffer[static_cast<std::size_t>(2 * i + 1)] != -7) return false;
    }
    return true;
  }
  int count;
  std::vector<int> buffer;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

// MPICH 4.0.2 itself ignores displacements of MPI_Allgatherv.
#ifdef MPICH
constexpr int gap_of_allgatherv = 0;
#else
constexpr int gap_of_allgatherv = 1;
#endif

/// Blocks of different sizes, in falling order if there are gaps between them.
struct Uneven {
  Uneven(int ranks, int most, int gap) : counts(static_cast<std::size_t>(ranks)), places(counts.size()) {
    int at = gap;
    for (int i = 0; i < ranks; ++i) {
      const int r = gap > 0 ? ranks - 1 - i : i;
      counts[static_cast<std::size_t>(r)] = most / (r + 1);
      places[static_cast<std::size_t>(r)] = at;
      at += counts[static_cast<std::size_t>(r)] + gap;
    }
    size = at;
  }
  std::vector<int> filled() const {
    std::vector<int> all(static_cast<std::size_t>(size), -7);
    for (std::size_t r = 0; r < counts.size(); ++r) {
      for (int i = 0; i < counts[r]; ++i) all[static_cast<std::size_t>(places[r] + i)] = value(static_cast<int>(r), i);
    }
    return all;
  }
  std::vector<int> counts;
  std::vector<int> places;
  int size = 0;
};

// A product of 2 x 2 matrices of remainders does not commute.
void multiply(void* in, void* into, int* count, MPI_Datatype*) {
  const auto* a = static_cast<const int*>(in);
  auto* b = static_cast<int*>(into);
  for (int i = 0; i < *count; ++i, a += 4, b += 4) {
    const int product[4] = {(a[0] * b[0] + a[1] * b[2]) % 1009, (a[0] * b[1] + a[1] * b[3]) % 1009,
                            (a[2] * b[0] + a[3] * b[2]) % 1009, (a[2] * b[1] + a[3] * b[3]) % 1009};
    std::memcpy(b, product, sizeof product);
  }
}

void with_root(MPI_Comm comm, int rank, int ranks, int root, int count) {
  std::vector<int> vector = rank == root ? values(root, count) : std::vector<int>(static_cast<std::size_t>(count));
  MPI_Bcast(vector.data(), count, MPI_INT, root, comm);
  EXPECT(vector == values(root, count));

  // The same signature by different types on different ranks.
  Gaps gaps(count);
  if (rank == root) gaps.fill(root);
  std::vector<int> plain(static_cast<std::size_t>(count));
  if (rank == root || rank % 2 == 0) {
    MPI_Bcast(gaps.buffer.data(), count > 0 ? 1 : 0, gaps.type, root, comm);
    EXPECT(gaps.holds(root));
  } else {
    MPI_Bcast(plain.data(), count, MPI_INT, root, comm);
    EXPECT(plain == values(root, count));
  }

  const std::vector<int> mine = values(rank, count);
  std::vector<int> all(static_cast<std::size_t>(count * ranks));
  MPI_Gather(mine.data(), count, MPI_INT, all.data(), count, MPI_INT, root, comm);
  std::vector<int> expected;
  for (int r = 0; r < ranks; ++r) {
    const std::vector<int> of = values(r, count);
    expected.insert(expected.end(), of.begin(), of.end());
  }
  if (rank == root) EXPECT(all == expected);
  std::vector<int> block(static_cast<std::size_t>(count));
  MPI_Scatter(all.data(), count, MPI_INT, block.data(), count, MPI_INT, root, comm);
  EXPECT(block == mine);
  // In place at the root, which has its own block where it belongs.
  if (rank == root) {
    MPI_Gather(MPI_IN_PLACE, 0, MPI_INT, all.data(), count, MPI_INT, root, comm);
    EXPECT(all == expected);
    MPI_Scatter(all.data(), count, MPI_INT, MPI_IN_PLACE, 0, MPI_INT, root, comm);
  } else {
    MPI_Gather(mine.data(), count, MPI_INT, nullptr, 0, MPI_DATATYPE_NULL, root, comm);
    MPI_Scatter(nullptr, 0, MPI_DATATYPE_NULL, block.data(), count, MPI_INT, root, comm);
    EXPECT(block == mine);
  }

  const Uneven uneven(ranks, count, 1);
  const int own = uneven.counts[static_cast<std::size_t>(rank)];
  std::vector<int> spread(static_cast<std::size_t>(uneven.size), -7);
  MPI_Gatherv(mine.data(), own, MPI_INT, spread.data(), uneven.counts.data(), uneven.places.data(), MPI_INT, root,
              comm);
  if (rank == root) EXPECT(spread == uneven.filled());
  std::vector<int> part(static_cast<std::size_t>(own));
  MPI_Scatterv(spread.data(), uneven.counts.data(), uneven.places.data(), MPI_INT, part.data(), own, MPI_INT, root,
               comm);
  EXPECT(part == values(rank, own));

  const std::vector<long> numbers(static_cast<std::size_t>(count), rank + 1);
  std::vector<long> sum(static_cast<std::size_t>(count), -1);
  MPI_Reduce(numbers.data(), rank == root ? sum.data() : nullptr, count, MPI_LONG, MPI_SUM, root, comm);
  if (rank == root) EXPECT(sum == std::vector<long>(static_cast<std::size_t>(count), ranks * (ranks + 1L) / 2));
}

void without_root(MPI_Comm comm, int rank, int ranks, int count) {
  const std::vector<int> mine = values(rank, count);
  std::vector<int> expected;
  for (int r = 0; r < ranks; ++r) {
    const std::vector<int> of = values(r, count);
    expected.insert(expected.end(), of.begin(), of.end());
  }
  std::vector<int> all(static_cast<std::size_t>(count * ranks));
  MPI_Allgather(mine.data(), count, MPI_INT, all.data(), count, MPI_INT, comm);
  EXPECT(all == expected);
  std::fill(all.begin(), all.end(), 0);
  std::copy(mine.begin(), mine.end(), all.begin() + rank * count);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), count, MPI_INT, comm);
  EXPECT(all == expected);

  const Uneven uneven(ranks, count, gap_of_allgatherv);
  std::vector<int> spread(static_cast<std::size_t>(uneven.size), -7);
  MPI_Allgatherv(mine.data(), uneven.counts[static_cast<std::size_t>(rank)], MPI_INT, spread.data(),
                 uneven.counts.data(), uneven.places.data(), MPI_INT, comm);
  EXPECT(spread == uneven.filled());

  // Block r of rank s becomes block s of rank r.
  std::vector<int> out(static_cast<std::size_t>(count * ranks));
  std::vector<int> turned(out.size());
  for (int r = 0; r < ranks; ++r) {
    for (int i = 0; i < count; ++i) {
      out[static_cast<std::size_t>(r * count + i)] = value(rank, r * count + i);
      turned[static_cast<std::size_t>(r * count + i)] = value(r, rank * count + i);
    }
  }
  std::vector<int> in(out.size());
  MPI_Alltoall(out.data(), count, MPI_INT, in.data(), count, MPI_INT, comm);
  EXPECT(in == turned);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out.data(), count, MPI_INT, comm);
  EXPECT(out == turned);

  std::vector<double> numbers(static_cast<std::size_t>(count), 1.0 / (rank + 3));
  std::vector<double> sum(numbers.size());
  MPI_Allreduce(numbers.data(), sum.data(), count, MPI_DOUBLE, MPI_SUM, comm);
  std::vector<double> of_first = sum;
  MPI_Bcast(of_first.data(), count, MPI_DOUBLE, 0, comm);
  EXPECT(count == 0 || std::memcmp(of_first.data(), sum.data(), sum.size() * sizeof(double)) == 0);
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), count, MPI_DOUBLE, MPI_MAX, comm);
  EXPECT(numbers == std::vector<double>(numbers.size(), 1.0 / 3));

  std::vector<int> whole(static_cast<std::size_t>(count * ranks), rank);
  std::vector<int> block(static_cast<std::size_t>(count));
  MPI_Reduce_scatter_block(whole.data(), block.data(), count, MPI_INT, MPI_SUM, comm);
  EXPECT(block == std::vector<int>(block.size(), ranks * (ranks - 1) / 2));
  const int total = std::accumulate(uneven.counts.begin(), uneven.counts.end(), 0);
  std::vector<int> parts(static_cast<std::size_t>(total), rank);
  std::vector<int> part(static_cast<std::size_t>(uneven.counts[static_cast<std::size_t>(rank)]) + 1);
  MPI_Reduce_scatter(parts.data(), part.data(), uneven.counts.data(), MPI_INT, MPI_SUM, comm);
  part.pop_back();
  EXPECT(part == std::vector<int>(part.size(), ranks * (ranks - 1) / 2));

  std::vector<int> prefix(static_cast<std::size_t>(count), rank + 1);
  MPI_Scan(MPI_IN_PLACE, prefix.data(), count, MPI_INT, MPI_SUM, comm);
  EXPECT(prefix == std::vector<int>(prefix.size(), (rank + 1) * (rank + 2) / 2));
  const std::vector<int> ones(static_cast<std::size_t>(count), 1);
  MPI_Exscan(ones.data(), prefix.data(), count, MPI_INT, MPI_SUM, comm);
  if (rank > 0) EXPECT(prefix == std::vector<int>(prefix.size(), rank));
  MPI_Barrier(comm);
}

void user_operation(MPI_Comm comm, int rank, int ranks) {
  MPI_Datatype matrix = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  MPI_Type_contiguous(4, MPI_INT, &matrix);
  MPI_Type_commit(&matrix);
  MPI_Op_create(multiply, 0, &op);
  std::vector<int> expected{1, 0, 0, 1};
  for (int r = ranks - 1; r >= 0; --r) {
    int one = 1;
    int left[4] = {r + 1, 2, 3, r + 5};
    multiply(left, expected.data(), &one, nullptr);
  }
  std::vector<int> in;
  for (int i = 0; i < 50; ++i) in.insert(in.end(), {rank + 1, 2, 3, rank + 5});
  std::vector<int> product(in.size());
  MPI_Allreduce(in.data(), product.data(), 50, matrix, op, comm);
  for (int i = 0; i < 50; ++i) EXPECT(std::equal(expected.begin(), expected.end(), product.begin() + 4 * i));
  MPI_Op_free(&op);
  MPI_Type_free(&matrix);
}

void errors(MPI_Comm comm) {
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  int number = 0;
  const auto classes_to = [](int code) {
    int error = MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &error);
    return error;
  };
  EXPECT(classes_to(MPI_Bcast(&number, 1, MPI_INT, -1, comm)) == MPI_ERR_ROOT);
  EXPECT(classes_to(MPI_Bcast(&number, -1, MPI_INT, 0, comm)) == MPI_ERR_COUNT);
  double sum = 0;
  double one = 1;
  EXPECT(classes_to(MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_BAND, comm)) == MPI_ERR_OP);
}

void all_of(MPI_Comm comm) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  for (const int count : {0, 1, 7, 1000}) {
    for (int turn = 0; turn < 4; ++turn) {
      with_root(comm, rank, ranks, 0, count);
      with_root(comm, rank, ranks, ranks - 1, count);
      without_root(comm, rank, ranks, count);
      user_operation(comm, rank, ranks);
    }
  }
}

int copies = 0;
int count_copies(MPI_Comm, int, void*, void* in, void* out, int* copied) {
  ++copies;
  *static_cast<void**>(out) = in;
  *copied = 1;
  return MPI_SUCCESS;
}

// Calls that several threads make at once, on a communicator each.
void sums(MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  for (int turn = 0; turn < 50; ++turn) {
    std::vector<int> in(100, 1);
    std::vector<int> sum(100);
    MPI_Allreduce(in.data(), sum.data(), 100, MPI_INT, MPI_SUM, comm);
    if (sum != std::vector<int>(100, size)) std::puts("a sum of two threads is wrong");
  }
}

// Sums of two threads at once, of which one has a copy of MPI_COMM_WORLD to itself.
void sums_beside_copy(MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  std::thread other(sums, copy);
  sums(comm);
  other.join();
  MPI_Comm_free(&copy);
}

}  // namespace

int main(int argc, char** argv) {
  int threads = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  // The first communicator that gets ready for plans, while plans run on MPI_COMM_WORLD.
  if (threads == MPI_THREAD_MULTIPLE) sums_beside_copy(MPI_COMM_WORLD);
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(count_copies, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
  all_of(MPI_COMM_WORLD);
  EXPECT(copies == 0);

  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  EXPECT(copies == 1);
  errors(copy);
  for (int turn = 0; turn < 3; ++turn) {  // freed and made again: handles come back
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, turn == 0 ? rank % 2 : rank / 3, -rank, &part);
    all_of(part);
    MPI_Comm_free(&part);
  }
  if (threads == MPI_THREAD_MULTIPLE) sums_beside_copy(copy);
  MPI_Comm_free(&copy);

  int of_all = 0;
  MPI_Reduce(&wrong, &of_all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%d wrong\n", of_all);
  MPI_Finalize();
  return 0;
}
