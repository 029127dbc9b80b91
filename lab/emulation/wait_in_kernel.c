// Lets the ranks of an MPI program wait in the kernel instead of in a busy loop.
//
// MPICH on UCX waits by asking epoll_wait() for events, with a timeout of zero, again and again; Open MPI does the same
// by poll(), or by the epoll_wait() of libevent. Where there are more ranks than cores, a waiting rank thereby keeps
// its core from the very rank it waits for until its time slice ends, and every small collective costs tens of
// milliseconds. Preloaded into the ranks, this library recognises such a loop and lets its next call wait for an event,
// two milliseconds at most. The MPI library and its protocol are untouched: the same calls return the same events.
//
// Over TCP (UCX_TLS=tcp,self for MPICH, --mca btl tcp,self for Open MPI) the call that waits is epoll_wait() or poll()
// itself. Shared memory has no file descriptor. Where UCX_TLS names posix or sysv, UCX's wakeup feature is switched on,
// by which a sender signals a receiver that sleeps; then ucp_worker_progress() is the call that waits, for any message.
//
// Over TCP MPICH's MPI_Finalize can hang; the last part of this file sees to that.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

// The function of this name that would have been called without this library.
static void* find_real(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found) return found;
  (void)fprintf(stderr, "wait_in_kernel: no %s in this program; preload this library only into MPI programs\n", name);
  abort();
}

// --- waiting ---------------------------------------------------------------------------------------------------------

enum {
  LOOP_CALLS = 2,           // so many empty calls in a row are a busy loop,
  LOOP_GAP_NS = 20 * 1000,  // if the caller did less than this between one call and the next;
  WAIT_MS = 2               // then a call waits, this long at most
};

static _Thread_local int empty_calls;
static _Thread_local int64_t last_call_ended_ns;

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Whether a call that asks for no wait is one of a busy loop. It has to be told what came of the call, by called().
static bool in_busy_loop(void) {
  if (now_ns() - last_call_ended_ns > LOOP_GAP_NS) empty_calls = 0;  // it computes and looks in now and then
  return empty_calls >= LOOP_CALLS;
}

// What the caller gets that asked for no wait: `ready` as the real call returned it.
static int called(int ready) {
  if (ready < 0 && errno == EINTR) ready = 0;  // only a wait can be interrupted, and the caller asked for none
  if (ready != 0) {
    empty_calls = 0;
  } else if (empty_calls < LOOP_CALLS) {
    ++empty_calls;
  }
  last_call_ended_ns = now_ns();
  return ready;
}

// The file descriptor that tells of messages to a worker of UCX, shared memory included; -1: it has none.
static int worker_events = -1;
static bool inside_worker;  // its own calls return at once

int epoll_wait(int epfd, struct epoll_event* events, int maxevents, int timeout) {
  static int (*real)(int, struct epoll_event*, int, int);
  if (!real) real = (int (*)(int, struct epoll_event*, int, int))find_real("epoll_wait");
  // The caller waits by itself, or its caller does.
  if (timeout != 0 || inside_worker) return real(epfd, events, maxevents, timeout);
  return called(real(epfd, events, maxevents, in_busy_loop() ? WAIT_MS : 0));
}

static int real_poll(struct pollfd* watched, nfds_t count, int timeout) {
  static int (*real)(struct pollfd*, nfds_t, int);
  if (!real) real = (int (*)(struct pollfd*, nfds_t, int))find_real("poll");
  return real(watched, count, timeout);
}

int poll(struct pollfd* watched, nfds_t count, int timeout) {
  if (timeout != 0 || count == 0) return real_poll(watched, count, timeout);
  return called(real_poll(watched, count, in_busy_loop() ? WAIT_MS : 0));
}

// MPICH's calls on many requests look for events after every eighth of them, too, and look at none of them again before
// the last: one that has completed meanwhile would lie there while the next look waits.
__attribute__((constructor)) static void look_at_all_requests_first(void) {
  (void)setenv("MPIR_CVAR_REQUEST_POLL_FREQ", "1000000000", 0);
}

// --- UCX over shared memory ------------------------------------------------------------------------------------------

// The first members of ucp_params_t, and what is used of UCX's interface (ucp.h), which need not be installed.
struct ucp_params {
  uint64_t field_mask;
  uint64_t features;
};
enum { UCX_OK = 0, FEATURE_WAKEUP = 1 << 4 };

static bool shares_memory(void) {
  const char* transports = getenv("UCX_TLS");
  return transports && (strstr(transports, "posix") || strstr(transports, "sysv"));
}

int ucp_init_version(unsigned major, unsigned minor, struct ucp_params* params, const void* config, void** context) {
  static int (*real)(unsigned, unsigned, struct ucp_params*, const void*, void**);
  if (!real) {
    real = (int (*)(unsigned, unsigned, struct ucp_params*, const void*, void**))find_real("ucp_init_version");
  }
  if (shares_memory()) params->features |= FEATURE_WAKEUP;
  return real(major, minor, params, config, context);
}

int ucp_worker_create(void* context, const void* params, void** created) {
  static int (*real)(void*, const void*, void**);
  static int (*events_of)(void*, int*);
  if (!real) real = (int (*)(void*, const void*, void**))find_real("ucp_worker_create");
  const int status = real(context, params, created);
  if (status == UCX_OK && shares_memory()) {
    if (!events_of) events_of = (int (*)(void*, int*))find_real("ucp_worker_get_efd");
    if (events_of(*created, &worker_events) != UCX_OK) worker_events = -1;
  }
  return status;
}

// Returns once the worker may have something to do, or after a wait.
static void wait_for_worker(void* which) {
  static int (*arm)(void*);
  if (!arm) arm = (int (*)(void*))find_real("ucp_worker_arm");
  inside_worker = true;
  const bool idle = arm(which) == UCX_OK;
  inside_worker = false;
  if (!idle) return;  // there is something already
  struct pollfd one = {.fd = worker_events, .events = POLLIN};
  (void)real_poll(&one, 1, WAIT_MS);
}

// --- finalizing ------------------------------------------------------------------------------------------------------
//
// In MPI_Finalize a rank closes its connections, then waits for all the others by a blocking read() from the process
// manager. A peer that is still closing may need an answer from this rank's UCX worker, which nobody drives any more:
// both wait for ever. So, while finalizing, the worker is driven until the read has something to return.

static _Thread_local bool finalizing;  // UCX's own thread reads, too, while the worker is driven or destroyed
static void* worker;                   // MPICH has one, and drives it from the thread that finalizes

static unsigned drive(void* which) {
  static unsigned (*real)(void*);
  if (!real) real = (unsigned (*)(void*))find_real("ucp_worker_progress");
  return real(which);
}

static bool readable(int fd) {
  struct pollfd one = {.fd = fd, .events = POLLIN};
  return real_poll(&one, 1, 0) != 0;
}

static int finalize_by(const char* name) {
  int (*const real)(void) = (int (*)(void))find_real(name);
  finalizing = true;
  return real();
}

int MPI_Finalize(void) {
  return finalize_by("MPI_Finalize");
}

int PMPI_Finalize(void) {  // by which MPICH's module mpi_f08 calls it
  return finalize_by("PMPI_Finalize");
}

unsigned ucp_worker_progress(void* which) {
  worker = which;
  if (worker_events < 0) return drive(which);
  if (in_busy_loop()) wait_for_worker(which);
  inside_worker = true;
  const unsigned done = drive(which);
  inside_worker = false;
  return (unsigned)called((int)done);
}

void ucp_worker_destroy(void* which) {
  static void (*real)(void*);
  if (!real) real = (void (*)(void*))find_real("ucp_worker_destroy");
  worker = NULL;
  worker_events = -1;
  real(which);
}

ssize_t read(int fd, void* buffer, size_t size) {
  static ssize_t (*real)(int, void*, size_t);
  static _Thread_local bool inside;  // the worker reads, too
  if (!real) real = (ssize_t(*)(int, void*, size_t))find_real("read");
  if (finalizing && !inside && !inside_worker) {
    inside = true;
    while (worker && !readable(fd)) drive(worker);
    inside = false;
  }
  return real(fd, buffer, size);
}
