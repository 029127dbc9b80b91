/* A program that ends in the way that its first argument names, in the midst of collective calls. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 4096, ROUNDS = 6, STATUS = 7 };

static double values[COUNT];
static double sums[COUNT];

static void collectives(int rank) {
  for (int round = 0; round < ROUNDS; ++round) {
    values[0] = rank + round;
    MPI_Bcast(values + 1, COUNT - 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allreduce(values, sums, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
}

/* Children that end by exit(), which runs what libraries do then, by _exit(), and as another program. */
static int forked(void) {
  int wrong = 0;
  for (int child = 0; child < 3; ++child) {
    const pid_t made = fork();
    if (made == 0) {
      if (child == 0) exit(STATUS);
      if (child == 1) _exit(STATUS);
      /* Libraries of tombolo-run are for the ranks. */
      execl("/bin/sh", "sh", "-c", "case $LD_PRELOAD in *libtombolo*) exit 1 ;; esac; exit 7", (char*)NULL);
      _exit(1);
    }
    int status = 0;
    if (waitpid(made, &status, 0) != made || !WIFEXITED(status) || WEXITSTATUS(status) != STATUS) ++wrong;
  }
  return wrong;
}

int main(int count, char** words) {
  const char* const how = count > 1 ? words[1] : "finalize";
  int rank = 0;
  int ranks = 0;
  if (!strcmp(how, "moves") && chdir("/") != 0) return 1;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  collectives(rank);
  const int last = rank == ranks - 1;
  if (!strcmp(how, "abort") && last) MPI_Abort(MPI_COMM_WORLD, STATUS);
  if (!strcmp(how, "exit") && last) exit(STATUS);
  if (!strcmp(how, "kill") && last) raise(SIGKILL);
  if (!strcmp(how, "fork") && forked() > 0) {
    puts("a child ended in another way");
    (void)fflush(stdout);
  }
  if (!strcmp(how, "starts") && rank == 0 && system(words[2]) != 2 << 8) puts("it was not refused");
  if (!strcmp(how, "forever") && rank == 0) {
    puts("on and on");
    (void)fflush(stdout);
  }
  do {
    collectives(rank);
  } while (!strcmp(how, "forever"));
  const double right = ranks * (ranks - 1) / 2. + ranks * (ROUNDS - 1.);
  if (sums[0] != right) puts("a wrong sum");
  MPI_Finalize();
  if (rank == 0) puts("after MPI_Finalize");
  if (strcmp(how, "status") != 0 || rank != 0) return 0;
  /* At a status that is not 0, Open MPI's mpiexec ends the others at once, and may not read what is under way. */
  (void)fflush(stdout);
  sleep(1);
  return STATUS;
}
