"""Programs that are killed or told to end, and go on from their checkpoints on other ranks."""

import os
import re
import signal
import subprocess
import time
import unittest
from pathlib import Path

import numpy as np

import tombolo

PROGRAM = str(Path(os.environ["TOMBOLO_BIN"]) / "example_jacobi")
SECONDS = 180  # though a busy machine may be slow
ENDS_WITHIN = 10  # seconds, from the failure of a rank to the end of all
PLATE = (301, 257)
ITERATIONS = 400  # a thousand take a tenth of a second
EVERY = "50 passes"
LONG = 20_000  # of which a run does a part until it is killed

# Stops the rank that writes checkpoints in its third save, so that the run waits there to be disturbed.
STOPS_IN_THIRD_SAVE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
int rename(const char* from, const char* to) {
  static int saves;
  if (strstr(to, "/state.json") != NULL && ++saves == 3) raise(SIGSTOP);
  return ((int (*)(const char*, const char*))dlsym(RTLD_NEXT, "rename"))(from, to);
}
"""


class Checkpoints(tombolo.TestCase):
    known = {}  # what undisturbed runs have left, by what they read

    def setUp(self):
        super().setUp()
        self.save("in.npy", np.random.default_rng(2).uniform(-1, 1, PLATE))

    def command(self, ranks, *more, out="out.npy", through=(), iterations=ITERATIONS):
        return [tombolo.MPIRUN, str(ranks), *through, PROGRAM, "in.npy", out, "--iterations", str(iterations), "--tolerance",
                "0", *more]

    def run_all(self, command):
        return subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=SECONDS)

    def undisturbed(self):
        right = self.folder / "right.npy"
        plate = (self.folder / "in.npy").read_bytes()
        if plate not in self.known:
            done = self.run_all(self.command(2, out="right.npy"))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.known[plate] = re.search(r"iterations \d+ change \S+", done.stdout)[0], right.read_bytes()
        said, content = self.known[plate]
        right.write_bytes(content)
        return said

    def ranks(self):
        return self.processes_of(PROGRAM)

    def saved(self):
        """The numbers of the checkpoints that lie there."""
        numbers = []
        for path in self.folder.glob("saved/jacobi/*/state.json"):
            try:
                numbers.append(int(re.search(r'"number": ?(\d+)', path.read_text())[1]))
            except (OSError, TypeError):
                pass  # it is just being replaced
        return numbers

    def disturb(self, ranks, number, whom, *more):
        """Starts a run, sends a signal to mpiexec or one of the ranks in the third save, and returns its stderr."""
        saved = max(self.saved(), default=0)
        run = subprocess.Popen(
            self.command(ranks, "--checkpoint", "saved", "--checkpoint-every", EVERY, *more,
                         through=self.preloading(STOPS_IN_THIRD_SAVE)),
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True,
        )
        self.wait_until(lambda: any(tombolo.status_of(rank, "State:") == "T" for rank in self.ranks())
                        or run.poll() is not None, "no rank saves thrice")
        self.assertIsNone(run.poll(), "it has ended before it was disturbed")
        self.assertEqual(max(self.saved()), saved + 2)
        if whom == "mpiexec":
            self.signal_through(run.pid, self.ranks(), number)
        else:
            os.kill(self.ranks()[whom], number)
        begin = time.monotonic()
        err = run.communicate(timeout=SECONDS)[1]
        while self.ranks() and time.monotonic() < begin + ENDS_WITHIN:
            time.sleep(0.01)
        self.assertEqual(self.ranks(), [])
        self.assertFalse((self.folder / "out.npy").exists())
        return err

    def finish(self, ranks, right, *more):
        done = self.run_all(self.command(ranks, "--checkpoint", "saved", "--resume", *more))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertIn(right, done.stdout)
        np.testing.assert_array_equal(self.load("out.npy"), self.load("right.npy"))
        (self.folder / "out.npy").unlink()
        self.assertEqual(self.saved(), [])
        return done

    def test_after_a_kill_on_other_ranks(self):
        right = self.undisturbed()
        for before, after in ((3, 5), (3, 1), (1, 3), (2, 8)):
            with self.subTest(before=before, after=after):
                self.disturb(before, signal.SIGKILL, before - 1)
                self.finish(after, right)

    def test_killed_twice(self):
        right = self.undisturbed()
        self.disturb(5, signal.SIGKILL, 0)
        self.disturb(2, signal.SIGKILL, 1, "--resume")
        done = self.finish(3, right, "--explain")
        self.assertRegex(done.stdout, r"saved \d+ times in saved/jacobi, .* went on after \d+ passes of sweep, made on 2")

    def end_by(self, number, ranks):
        """Sends the signal to mpiexec: all ranks end by it, and say where it goes on."""
        err = self.disturb(ranks, number, "mpiexec")
        line = re.search(r"jacobi: program jacobi was ended by signal (\d+); --resume goes on from its "
                         r"checkpoint after (\d+) passes of sweep in saved/jacobi", err)
        self.assertTrue(line, err)
        self.assertEqual(int(line[1]), number)

    def test_after_sigterm_and_sigint(self):
        right = self.undisturbed()
        for number, before, after in ((signal.SIGTERM, 3, 2), (signal.SIGINT, 1, 5)):  # and below either to three
            with self.subTest(number=number, before=before, after=after):
                self.end_by(number, before)
                self.finish(after, right)

    def test_a_signal_to_ranks_that_are_left_out(self):
        self.save("in.npy", np.random.default_rng(2).uniform(-1, 1, (9, 7)))
        right = self.undisturbed()
        self.assertIn("on 1 of 3 ranks", self.run_all(self.command(3, "--explain", out="right.npy")).stdout)
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number=number):
                self.end_by(number, 3)
                self.finish(3, right)

    def test_a_full_disk_leaves_the_older_checkpoint(self):
        if os.geteuid() != 0:
            self.skipTest("only root mounts a small file system")
        right = self.undisturbed()
        small = self.folder / "saved"
        small.mkdir()
        bytes_of_one = 2 * 8 * PLATE[0] * PLATE[1]  # now and next
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={bytes_of_one * 3 // 2}", "tmpfs", str(small)],
                                 capture_output=True)
        if mounted.returncode != 0:
            self.skipTest(f"no file system can be mounted: {mounted.stderr.decode().strip()}")
        try:
            done = self.run_all(self.command(3, "--checkpoint", "saved", "--checkpoint-every", EVERY))
            self.assertEqual(done.returncode, 0, done)
            self.assertRegex(done.stderr, r"tombolo: jacobi: not saved after 100 passes of sweep: cannot write [^\n]*No "
                                          r"space left on device[^\n]*; the checkpoint after 50 passes of sweep stays\n")
            self.assertIn(right, done.stdout)
            (self.folder / "out.npy").unlink()
            run = subprocess.Popen(self.command(3, "--checkpoint", "saved", "--checkpoint-every", EVERY, iterations=LONG),
                                   cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
            self.assertIn("not saved after 100", run.stderr.readline())
            os.kill(self.ranks()[0], signal.SIGKILL)
            run.communicate(timeout=SECONDS)
            self.assertEqual(self.saved(), [1])
            done = self.run_all(self.command(2, "--checkpoint", "saved", "--resume"))
            self.assertEqual(done.returncode, 0, done)
            self.assertIn(right, done.stdout)
            np.testing.assert_array_equal(self.load("out.npy"), self.load("right.npy"))
        finally:
            subprocess.run(["umount", str(small)], check=True)

    def test_what_cannot_be_resumed(self):
        self.disturb(3, signal.SIGKILL, 0)
        kept = self.saved()
        refusals = (
            ([], "holds a checkpoint of program jacobi; go on from it by --resume, or remove it"),
            (["--resume", "--checkpoint-every", "soon"], "'soon' is no interval"),
        )
        for more, words in refusals:
            done = self.run_all(self.command(2, "--checkpoint", "saved", *more))
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stderr, rf"\Ajacobi: [^\n]*{words}[^\n]*\n\Z".replace("'", "."))
        self.assertNotEqual(self.run_all(self.command(2, "--resume")).returncode, 0)
        self.save("in.npy", np.zeros((50, 40)))
        done = self.run_all(self.command(2, "--checkpoint", "saved", "--resume"))
        self.assertRegex(done.stderr, r"\Ajacobi: [^\n]*it holds now, 301 x 257 float64, and program jacobi declares now, "
                                      r"50 x 40 float64; resume it with [^\n]*\n\Z")
        self.assertEqual(self.saved(), kept)
        self.assertFalse((self.folder / "out.npy").exists())

    def test_the_environment_asks_for_checkpoints_too(self):
        right = self.undisturbed()
        environment = dict(os.environ, TOMBOLO_CHECKPOINT="saved", TOMBOLO_CHECKPOINT_EVERY=EVERY)
        environment["TOMBOLO_RESUME"] = "yes"
        done = subprocess.run(self.command(2, "--explain"), cwd=self.folder, env=environment, capture_output=True,
                              text=True, timeout=SECONDS)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("no checkpoint in saved/jacobi, so it begins anew", done.stderr)
        self.assertIn("saved 7 times in saved/jacobi", done.stdout)
        self.assertIn(right, done.stdout)


if __name__ == "__main__":
    unittest.main()
