// A program whose buffers lie on a CUDA device, by an MPI library that cannot read them: in the calls that the library
// plans under --compare they do, in the native ones they lie in host memory. The first argument is the driver,
// libcuda.so.1, which is loaded after MPI_Init, as CUDA's runtime does. Prints "N wrong".
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <dlfcn.h>
#include <mpi.h>

namespace {

using Ints = std::vector<int>;

int wrong = 0;
int rank = 0;
int ranks = 1;

void expect(bool holds, const char* what) {
  if (holds) return;
  ++wrong;
  if (wrong < 10) std::printf("rank %d: %s\n", rank, what);
}

struct Driver {
  int (*alloc)(std::uintptr_t*, std::size_t) = nullptr;
  int (*free)(std::uintptr_t) = nullptr;
  int (*copy)(std::uintptr_t, std::uintptr_t, std::size_t) = nullptr;
} driver;

template <class Function>
Function* function(void* library, const char* name) {
  void* const found = dlsym(library, name);
  if (found == nullptr) std::exit(2);
  return reinterpret_cast<Function*>(found);
}

bool load_driver(const char* name) {
  void* const library = dlopen(name, RTLD_NOW);
  if (library == nullptr) return false;
  void* context = nullptr;
  if (function<int(unsigned)>(library, "cuInit")(0) != 0 ||
      function<int(void**, int)>(library, "cuDevicePrimaryCtxRetain")(&context, 0) != 0 ||
      function<int(void*)>(library, "cuCtxSetCurrent")(context) != 0) {
    return false;
  }
  driver = {.alloc = function<int(std::uintptr_t*, std::size_t)>(library, "cuMemAlloc_v2"),
            .free = function<int(std::uintptr_t)>(library, "cuMemFree_v2"),
            .copy = function<int(std::uintptr_t, std::uintptr_t, std::size_t)>(library, "cuMemcpy")};
  return true;
}

class Buffer {
 public:
  Buffer(Ints values, bool on_device) : values_(std::move(values)) {
    if (!on_device || values_.empty()) return;
    if (driver.alloc(&device_, bytes()) != 0 || driver.copy(device_, host(), bytes()) != 0) std::exit(3);
  }
  ~Buffer() {
    if (device_ != 0) driver.free(device_);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  int* data() { return device_ == 0 ? values_.data() : reinterpret_cast<int*>(device_); }
  const Ints& values() {
    if (device_ != 0 && driver.copy(host(), device_, bytes()) != 0) std::exit(4);
    return values_;
  }

 private:
  std::size_t bytes() const { return values_.size() * sizeof(int); }
  std::uintptr_t host() { return reinterpret_cast<std::uintptr_t>(values_.data()); }
  Ints values_;
  std::uintptr_t device_ = 0;
};

/// Four calls of an operation with a size that no other check has: the second and third are planned. Every third rank
/// has host memory.
template <class Call>
void check(const char* what, const Ints& input, const Ints& output, const Ints& expected, Call call) {
  for (unsigned turn = 0; turn < 4; ++turn) {
    const bool on_device = std::popcount(turn) % 2 == 1 && rank % 3 != 2;
    Buffer in(input, on_device);
    Buffer out(output, on_device);
    call(in.data(), out.data());
    expect(out.values() == expected, what);
  }
}

/// Elements of rank r: all different.
Ints values(int r, int count) {
  Ints all;
  for (int i = 0; i < count; ++i) all.push_back(r * 100'000 + i);
  return all;
}

Ints joined(int count) {
  Ints all;
  for (int r = 0; r < ranks; ++r) {
    for (const int value : values(r, count)) all.push_back(value);
  }
  return all;
}

Ints nothing(std::size_t count) {
  return Ints(count, -7);
}

void with_root(int root, int count) {
  const bool mine = rank == root;
  const auto all = static_cast<std::size_t>(count * ranks);
  check("bcast", {}, mine ? values(root, count) : nothing(static_cast<std::size_t>(count)), values(root, count),
        [&](int*, int* out) { MPI_Bcast(out, count, MPI_INT, root, MPI_COMM_WORLD); });
  check("gather", values(rank, count), mine ? nothing(all) : Ints{}, mine ? joined(count) : Ints{},
        [&](int* in, int* out) { MPI_Gather(in, count, MPI_INT, out, count, MPI_INT, root, MPI_COMM_WORLD); });
  check("scatter", mine ? joined(count) : Ints{}, nothing(static_cast<std::size_t>(count)), values(rank, count),
        [&](int* in, int* out) { MPI_Scatter(in, count, MPI_INT, out, count, MPI_INT, root, MPI_COMM_WORLD); });
  check("reduce", values(1, count), mine ? nothing(static_cast<std::size_t>(count)) : Ints{},
        mine ? [&] {
          Ints sum = values(1, count);
          for (int& each : sum) each *= ranks;
          return sum;
        }() : Ints{},
        [&](int* in, int* out) { MPI_Reduce(in, out, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD); });

  // Blocks of rank + 1 elements, one element apart.
  Ints counts;
  Ints places;
  Ints spread;
  for (int r = 0; r < ranks; ++r) {
    counts.push_back(count + r);
    places.push_back(static_cast<int>(spread.size()));
    for (const int value : values(r, count + r)) spread.push_back(value);
    spread.push_back(-7);
  }
  const int own = count + rank;
  check("gatherv", values(rank, own), mine ? nothing(spread.size()) : Ints{}, mine ? spread : Ints{},
        [&](int* in, int* out) {
          MPI_Gatherv(in, own, MPI_INT, out, counts.data(), places.data(), MPI_INT, root, MPI_COMM_WORLD);
        });
  check("scatterv", mine ? spread : Ints{}, nothing(static_cast<std::size_t>(own)), values(rank, own),
        [&](int* in, int* out) {
          MPI_Scatterv(in, counts.data(), places.data(), MPI_INT, out, own, MPI_INT, root, MPI_COMM_WORLD);
        });
}

void without_root(int count) {
  const auto all = static_cast<std::size_t>(count * ranks);
  check("allgather", values(rank, count), nothing(all), joined(count),
        [&](int* in, int* out) { MPI_Allgather(in, count, MPI_INT, out, count, MPI_INT, MPI_COMM_WORLD); });
  Ints sent;
  Ints received;
  for (int r = 0; r < ranks; ++r) {
    for (int i = 0; i < count; ++i) {
      sent.push_back(rank * 1000 + r);
      received.push_back(r * 1000 + rank);
    }
  }
  check("alltoall", sent, nothing(all), received,
        [&](int* in, int* out) { MPI_Alltoall(in, count, MPI_INT, out, count, MPI_INT, MPI_COMM_WORLD); });
  check(
      "alltoall in place", {},
      [&] {
        Ints twice = sent;
        twice.insert(twice.end(), sent.begin(), sent.end());
        return twice;
      }(),
      [&] {
        Ints twice;
        for (int r = 0; r < ranks; ++r) twice.insert(twice.end(), static_cast<std::size_t>(2 * count), 0);
        for (int r = 0; r < ranks; ++r) {
          for (int i = 0; i < 2 * count; ++i) {
            // Block r of 2 * count elements came from rank r, where it was elements 2 * count * rank and following.
            const int at = 2 * count * rank + i;
            twice[static_cast<std::size_t>(2 * count * r + i)] = r * 1000 + at / count % ranks;
          }
        }
        return twice;
      }(),
      [&](int*, int* out) { MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, out, 2 * count, MPI_INT, MPI_COMM_WORLD); });
  const Ints ones(static_cast<std::size_t>(count), rank + 1);
  const Ints none = nothing(ones.size());
  check("allreduce", ones, none, Ints(ones.size(), ranks * (ranks + 1) / 2),
        [&](int* in, int* out) { MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD); });
  check("scan in place", {}, ones, Ints(ones.size(), (rank + 1) * (rank + 2) / 2),
        [&](int*, int* out) { MPI_Scan(MPI_IN_PLACE, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD); });
  check("exscan", ones, none, rank == 0 ? none : Ints(ones.size(), rank * (rank + 1) / 2),
        [&](int* in, int* out) { MPI_Exscan(in, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD); });
  check("reduce_scatter", Ints(all, rank), none, Ints(ones.size(), ranks * (ranks - 1) / 2),
        [&](int* in, int* out) { MPI_Reduce_scatter_block(in, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD); });
}

/// Counts as MPI gives them: each rank knows its own.
void exchange() {
  Ints counts;
  Ints places;
  Ints sent;
  Ints received;
  for (int r = 0; r < ranks; ++r) {
    counts.push_back(10 * (r + rank) + 1);
    places.push_back(static_cast<int>(sent.size()));
    sent.insert(sent.end(), static_cast<std::size_t>(counts.back()), rank * 1000 + r);
    received.insert(received.end(), static_cast<std::size_t>(counts.back()), r * 1000 + rank);
  }
  check("alltoallv", sent, nothing(sent.size()), received, [&](int* in, int* out) {
    MPI_Alltoallv(in, counts.data(), places.data(), MPI_INT, out, counts.data(), places.data(), MPI_INT,
                  MPI_COMM_WORLD);
  });
}

void add(void* in, void* into, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i) static_cast<int*>(into)[2 * i] += static_cast<int*>(in)[2 * i];
}

/// Elements of one int and a gap: nothing is written to gaps.
void with_gaps(int count) {
  MPI_Datatype gapped = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &gapped);
  MPI_Type_commit(&gapped);
  MPI_Op_create(add, 1, &op);
  const auto with = [&](int data, int gap) {
    Ints all;
    for (int i = 0; i < count; ++i) all.insert(all.end(), {data, gap});
    return all;
  };
  check("bcast of elements with gaps", {}, rank == 0 ? with(3, -1) : with(0, -2), rank == 0 ? with(3, -1) : with(3, -2),
        [&](int*, int* out) { MPI_Bcast(out, count, gapped, 0, MPI_COMM_WORLD); });
  check("allreduce of elements with gaps", with(1, -1), with(0, -2), with(ranks, -2),
        [&](int* in, int* out) { MPI_Allreduce(in, out, count, gapped, op, MPI_COMM_WORLD); });
  MPI_Op_free(&op);
  MPI_Type_free(&gapped);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 2 || !load_driver(argv[1])) {
    std::puts("CUDA's driver does not start");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  for (const int count : {3, 3000}) {
    with_root(count == 3 ? 0 : ranks - 1, count);
    without_root(count);
  }
  exchange();
  with_gaps(300);
  int of_all = 0;
  MPI_Reduce(&wrong, &of_all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%d wrong\n", of_all);
  MPI_Finalize();
  return 0;
}
