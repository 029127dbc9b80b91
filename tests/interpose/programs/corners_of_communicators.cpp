// Corners of communicators, errors and requests.
#include <algorithm>
#include <csetjmp>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <mpi.h>

#include "corners.hpp"

// Two groups of ranks that see each other.
void between_groups() {
  if (ranks < 2) return;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm between = MPI_COMM_NULL;
  const bool low = rank % 2 == 0;
  MPI_Comm_split(MPI_COMM_WORLD, low ? 0 : 1, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? 1 : 0, 3, &between);
  int others = 0;
  MPI_Comm_remote_size(between, &others);
  for (int turn = 0; turn < turns; ++turn) {
    int number = low ? 1 : 2;
    const int root = !low ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Bcast(&number, 1, MPI_INT, root, between);
    EXPECT(number == 1);
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, between);
    int of_others = 0;
    for (int r = low ? 1 : 0; r < ranks; r += 2) of_others += r;
    EXPECT(sum == of_others);
    std::vector<int> all(at(others));
    MPI_Allgather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, between);
    EXPECT(all.front() == (low ? 1 : 0));
    std::vector<int> counts(at(others), 1);
    std::vector<int> places(at(others));
    std::iota(places.begin(), places.end(), 0);
    MPI_Alltoallv(std::vector<int>(at(others), rank).data(), counts.data(), places.data(), MPI_INT, all.data(),
                  counts.data(), places.data(), MPI_INT, between);
    EXPECT(all.front() == (low ? 1 : 0));
    MPI_Barrier(between);
  }
  MPI_Comm merged = MPI_COMM_NULL;
  MPI_Intercomm_merge(between, low ? 1 : 0, &merged);
  for (int turn = 0; turn < turns; ++turn) {
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, merged);
    EXPECT(sum == ranks * (ranks - 1) / 2);
  }
  MPI_Comm_free(&merged);
  MPI_Comm_disconnect(&between);
  MPI_Comm_free(&half);
}

static void observe(const char* what, int code) {
  int error = MPI_SUCCESS;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &error);
  if (rank == 0) std::printf("%s: error class %d\n", what, error);
}

static int handled = 0;
static std::string message;  // of the last error
static void handle(MPI_Comm*, int* code, ...) {
  ++handled;
  char words[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(*code, words, &length);
  message = words;
  *code = MPI_SUCCESS;
}

// What all ranks do wrong. Each several times: later calls must not be planned either.
void errors() {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm never_set = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &never_set);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#ifdef MPICH  // A handler that was never set is that of MPI_COMM_WORLD.
  observe("handler of another", MPI_Bcast(nullptr, -1, MPI_INT, 0, never_set));
#endif
  MPI_Comm_free(&never_set);
  MPI_Datatype raw = MPI_DATATYPE_NULL;  // not committed
  MPI_Type_vector(2, 1, 2, MPI_INT, &raw);
  std::vector<int> numbers(at(4 * ranks + 4), rank);
  int* const x = numbers.data();
  int* const y = x + 2 * ranks;
  const std::vector<int> ones(at(ranks), 1);
  std::vector<int> minus(at(ranks), 1);
  minus.back() = -1;
  const std::vector<int> places(at(ranks), 0);
  for (int turn = 0; turn < turns; ++turn) {
    observe("type not committed", MPI_Bcast(x, 1, raw, 0, comm));
    observe("type null", MPI_Bcast(x, 1, MPI_DATATYPE_NULL, 0, comm));
    observe("type null of a reduction", MPI_Reduce(x, y, 1, MPI_DATATYPE_NULL, MPI_SUM, 0, comm));
    observe("count -1", MPI_Allgather(x, -1, MPI_INT, y, 1, MPI_INT, comm));
    observe("root too large", MPI_Reduce(x, y, 1, MPI_INT, MPI_SUM, ranks, comm));
    observe("root MPI_PROC_NULL", MPI_Bcast(x, 1, MPI_INT, MPI_PROC_NULL, comm));
    observe("operation null", MPI_Allreduce(x, y, 1, MPI_INT, MPI_OP_NULL, comm));
    observe("operation of other types", MPI_Allreduce(x, y, 1, MPI_FLOAT, MPI_BAND, comm));
    observe("operation MPI_REPLACE", MPI_Scan(x, y, 1, MPI_INT, MPI_REPLACE, comm));
    observe("count -1 of a v-operation",
            MPI_Alltoallv(x, minus.data(), places.data(), MPI_INT, y, ones.data(), places.data(), MPI_INT, comm));
    observe("count -1 of a reduce_scatter", MPI_Reduce_scatter(x, y, minus.data(), MPI_INT, MPI_SUM, comm));
    observe("same buffers of allreduce", MPI_Allreduce(x, x, 1, MPI_INT, MPI_SUM, comm));
    observe("same buffers of scan", MPI_Scan(x, x, 1, MPI_INT, MPI_SUM, comm));
    observe("same buffers of exscan", MPI_Exscan(x, x, 1, MPI_INT, MPI_SUM, comm));
    observe("same buffers of alltoall", MPI_Alltoall(x, 1, MPI_INT, x, 1, MPI_INT, comm));
    observe("same buffers of allgather", MPI_Allgather(x + rank, 1, MPI_INT, x, 1, MPI_INT, comm));
    observe("no communicator", MPI_Barrier(MPI_COMM_NULL));
  }
  MPI_Type_free(&raw);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  for (int turn = 0; turn < turns; ++turn) MPI_Bcast(x, -1, MPI_INT, 0, comm);
  EXPECT(handled == turns);
#ifdef MPICH  // It raises errors about what is no communicator on MPI_COMM_WORLD.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm freed = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &freed);
  const MPI_Comm gone = freed;
  MPI_Comm_free(&freed);
  for (const MPI_Comm none : {gone, static_cast<MPI_Comm>(MPI_INT), static_cast<MPI_Comm>(0x7777777)}) {
    handled = 0;
    MPI_Bcast(x, 1, MPI_INT, 0, none);
    EXPECT(handled == 1 && message.find("MPI_Bcast") != std::string::npos);
    MPI_Allreduce(x, y, 1, MPI_INT, MPI_SUM, none);
    EXPECT(handled == 2 && message.find("MPI_Allreduce") != std::string::npos);
  }
#endif
  MPI_Errhandler_free(&handler);
  // A program goes on after its errors.
  for (int turn = 0; turn < turns; ++turn) {
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    EXPECT(sum == ranks * (ranks - 1) / 2);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_free(&comm);
}

static std::jmp_buf before;
static void jump(MPI_Comm*, int*, ...) {
  std::longjmp(before, 1);
}
static void raise(MPI_Comm*, int*, ...) {
  throw std::runtime_error("of the program");
}

static void refuse(MPI_Comm comm) {
  MPI_Bcast(&rank, 1, MPI_INT, ranks, comm);
}
static void leave_by_jumping(MPI_Comm comm) {
  if (setjmp(before) == 0) refuse(comm);
}
static void leave_by_throwing(MPI_Comm comm) {
  bool caught = false;
  try {
    refuse(comm);
  } catch (const std::runtime_error&) {
    caught = true;
  }
  EXPECT(caught);
}

// Error handlers of one rank that do not return. It goes on with the others all the same.
void leaving() {
  for (const bool jumps : {false, true}) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(jumps ? jump : raise, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    if (rank == ranks - 1) (jumps ? leave_by_jumping : leave_by_throwing)(comm);
    for (int turn = 0; turn < turns; ++turn) {
      int sum = 0;
      MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
      EXPECT(sum == ranks * (ranks - 1) / 2);
    }
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
  }
}

// Two communicators, each first used in another order by some ranks: by non-blocking calls, whose order is that of each
// communicator alone, and by a call that fails on one rank.
void orders() {
  for (const bool fails : {false, true}) {
    MPI_Comm pair[] = {MPI_COMM_NULL, MPI_COMM_NULL};
    for (MPI_Comm& comm : pair) {
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
      MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    }
    int numbers[] = {7, 8};
    MPI_Request requests[] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    for (int i = 0; i < 2 && !fails; ++i) {
      const int which = (i + rank) % 2;
      MPI_Ibcast(&numbers[which], 1, MPI_INT, 0, pair[which], &requests[which]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (fails && rank == 0) MPI_Bcast(numbers, 1, MPI_INT, -5, pair[0]);
    for (int turn = 0; turn < 2 * turns; ++turn) {
      int sum = 0;
      MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, pair[(turn + 1) % 2]);
      EXPECT(sum == ranks * (ranks - 1) / 2);
    }
    for (MPI_Comm& comm : pair) MPI_Comm_free(&comm);
  }
}

// Blocks that change with every call.
void uneven() {
  std::vector<int> counts(at(ranks));
  std::vector<int> places(at(ranks));
  for (int call = 0; call < 400; ++call) {
    int total = 0;
    for (int r = 0; r < ranks; ++r) {
      places[at(r)] = total;
      total += counts[at(r)] = r == call % ranks ? call : r;
    }
    const std::vector<int> mine(at(counts[at(rank)]), rank + call);
    std::vector<int> all(at(total), -1);
    MPI_Allgatherv(mine.data(), counts[at(rank)], MPI_INT, all.data(), counts.data(), places.data(), MPI_INT,
                   MPI_COMM_WORLD);
    for (int r = 0; r < ranks; ++r) {
      EXPECT(counts[at(r)] == 0 || all[at(places[at(r)] + counts[at(r)] - 1)] == r + call);
    }
  }
}

static int deletions = 0;
static int barrier_at_the_end(MPI_Comm, int, void*, void*) {
  ++deletions;
  int finalized = 1;
  MPI_Finalized(&finalized);
  int sum = 0;
  const int one = 1;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (finalized != 0 || sum != ranks) std::puts("a callback of MPI_Finalize is wrong");
  return MPI_SUCCESS;
}

static int sum_while_freed(MPI_Comm comm, int, void*, void*) {
  ++deletions;
  int sum = 0;
  const int one = 1;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  EXPECT(sum == ranks);
  return MPI_SUCCESS;
}

// Attributes whose deletion calls collectives, on the communicator that is freed too, set before and behind the
// library's own.
void attributes() {
  int last = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, barrier_at_the_end, &last, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, last, nullptr);
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, sum_while_freed, &key, nullptr);
  for (const bool early : {true, false}) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (early) MPI_Comm_set_attr(comm, key, nullptr);
    for (int turn = 0; turn < turns; ++turn) MPI_Barrier(comm);
    if (!early) MPI_Comm_set_attr(comm, key, nullptr);
    int same = MPI_UNEQUAL;
    MPI_Comm_compare(comm, MPI_COMM_WORLD, &same);
    EXPECT(same == MPI_CONGRUENT);
    MPI_Comm_free(&comm);
  }
  EXPECT(deletions == 2);
  MPI_Comm_free_keyval(&key);
}

// As many as the native library has contexts for, or nearly.
void many() {
#ifdef MPICH
  constexpr std::size_t communicators = 1500;
#else
  constexpr std::size_t communicators = 200;
#endif
  std::vector<MPI_Comm> all(communicators, MPI_COMM_NULL);
  for (MPI_Comm& comm : all) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    EXPECT(sum == ranks * (ranks - 1) / 2);
  }
  for (MPI_Comm& comm : all) MPI_Comm_free(&comm);
}

static long resident_pages() {
  std::ifstream file("/proc/self/statm");
  long all = 0;
  long resident = 0;
  file >> all >> resident;
  return resident;
}

// All ranks in ever new orders, of which few come twice: memory grows no more after a while.
void reordered() {
  constexpr int communicators = 2048;
  constexpr long most_pages = 1024;
  std::mt19937 numbers(static_cast<unsigned>(rank + 1));
  const auto make_all = [&] {
    for (int i = 0; i < communicators; ++i) {
      MPI_Comm comm = MPI_COMM_NULL;
      MPI_Comm_split(MPI_COMM_WORLD, 0, static_cast<int>(numbers() >> 1), &comm);
      for (int bytes = 16; bytes <= 1024; bytes *= 4) {
        std::vector<char> data(at(bytes), 'x');
        MPI_Bcast(data.data(), bytes, MPI_CHAR, 0, comm);
      }
      MPI_Comm_free(&comm);
    }
  };
  make_all();
  const long pages = resident_pages();
  make_all();
  EXPECT(resident_pages() - pages < most_pages);
}

// Non-blocking collectives, which native libraries progress inside any call that waits: the last rank waits for all of
// its own before it sends what the others wait for first.
void later() {
  const std::vector<int> ones(at(ranks), 1);
  std::vector<int> places(at(ranks));
  std::iota(places.begin(), places.end(), 0);
  std::vector<int> in(at(ranks), rank);
  std::vector<std::vector<int>> out(16, std::vector<int>(at(ranks), -1));
  const int* const x = in.data();
  const auto y = [&](int i) { return out[at(i)].data(); };
  const MPI_Comm world = MPI_COMM_WORLD;
  std::vector<MPI_Request> requests(16, MPI_REQUEST_NULL);
  MPI_Request* next = requests.data();
  MPI_Ibarrier(world, next++);
  if (rank == 0) y(0)[0] = 5;
  MPI_Ibcast(y(0), 1, MPI_INT, 0, world, next++);
  MPI_Ireduce(x, y(1), 1, MPI_INT, MPI_SUM, 0, world, next++);
  MPI_Iallreduce(x, y(2), 1, MPI_INT, MPI_SUM, world, next++);
  MPI_Iscan(x, y(3), 1, MPI_INT, MPI_SUM, world, next++);
  MPI_Iexscan(x, y(4), 1, MPI_INT, MPI_SUM, world, next++);
  MPI_Iscatter(x, 1, MPI_INT, y(5), 1, MPI_INT, 0, world, next++);
  MPI_Iscatterv(x, ones.data(), places.data(), MPI_INT, y(6), 1, MPI_INT, 0, world, next++);
  MPI_Igather(x, 1, MPI_INT, y(7), 1, MPI_INT, 0, world, next++);
  MPI_Igatherv(x, 1, MPI_INT, y(8), ones.data(), places.data(), MPI_INT, 0, world, next++);
  MPI_Iallgather(x, 1, MPI_INT, y(9), 1, MPI_INT, world, next++);
  MPI_Iallgatherv(x, 1, MPI_INT, y(10), ones.data(), places.data(), MPI_INT, world, next++);
  MPI_Ialltoall(x, 1, MPI_INT, y(11), 1, MPI_INT, world, next++);
  MPI_Ialltoallv(x, ones.data(), places.data(), MPI_INT, y(12), ones.data(), places.data(), MPI_INT, world, next++);
  MPI_Ireduce_scatter(x, y(13), ones.data(), MPI_INT, MPI_SUM, world, next++);
  MPI_Ireduce_scatter_block(x, y(14), 1, MPI_INT, MPI_SUM, world, next++);
  int token = rank;
  if (rank == ranks - 1) {
    MPI_Waitall(16, requests.data(), MPI_STATUSES_IGNORE);
    for (int r = 0; r < ranks - 1; ++r) MPI_Send(&token, 1, MPI_INT, r, 0, world);
  } else {
    MPI_Recv(&token, 1, MPI_INT, ranks - 1, 0, world, MPI_STATUS_IGNORE);
    MPI_Waitall(16, requests.data(), MPI_STATUSES_IGNORE);
  }
  const int sum = ranks * (ranks - 1) / 2;
  EXPECT(token == ranks - 1 && y(0)[0] == 5 && y(2)[0] == sum && y(3)[0] == rank * (rank + 1) / 2);
  EXPECT(y(9)[ranks - 1] == ranks - 1 && y(12)[ranks - 1] == ranks - 1 && y(14)[0] == sum);

  std::vector<MPI_Datatype> types(at(ranks), MPI_INT);
  std::vector<int> bytes(places);
  for (int& place : bytes) place *= static_cast<int>(sizeof(int));
  MPI_Alltoallw(x, ones.data(), bytes.data(), types.data(), y(15), ones.data(), bytes.data(), types.data(), world);
  EXPECT(y(15)[ranks - 1] == ranks - 1);
#if MPI_VERSION >= 4
  MPI_Request again = MPI_REQUEST_NULL;
  MPI_Bcast_init(&token, 1, MPI_INT, 0, world, MPI_INFO_NULL, &again);
  for (int turn = 0; turn < turns; ++turn) {
    token = rank + turn;
    MPI_Start(&again);
    MPI_Wait(&again, MPI_STATUS_IGNORE);
    EXPECT(token == turn);
  }
  MPI_Request_free(&again);
#endif
}

#if MPI_VERSION >= 4
void of_sessions() {
  MPI_Session session = MPI_SESSION_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "corners", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  MPI_Group_free(&group);
  for (int turn = 0; turn < turns; ++turn) {
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    EXPECT(sum == ranks * (ranks - 1) / 2);
  }
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
}
#else
void of_sessions() {}
#endif

// Starts two more ranks of this program, which call the same collectives as "child" below.
void spawn() {
  MPI_Comm children = MPI_COMM_NULL;
  // Behind the words of CHILDREN_BY, if it is set.
  const char* const first = std::getenv("CHILDREN_BY");
  std::istringstream text(std::string(first == nullptr ? "" : first) + " " + program + " child");
  std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  MPI_Comm_spawn(arguments[0], &arguments[1], 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
  MPI_Comm all = MPI_COMM_NULL;
  MPI_Intercomm_merge(children, 0, &all);
  for (int turn = 0; turn < turns; ++turn) {
    const int one = 1;
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all);
    EXPECT(sum == ranks + 2);
    MPI_Bcast(&sum, 1, MPI_INT, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, children);
  }
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&children);
}

void child() {
  MPI_Comm parents = MPI_COMM_NULL;
  MPI_Comm_get_parent(&parents);
  MPI_Comm all = MPI_COMM_NULL;
  MPI_Intercomm_merge(parents, 1, &all);
  for (int turn = 0; turn < turns; ++turn) {
    const int one = 1;
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all);
    MPI_Bcast(&sum, 1, MPI_INT, 0, parents);
  }
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&parents);
}
