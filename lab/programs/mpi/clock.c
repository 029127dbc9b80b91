/* Loaded before a program: rank 0 writes how long it took from its start to the end of MPI_Init, and from there to
 * MPI_Finalize, in seconds, to the file that CLOCK_FILE names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double loaded;
static double initialized;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

__attribute__((constructor)) static void note_start(void) {
  loaded = now();
}

static void note_end(void) {
  int rank = 1;
  const char* const name = getenv("CLOCK_FILE");
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  FILE* const file = rank == 0 && name ? fopen(name, "w") : NULL;
  if (!file) return;
  (void)fprintf(file, "%.6f %.6f\n", initialized - loaded, now() - initialized);
  (void)fclose(file);
}

#define HIDDEN(NAME, TYPE)    \
  static TYPE* hidden = NULL; \
  if (!hidden) hidden = (TYPE*)dlsym(RTLD_NEXT, NAME)
typedef int init(int*, char***);
typedef int init_thread(int*, char***, int, int*);
typedef int finalize(void);

#define CLOCK(PREFIX)                                                               \
  int PREFIX##Init(int* count, char*** words) {                                     \
    HIDDEN(#PREFIX "Init", init);                                                   \
    const int code = hidden(count, words);                                          \
    initialized = now();                                                            \
    return code;                                                                    \
  }                                                                                 \
  int PREFIX##Init_thread(int* count, char*** words, int required, int* provided) { \
    HIDDEN(#PREFIX "Init_thread", init_thread);                                     \
    const int code = hidden(count, words, required, provided);                      \
    initialized = now();                                                            \
    return code;                                                                    \
  }                                                                                 \
  int PREFIX##Finalize(void) {                                                      \
    HIDDEN(#PREFIX "Finalize", finalize);                                           \
    note_end();                                                                     \
    return hidden();                                                                \
  }
CLOCK(MPI_)
CLOCK(PMPI_)
