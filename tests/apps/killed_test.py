"""What signals leave of a command that reads, computes and writes: the old file or the new one, and nothing beside it."""

import os
import signal
import subprocess
import time
import unittest
from pathlib import Path

import numpy as np

import tombolo

SIZE = 1500
OLD = np.zeros(3)
TIMES = int(os.environ.get("TOMBOLO_ENDINGS", 1))  # for whoever changes how runs end
SECONDS = 20  # though a busy machine may end ranks slowly


class Killed(tombolo.TestCase):
    def setUp(self):
        super().setUp()
        self.save("a.npy", np.ones((SIZE, SIZE)))
        self.save("c.npy", OLD)

    def ranks(self):
        """The ids of the ranks that run in this test's folder, in their order."""
        if len(self.known) == 2 and all(Path(f"/proc/{rank}/cwd").exists() for rank in self.known):
            return self.known  # to look at all processes takes longer than to read a file
        self.known = self.processes_of()
        return self.known

    def has_open(self, rank, *names):
        try:
            opened = [os.readlink(f"/proc/{rank}/fd/{file}") for file in os.listdir(f"/proc/{rank}/fd")]
            return any(name in file for name in names for file in opened)
        except OSError:
            return False

    def reading(self):
        return any(self.has_open(rank, "/a.npy") for rank in self.ranks())

    def computing(self):
        return len(self.ranks()) == 2 and time.monotonic() > self.begin + 0.5

    def writing(self):
        # The file has no name but its number, or one of its own.
        return any(self.has_open(rank, f"{self.folder}/#", f"{self.folder}/.c.npy") for rank in self.ranks())

    def kill(self, number, whom, when, command, through=()):
        self.begin = time.monotonic()
        self.known = []
        run = subprocess.Popen(
            tombolo.command(*command, ranks=2, through=through), cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )
        while run.poll() is None and not when():
            time.sleep(0.001 if len(self.known) == 2 else 0.005)  # to start takes longer than a phase
        victims = [run.pid] if whom == "mpiexec" else self.ranks()[whom : whom + 1]
        for victim in victims:
            try:
                os.kill(victim, number)
            except ProcessLookupError:
                pass  # it was faster
        run.wait(timeout=SECONDS)
        end = time.monotonic() + SECONDS
        while self.ranks() and time.monotonic() < end:
            time.sleep(0.01)
        self.assertEqual(self.ranks(), [])

    def check_target(self):
        self.assertIn(self.load("c.npy").shape, [OLD.shape, (SIZE, SIZE)])

    def test_nothing_is_left_and_the_target_is_whole(self):
        command = ("matmul", "--a", "a.npy", "--b", "a.npy", "--c", "c.npy")
        # SIGKILL, which nobody heeds, to all of them; the two that ranks heed part them between each other.
        for when, number, victims in (
            (self.reading, signal.SIGINT, ["mpiexec"]), (self.reading, signal.SIGTERM, [0]),
            (self.reading, signal.SIGKILL, ["mpiexec", 0]),
            (self.computing, signal.SIGINT, [1]), (self.computing, signal.SIGTERM, [1]), (self.computing, signal.SIGKILL, [1]),
            (self.writing, signal.SIGINT, [0, 1]), (self.writing, signal.SIGTERM, ["mpiexec", 0]),
            (self.writing, signal.SIGKILL, ["mpiexec", 0, 1]),
        ):
            for whom in victims if TIMES == 1 else ["mpiexec", 0, 1] * TIMES:
                with self.subTest(when=when.__name__, number=number, whom=whom):
                    self.save("c.npy", OLD)
                    self.kill(number, whom, when, command)
                    self.check_target()
                    self.assertEqual({file.name for file in self.folder.iterdir()}, {"a.npy", "c.npy"})

    def test_the_next_run_removes_what_a_kill_has_left_on_files_that_hosts_share(self):
        apart = ("env", "MPIR_CVAR_NOLOCAL=1")  # each rank is on a host of its own, MPICH is told
        command = ("transpose", "--in", "a.npy", "--out", "c.npy")
        left = set()
        for _ in range(5):
            self.kill(signal.SIGKILL, 0, self.writing, command, through=apart)
            self.check_target()
            left = {file.name for file in self.folder.iterdir()} - {"a.npy", "c.npy"}
            self.assertLessEqual(len(left), 1)  # each removes what the one before has left
            if left:
                break
        self.assertTrue(left)
        self.assertEqual(self.run_here(*command, ranks=2, through=apart).status, 0)
        self.assertEqual({file.name for file in self.folder.iterdir()}, {"a.npy", "c.npy"})


if __name__ == "__main__":
    unittest.main()
