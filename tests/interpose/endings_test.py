"""Unmodified programs end under tombolo-run as they end natively, and leave nothing behind."""

import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import starting

SECONDS = 180
MARK = "TOMBOLO_ENDING_OF"
RANKS = 4


def belonging(mark):
    """The processes that have this mark in their environment."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (process / "environ").read_bytes().split(b"\0"):
                found.add(int(process.name))
        except OSError:
            pass  # it has ended, or is somebody else's
    return found


class Endings(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.runs = 0

    def start(self, mpi, how, planned):
        self.runs += 1
        self.mpi = mpi
        self.mark = f"{self.folder}/{self.runs}"
        program = [starting.BIN / f"endings_{mpi}", how]
        # All that is written beside stdout goes here: kept plans, sessions of launchers.
        private = {"TMPDIR": self.mark, MARK: self.mark}
        Path(self.mark).mkdir()
        words = starting.command(mpi, RANKS, program, self.folder / "cache", planned=planned)
        return subprocess.Popen(words, env=dict(starting.environment(), **private), stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)

    def end(self, run):
        """Its status and stdout, after all that belongs to it has gone."""
        try:
            output, errors = run.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            raise
        latest = time.monotonic() + SECONDS
        while belonging(self.mark) and time.monotonic() < latest:
            time.sleep(0.05)
        self.assertEqual(belonging(self.mark), set())
        return run.returncode, output, errors

    def both(self, how, act=lambda run: None):
        """Statuses and outputs, native and planned, of both MPI libraries."""
        for mpi in starting.libraries("endings"):
            for planned in (False, True):
                with self.subTest(mpi=mpi, how=how, planned=planned):
                    shared = set(os.listdir("/dev/shm"))
                    run = self.start(mpi, how, planned)
                    act(run)
                    status, output, errors = self.end(run)
                    self.assertEqual("plans collectives" in errors, planned, errors)
                    self.assertNotIn("a wrong sum", output)
                    self.assertNotIn("a child ended in another way", output)
                    self.assertEqual(set(os.listdir("/dev/shm")) - shared, set())
                    self.assertEqual(list((self.folder / "cache").rglob("*.tmp")), [])  # a file that is not whole
                    yield status, output

    def test_statuses_are_those_of_the_program(self):
        for status, output in self.both("finalize"):
            self.assertEqual((status, output), (0, "after MPI_Finalize\n"))
        for status, output in self.both("status"):
            self.assertEqual((status, output), (7, "after MPI_Finalize\n"))

    def test_forked_children_end_as_they_like(self):
        for status, output in self.both("fork"):
            self.assertEqual((status, output), (0, "after MPI_Finalize\n"))

    def test_a_rank_that_aborts_ends_the_run_with_its_status(self):
        for status, output in self.both("abort"):
            self.assertEqual(status, 7)
            self.assertNotIn("after MPI_Finalize", output)

    def test_a_rank_that_exits_or_is_killed_ends_the_run(self):
        for how in ("exit", "kill"):
            for status, output in self.both(how):  # that of the rank, or of those that the launcher kills then
                self.assertNotEqual(status, 0)
                self.assertNotIn("after MPI_Finalize", output)

    def test_an_interrupted_run_is_gone(self):
        def interrupt(run):
            line = run.stdout.readline()
            self.assertEqual(line, "on and on\n")
            os.kill(run.pid, signal.SIGINT)

        for status, _ in self.both("forever", interrupt):
            if self.mpi != "mpich":  # whose launcher ends with 0 at times, natively too
                self.assertNotEqual(status, 0)

    def test_ranks_of_mpich_over_tcp_that_poll_end(self):
        """Without libwait_in_kernel.so, which has a cure of its own: natively, nine of ten such runs of eight ranks on
        two cores wait in MPI_Finalize for ever."""
        for run in range(2):
            words = ["mpiexec.mpich", "-genv", "UCX_TLS", "tcp,self", "-genv", "UCX_NET_DEVICES", "lo", "-n", "8", "env",
                     f"LD_PRELOAD={starting.LIBRARIES}/libseveral_hosts_mpich.so",
                     f"TOMBOLO_LIBRARIES={starting.LIBRARIES}", f"TOMBOLO_CACHE={self.folder}/cache",
                     starting.TOMBOLO_RUN, str(starting.BIN / "endings_mpich")]
            done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS)
            self.assertEqual((done.returncode, done.stdout), (0, "after MPI_Finalize\n"), f"{run}: {done.stderr}")


if __name__ == "__main__":
    unittest.main()
