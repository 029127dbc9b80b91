"""What tests of runs that end in the middle, and go on from their finished panels, have in common."""

import os
import re
import signal
import subprocess
import time

import numpy as np

import tombolo

SECONDS = 120  # though a busy machine may be slow
ENDS_WITHIN = 10  # seconds, from the failure of a rank to the end of all
M, N, K = 900, 300, 400
LINES, WIDTH = 3300, 2900

# To be preloaded: a disk that takes its time for each panel, so that a signal comes before the last. The statuses of the
# ranks go to a file of their own: mpiexec, told to end them, returns 0 now and then whatever theirs are (MPICH 4.0.2).
SLOW_DISK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void ends(int status, void* file) {
  dprintf(open(file, O_WRONLY | O_CREAT | O_APPEND, 0600), "%d\n", status);
}
__attribute__((constructor)) static void starts(void) { on_exit(ends, "statuses"); }
static int slowly(const char* name, int file) {
  usleep(50000);
  return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
}
int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
"""


class TestCase(tombolo.TestCase):
    lines = least = None  # the matrix of t.npy and the least memory for it, once they are known

    def setUp(self):
        super().setUp()
        random = np.random.default_rng(3)
        self.save("a.npy", random.uniform(-1, 1, (M, K)))
        self.save("b.npy", np.asfortranarray(random.uniform(-1, 1, (K, N))))

    def matmul(self, *more, every="0.0002s"):
        return ("matmul", "--a", "a.npy", "--b", "b.npy", "--c", "c.npy", "--checkpoint-every", every, "--report", "r.json",
                "--collectives", "native", *more)

    def transpose(self, *more, memory=None):
        if self.lines is None:
            TestCase.lines = np.random.default_rng(4).uniform(-1, 1, (LINES, WIDTH))
        if not (self.folder / "t.npy").exists():
            self.save("t.npy", self.lines)
        if self.least is None:
            refused = self.run_here("transpose", "--in", "t.npy", "--out", "c.npy", "--memory", "20M", ranks=3)
            TestCase.least = int(re.search(r"give at least (\d+)M", refused.err)[1])
        return ("transpose", "--in", "t.npy", "--out", "c.npy", "--memory", memory or f"{self.least}M", "--report", "r.json",
                "--collectives", "native", *more)

    def recorded(self, folder="."):
        """The number of finished panels in the journal."""
        try:
            return max((self.folder / folder / "c.npy.partial.journal").read_bytes().count(b"\n") - 1, 0)
        except OSError:
            return 0

    def start(self, command, ranks, panels, through=(), folder="."):
        """Starts a run and waits until so many panels are recorded."""
        run = subprocess.Popen(tombolo.command(*command, ranks=ranks, through=through), cwd=self.folder,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)
        end = time.monotonic() + SECONDS
        while len(self.processes_of()) < ranks and run.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        self.started = self.processes_of()
        while self.recorded(folder) < panels and run.poll() is None and time.monotonic() < end:
            time.sleep(0.001)
        self.assertIsNone(run.poll(), "it has ended before it was disturbed")
        return run

    def disturb(self, command, ranks, panels, number=signal.SIGKILL, whom=0, through=()):
        """Sends a signal to mpiexec or one of the ranks once so many panels are recorded; returns how many are then."""
        run = self.start(command, ranks, panels, through)
        if whom == "mpiexec":
            self.signal_through(run.pid, self.started, number)
        else:
            os.kill(self.started[whom], number)
        begin = time.monotonic()
        self.err = run.communicate(timeout=SECONDS)[1]
        while self.processes_of() and time.monotonic() < begin + ENDS_WITHIN:
            time.sleep(0.01)
        self.assertEqual(self.processes_of(), [])
        if whom != "mpiexec":
            self.assertNotEqual(run.returncode, 0)
        self.assertFalse((self.folder / "c.npy").exists())
        self.assertGreaterEqual(self.recorded(), panels)
        return self.recorded()

    def check_result(self, of):
        if of == "matmul":
            np.testing.assert_allclose(self.load("c.npy"), self.load("a.npy") @ self.load("b.npy"), rtol=0, atol=1e-11)
        else:
            self.assertTrue(np.array_equal(self.load("c.npy"), self.lines.T))
        self.assertFalse(list(self.folder.glob("c.npy.*")))
        (self.folder / "c.npy").unlink()

    def finish(self, command, ranks, before):
        """Resumes it; no panel that was recorded is done again."""
        done = self.succeed(*command, "--resume", ranks=ranks)
        self.assertIn("\nverified: ", done.out)
        panels = self.report("r.json")["panels"]
        self.assertEqual(panels["finished_before"], before)
        self.assertEqual(panels["done"], panels["all"] - before)
        self.check_result(command[0])
        return panels
