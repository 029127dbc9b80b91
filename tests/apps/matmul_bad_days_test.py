"""`tombolo matmul` when things break that no option is to blame for."""

import os
import signal
import subprocess
import time
from pathlib import Path

import numpy as np

import tombolo


def descendants(pid):
    """The processes that a process started, and those that they started."""
    found = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            for child in map(int, children.read_text().split()):
                found += [child, *descendants(child)]
        except OSError:
            pass  # it has just ended
    return found


def ranks_of(pid):
    """The ranks among them, by their rank."""
    ranks = {}
    for process in descendants(pid):
        try:
            words = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
            name = os.readlink(f"/proc/{process}/exe")
        except OSError:
            continue
        found = [word for word in words if word.startswith(b"PMI_RANK=")]
        if found and name == os.path.realpath(tombolo.TOMBOLO):
            ranks[int(found[0].split(b"=")[1])] = process
    return ranks


def cpu_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class BadDays(tombolo.TestCase):
    def kill_a_rank(self, victim):
        long_run = ("--size", 6000, "--threads", 1, "--c", "c.npy", "--report", "r.json")
        words = tombolo.command("matmul", *long_run, ranks=3)
        run = subprocess.Popen(
            words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        try:
            give_up = time.monotonic() + 30
            while len(ranks_of(run.pid)) < 3 or cpu_seconds(ranks_of(run.pid)[victim]) < 1.5:
                self.assertIsNone(run.poll(), "it ended before a rank could be killed")
                self.assertLess(time.monotonic(), give_up, "the ranks did not start")
                time.sleep(0.05)
            ranks = ranks_of(run.pid)
            os.kill(ranks[victim], signal.SIGKILL)
            killed = time.monotonic()
            run.communicate(timeout=tombolo.SECONDS)
            self.assertLess(time.monotonic() - killed, 10)
        finally:
            run.kill()
            run.wait()
        self.assertNotEqual(run.returncode, 0)
        self.assertEqual(list(self.folder.iterdir()), [])
        for pid in ranks.values():
            self.assertFalse(Path(f"/proc/{pid}").exists(), "a rank is still there")

    def test_a_rank_dies(self):
        for victim in (2, 0):
            with self.subTest(victim=victim):
                self.kill_a_rank(victim)

    def test_a_wrong_product_is_found_and_not_written(self):
        preload = self.preloading(tombolo.WRONG_BLAS)
        for ranks in (1, 3):
            with self.subTest(ranks=ranks):
                words = ("matmul", "--size", 100, "--shares", "equal", "--c", "c.npy", "--report", "r.json")
                result = self.run_here(*words, ranks=ranks, through=preload)
                self.assertNotEqual(result.status, 0)
                self.assertRegex(result.err, r"\Atombolo: the product is wrong [^\n]+; [^\n]+\n\Z")
                self.assertIn("\nWRONG: row ", result.out)
                self.assertFalse((self.folder / "c.npy").exists())
                self.assertIs(self.report("r.json")["verified"], False)

    def test_a_full_stdout_costs_no_results(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                tombolo.command("matmul", "--size", 20, "--c", "c.npy"),
                cwd=self.folder,
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                timeout=tombolo.SECONDS,
                env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"),
            )
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"\Atombolo: cannot write to the standard output: No space [^\n]+; [^\n]+\n\Z")
        self.assertEqual(np.load(self.folder / "c.npy").shape, (20, 20))
