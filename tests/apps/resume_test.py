"""Runs from file to file that end in the middle, and go on from their finished panels on any ranks."""

import re
import signal
import subprocess
import unittest

import numpy as np

import resuming
import tombolo
from resuming import K, M, N


class Resume(resuming.TestCase):
    def test_a_product_on_the_same_and_on_other_ranks(self):
        # Every way with fewer ranks or more, in either memory.
        for held, algorithm, before, after, panels in (
            ("root", "rows", 3, 1, 9), ("root", "columns", 1, 3, 1), ("distributed", "rows", 1, 3, 1),
            ("distributed", "rows", 3, 3, 2), ("distributed", "columns", 3, 1, 9), ("distributed", "columns", 2, 8, 20),
        ):
            command = self.matmul("--held", held, "--algorithm", algorithm, "--shares", "equal")
            with self.subTest(held=held, algorithm=algorithm, before=before, after=after):
                self.finish(command, after, self.disturb(command, before, panels, whom=before - 1))

    def test_a_transpose_on_the_same_and_on_other_ranks(self):
        for before, after, panels in ((3, 3, 2), (3, 1, 5), (1, 3, 1), (2, 8, 3)):
            with self.subTest(before=before, after=after):
                recorded = self.disturb(self.transpose("--resume"), before, panels, whom=before - 1)
                self.assertGreater(self.finish(self.transpose(), after, recorded)["done"], 0)

    def test_a_transpose_in_fortran_order_and_more_or_less_memory(self):
        self.transpose()
        self.save("t.npy", np.asfortranarray(self.lines))
        for memory in (f"{self.least + 5}M", f"{self.least - 2}M"):
            with self.subTest(memory=memory):
                recorded = self.disturb(self.transpose("--out-order", "F", "--resume"), 3, 2)
                self.finish(self.transpose("--out-order", "F", memory=memory), 3, recorded)

    def test_killed_twice_and_generated(self):
        command = ("matmul", "--m", M, "--n", N, "--k", K, "--c", "c.npy", "--checkpoint-every", "0.0002s", "--report",
                   "r.json", "--collectives", "native")
        first = self.disturb(command, 3, 2)
        second = self.disturb((*command, "--resume"), 2, first + 3, whom=1)
        self.succeed(*command, "--resume", ranks=3)
        self.assertEqual(self.report("r.json")["panels"]["finished_before"], second)
        resumed = self.load("c.npy")
        self.succeed("matmul", "--m", M, "--n", N, "--k", K, "--c", "c.npy", ranks=1)
        np.testing.assert_allclose(resumed, self.load("c.npy"), rtol=0, atol=1e-11)

    def test_a_signal_ends_a_run_behind_a_panel(self):
        slowly = self.preloading(resuming.SLOW_DISK)
        for command, number in ((self.matmul(), signal.SIGTERM), (self.transpose("--resume"), signal.SIGINT)):
            with self.subTest(command=command[0], number=number):
                recorded = self.disturb(command, 3, 2, number, "mpiexec", slowly)
                line = re.search(r"^tombolo: ended by signal (\d+); --resume goes on from c.npy.partial, where (\d+) of "
                                 r"\d+ (blocks|panels) are finished$", self.err, re.MULTILINE)
                self.assertTrue(line, self.err)
                self.assertEqual((int(line[1]), int(line[2])), (number, recorded))
                self.assertEqual((self.folder / "statuses").read_text(), 3 * "1\n")
                (self.folder / "statuses").unlink()
                self.finish(command, 2, recorded)

    def signalled(self, command, when, through=()):
        """Sends SIGTERM to all ranks once they catch it and `when` is true; returns mpiexec's run, the ranks' statuses
        and stderr."""
        run = subprocess.Popen(tombolo.command(*command, ranks=3, through=through), cwd=self.folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
        def catch():
            ranks = self.processes_of()
            try:
                return len(ranks) == 3 and when() and all(
                    int(tombolo.status_of(rank, "SigCgt:"), 16) >> (signal.SIGTERM - 1) & 1 for rank in ranks)
            except OSError:
                return False
        self.wait_until(catch, "the ranks do not catch SIGTERM")
        tombolo.send(self.processes_of(), signal.SIGTERM)
        err = run.communicate(timeout=resuming.SECONDS)[1]
        statuses = (self.folder / "statuses").read_text()
        (self.folder / "statuses").unlink()
        return statuses, err

    def test_a_signal_before_the_first_panel(self):
        slowly = self.preloading(resuming.SLOW_DISK)
        for command in (self.matmul(every="1h"), self.transpose("--resume")):
            with self.subTest(command=command[0]):
                statuses, err = self.signalled(command, lambda: True, slowly)
                self.assertRegex(err, r"\Atombolo: ended by signal 15; none of \d+ (blocks?|panels) was finished, so the same "
                                      r"command begins anew\n\Z")
                self.assertEqual((statuses, list(self.folder.glob("c.npy*"))), (3 * "1\n", []))
                recorded = self.disturb(command if command[0] == "transpose" else self.matmul(), 3, 1)
                statuses, err = self.signalled((*command, "--resume"), lambda: True, slowly)
                self.assertRegex(err, rf"--resume goes on from c.npy.partial, where {recorded} of \d+ \w+ (is|are) finished\n\Z")
                self.finish(self.matmul() if command[0] == "matmul" else self.transpose(), 2, recorded)

    def test_a_signal_behind_the_last_panel_does_no_harm(self):
        slowly = self.preloading(resuming.SLOW_DISK)
        for command in (self.matmul(every="1h"), self.transpose("--resume")):
            with self.subTest(command=command[0]):
                statuses, err = self.signalled(command, (self.folder / "c.npy").exists, slowly)
                self.assertEqual((statuses, err), (3 * "0\n", ""))
                self.check_result(command[0])

    def test_finished_panels_that_lack_the_name(self):
        view = ("transpose", "--in", "t.npy", "--out", "c.npy", "--out-order", "F", "--report", "r.json", "--resume")
        for command in (self.matmul(), self.transpose("--resume"), view):
            with self.subTest(command=command):
                run = self.start(command, 3, 1)
                (self.folder / "c.npy").mkdir()
                self.assertRegex(run.communicate(timeout=resuming.SECONDS)[1], r"\Atombolo: cannot write c.npy: [^\n]+; [^\n]+\n\Z")
                (self.folder / "c.npy").rmdir()
                self.assertEqual(self.finish(command, 2, self.recorded())["done"], 0)

    def test_blocks_of_another_height(self):
        recorded = self.disturb(self.matmul(), 3, 5)
        self.assertGreater(recorded, 0)
        kept = {name: (self.folder / name).read_bytes() for name in ("c.npy.partial", "c.npy.partial.journal")}
        self.assertGreater(self.finish(self.matmul(), 3, recorded)["all"], recorded + 1)
        for name, content in kept.items():
            (self.folder / name).write_bytes(content)
        # Blocks need not be as high as those before.
        self.assertEqual(self.finish(self.matmul(every="1h"), 1, recorded)["all"], recorded + 1)

    def test_blocks_of_rows_and_columns_in_other_memory(self):
        random = np.random.default_rng(5)
        self.save("a.npy", random.uniform(-1, 1, (801, 1500)))
        self.save("b.npy", random.uniform(-1, 1, (1500, 907)))
        for held, before, after in (("root", 2, 3), ("distributed", 3, 2)):
            with self.subTest(held=held):
                command = self.matmul("--held", held, "--memory", every="0.002s")
                refused = self.run_here(*command, "1", ranks=before)
                least = re.search(r"give at least (\d+)M", refused.err)[1]
                recorded = self.disturb((*command, f"{least}M"), before, 3)
                panels = self.finish(self.matmul("--held", held, "--memory", "1G", every="1h"), after, recorded)
                self.assertLess(panels["done"], 10)

    def test_shapes_without_elements(self):
        for m, n, k in ((0, 3, 4), (5, 0, 4), (5, 3, 0)):
            for held in ("root", "distributed"):
                with self.subTest(m=m, n=n, k=k, held=held):
                    self.save_empty("e.npy", (m, k)) if m * k == 0 else self.save("e.npy", np.ones((m, k)))
                    self.save_empty("f.npy", (k, n)) if k * n == 0 else self.save("f.npy", np.ones((k, n)))
                    self.succeed("matmul", "--a", "e.npy", "--b", "f.npy", "--c", "c.npy", "--resume", "--held", held, ranks=3)
                    np.testing.assert_array_equal(self.load("c.npy"), np.zeros((m, n)))
                    self.assertFalse(list(self.folder.glob("c.npy.*")))


if __name__ == "__main__":
    unittest.main()
