// Lets the ranks of an MPI program wait in the kernel instead of in a busy loop.
//
// MPICH on UCX waits by asking epoll_wait() for events, with a timeout of zero, again and again; Open MPI does the same
// by poll(), or by the epoll_wait() of libevent. Where there are more ranks than cores, a waiting rank thereby keeps
// its core from the very rank it waits for until its time slice ends, and every small collective costs tens of
// milliseconds. Preloaded into the ranks, this library recognises such a loop and lets its next call wait for an event,
// two milliseconds at most. The MPI library and its protocol are untouched: the same calls return the same events. It
// needs a transport that is driven by file descriptors: UCX_TLS=tcp,self for MPICH, which tests/support/mpirun and
// scripts/grid set; --mca btl tcp,self for Open MPI.
//
// With that transport MPICH's MPI_Finalize can hang; the second half of this file sees to that.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

int epoll_wait(int epfd, struct epoll_event* events, int maxevents, int timeout) {
  static int (*real)(int, struct epoll_event*, int, int);
  if (!real) real = (int (*)(int, struct epoll_event*, int, int))find_real("epoll_wait");
  if (timeout != 0) return real(epfd, events, maxevents, timeout);  // the caller waits by itself
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

// --- finalizing ------------------------------------------------------------------------------------------------------
//
// In MPI_Finalize a rank closes its connections, then waits for all the others by a blocking read() from the process
// manager. A peer that is still closing may need an answer from this rank's UCX worker, which nobody drives any more:
// both wait for ever. So, while finalizing, the worker is driven until the read has something to return.

static bool finalizing;
static void* worker;  // MPICH has one, and drives it from the thread that finalizes

static unsigned drive(void* which) {
  static unsigned (*real)(void*);
  if (!real) real = (unsigned (*)(void*))find_real("ucp_worker_progress");
  return real(which);
}

static bool readable(int fd) {
  struct pollfd one = {.fd = fd, .events = POLLIN};
  return real_poll(&one, 1, 0) != 0;
}

int MPI_Finalize(void) {
  static int (*real)(void);
  if (!real) real = (int (*)(void))find_real("MPI_Finalize");
  finalizing = true;
  return real();
}

unsigned ucp_worker_progress(void* which) {
  worker = which;
  return drive(which);
}

void ucp_worker_destroy(void* which) {
  static void (*real)(void*);
  if (!real) real = (void (*)(void*))find_real("ucp_worker_destroy");
  worker = NULL;
  real(which);
}

ssize_t read(int fd, void* buffer, size_t size) {
  static ssize_t (*real)(int, void*, size_t);
  static _Thread_local bool inside;  // the worker reads, too
  if (!real) real = (ssize_t(*)(int, void*, size_t))find_real("read");
  if (finalizing && !inside) {
    inside = true;
    while (worker && !readable(fd)) drive(worker);
    inside = false;
  }
  return real(fd, buffer, size);
}
