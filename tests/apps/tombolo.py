"""Runs the commands as users do, for the tests beside this file."""

import functools
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import numpy as np

TOMBOLO = str(Path(os.environ["TOMBOLO_BIN"]) / "tombolo")
MPIRUN = os.environ["TOMBOLO_MPIRUN"]
SECONDS = 60  # after which a command hangs

# Adds 1e-6 to one element of every product of more than two columns, of doubles.
WRONG_BLAS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
typedef void gemm(int, int, int, int, int, int, double, const double*, int, const double*, int, double, double*, int);
void cblas_dgemm(int order, int ta, int tb, int m, int n, int k, double alpha, const double* a, int lda,
                 const double* b, int ldb, double beta, double* c, int ldc) {
  ((gemm*)dlsym(RTLD_NEXT, "cblas_dgemm"))(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  if (m > 0 && n > 2) c[2] += 1e-6;
}
"""


class Result:
    """What a command left: its exit status, and what it said as data (out) and of errors (err)."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    def __str__(self):
        return f"exit status {self.status}\n--- stdout\n{self.out}--- stderr\n{self.err}"


def command(*arguments, ranks=0, through=()):
    """The words of a command line; ranks=0 starts it without mpiexec, `through` runs it through another program."""
    start = [MPIRUN, str(ranks)] if ranks else []
    return [*start, *through, TOMBOLO, *map(str, arguments)]


def run(*arguments, ranks=0, folder=None, through=()):
    environment = dict(os.environ)
    if not ranks:
        environment["ASAN_OPTIONS"] = "detect_leaks=0"  # of MPICH and UCX
        environment["UCX_TLS"] = "self"  # alone it needs no transport, and to look for all takes half of a short run
    done = subprocess.run(
        command(*arguments, ranks=ranks, through=through),
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    return Result(done.returncode, done.stdout, done.stderr)


def run_program(program, ranks, *through):
    """A hidden test case of test_framework_mpi, with messages and an end like those of a program."""
    words = [MPIRUN, str(ranks), *through, str(Path(os.environ["TOMBOLO_BIN"]) / "test_framework_mpi"), f"[.{program}]"]
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS)


@functools.cache
def compiled(source):
    """The path of a library of this C source, compiled once for all tests of a process, and the folder that holds it."""
    folder = tempfile.TemporaryDirectory()
    file, library = Path(folder.name, "preloaded.c"), Path(folder.name, "preloaded.so")
    file.write_text(source)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, file, "-ldl"], check=True)
    return library, folder  # which goes with the process


def send(processes, number):
    """Sends a signal to each of the processes."""
    for process in processes:
        os.kill(process, number)


def status_of(process, field):
    """What the kernel says of a process: the first word behind the field of its status."""
    return Path(f"/proc/{process}/status").read_text().split(field)[1].split()[0]


class TestCase(unittest.TestCase):
    """A test with an empty folder of its own, in which its commands run."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def run_here(self, *arguments, ranks=0, through=()):
        return run(*arguments, ranks=ranks, folder=self.folder, through=through)

    def processes_of(self, program=TOMBOLO):
        """The ids of the processes of a program, such as ranks, that run in this test's folder, in their order."""
        found = []
        program, folder = os.stat(program), os.stat(self.folder)
        for process in filter(str.isdigit, os.listdir("/proc")):  # quickly, for tests look again and again
            try:
                if (os.path.samestat(os.stat(f"/proc/{process}/exe"), program)
                        and os.path.samestat(os.stat(f"/proc/{process}/cwd"), folder)):
                    found.append(int(process))
            except OSError:
                pass  # it has ended, or is somebody else's
        return sorted(found)

    def signal_through(self, mpiexec, ranks, number):
        """Sends a signal to mpiexec, which tells the ranks in its own time: they are stopped until each has got it."""
        send(ranks, signal.SIGSTOP)
        self.wait_until(lambda: all(status_of(rank, "State:") == "T" for rank in ranks), "the ranks do not stop")
        os.kill(mpiexec, number)
        self.wait_until(lambda: all(int(status_of(rank, "ShdPnd:"), 16) >> (number - 1) & 1 for rank in ranks),
                        f"mpiexec does not pass on signal {number}")
        send(ranks, signal.SIGCONT)

    def wait_until(self, true, complaint):
        end = time.monotonic() + SECONDS
        while not true():
            self.assertLess(time.monotonic(), end, complaint)
            time.sleep(0.01)

    def preloading(self, source):
        """What a command is to be run `through` so that it has this C source as a library before all others."""
        library, _ = compiled(source)
        return ("bash", "-c", f'LD_PRELOAD="$LD_PRELOAD {library}" exec "$@"', "bash")

    def save_damaged(self, name):
        """Saves files that a matrix of 6 x 4 doubles became by damage: their names, and words of what is said of them."""
        whole = (self.folder / name).read_bytes()
        for name, content, words in [
            ("empty.npy", b"", ["empty.npy", "it is empty", "numpy.save"]),
            ("text.npy", b"1 2 3\n4 5 6\n", ["text.npy", "1 2 3", "numpy.save"]),
            ("header.npy", whole[:100], ["header.npy", "cut short", "100"]),
            ("data.npy", whole[:-8], ["data.npy", "cut short", "192", "184"]),
        ]:
            (self.folder / name).write_bytes(content)
            yield name, words

    def save(self, name, array):
        np.save(self.folder / name, array)
        return name

    def save_empty(self, name, shape):
        """A matrix without elements, of any dimensions."""
        with open(self.folder / name, "wb") as file:
            np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": shape})
        return name

    def load(self, name):
        return np.load(self.folder / name)

    def report(self, name="report.json"):
        return json.loads((self.folder / name).read_text())

    def succeed(self, *arguments, ranks=0):
        """Runs it; it must exit with 0 and say nothing on stderr."""
        result = self.run_here(*arguments, ranks=ranks)
        self.assertEqual((result.status, result.err), (0, ""), f"{arguments}\n{result}")
        return result

    def fail_with(self, words, *arguments, ranks=0, through=()):
        """Runs it; it must say, in one line on stderr that holds all the words, what is wrong, and leave no file."""
        before = set(self.folder.iterdir())
        result = self.run_here(*arguments, ranks=ranks, through=through)
        text = f"{arguments}\n{result}"
        self.assertNotEqual(result.status, 0, text)
        self.assertEqual(result.out, "", text)  # nor a banner of mpiexec's
        self.assertRegex(result.err, r"\Atombolo: [^\n]+; [^\n]+\n\Z", text)
        for word in words:
            self.assertIn(word, result.err)
        self.assertEqual(set(self.folder.iterdir()), before, text)
        return result
