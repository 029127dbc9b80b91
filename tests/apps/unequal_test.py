"""scripts/unequal gives ranks the shares that it is asked for, leaves no cgroup behind, and refuses what cannot be."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import tombolo

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/unequal"
sys.path.insert(0, str(SCRIPT.parents[1] / "lab"))
from emulation import quotas

BUSY = r"""
import os, sys, time
def used(): return sum(os.times()[:2])
begin, before = time.monotonic(), used()
for step in sys.argv[1:]:
    end = begin + float(step)
    start, before = time.monotonic(), used()
    while time.monotonic() < end: pass
    part = (used() - before) / (time.monotonic() - start)
    os.write(1, f"{os.environ['PMI_RANK']} {part}\n".encode())  # in one piece: ranks share the output
"""


def run(*arguments):
    return subprocess.run([str(SCRIPT), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=tombolo.SECONDS)


def groups_of(process):
    """The cgroups that a run of the script has now. One may go while the others are looked for, which a walk bears."""
    folders = [folder for folder, *_ in os.walk("/sys/fs/cgroup")]
    return [folder for folder in folders if Path(folder).name.startswith(f"tombolo-unequal-{process}-")]


def may_make_groups():
    return "cgroups" not in run("--shares", "0.1", "--", "true").stderr


def busy(*steps):
    return ("--", sys.executable, "-c", BUSY, *map(str, steps))


class Refusals(unittest.TestCase):
    def test_one_line_says_why(self):
        cores = len(os.sched_getaffinity(0))
        for words, *arguments in (
            ("no program", "--shares", "0.1", "--", "no-such-program"),
            ("required: PROGRAM", "--shares", "0.1"),
            ("required: --shares", "--", "true"),
            ("invalid shares", "--shares", "0.5,0", "--", "true"),
            ("invalid shares", "--shares", "0.5,nan", "--", "true"),
            ("invalid change", "--shares", "0.5", "--change", "1:0", "--", "true"),
        ):
            self.check(words, *arguments)
        if not may_make_groups():
            self.check("cannot make cgroups", "--shares", "0.1", "--", "true")
            return
        for words, *arguments in (
            ("cores are more", "--shares", f"{cores},0.1", "--", "true"),
            ("cores are more", "--shares", "0.1,0.1", "--change", f"1:0:{cores}", "--", "true"),
            ("rank 2 of 2", "--shares", "0.1,0.1", "--change", "1:2:0.1", "--", "true"),
            ("less than 1 ms", "--shares", "0.01", "--", "true"),
            ("not from 1 to 1000", "--shares", "0.1", "--period", "0", "--", "true"),
        ):
            self.check(words, *arguments)

    def check(self, words, *arguments):
        with self.subTest(arguments=arguments):
            done = run(*arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(done.stdout, "")
            self.assertRegex(done.stderr, rf"\Ascripts/unequal: [^\n]*{words}[^\n]*; [^\n]+\n\Z")


class Folders(unittest.TestCase):
    """Where cgroups are, of all the ways in which systems mount them."""

    def check(self, expected, mounts, groups):
        expected = [(version, Path(top), Path(folder)) for version, top, folder in expected]
        self.assertEqual(quotas.own_folders(mounts, groups), expected)

    def test_version_1(self):
        self.check([(1, "/c/cpu,cpuacct", "/c/cpu,cpuacct/user/me")],
                   "31 25 0:27 / /c/cpu,cpuacct rw,nosuid shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
                   "32 25 0:28 / /c/cpuset rw - cgroup cgroup rw,cpuset\n",
                   "4:cpu,cpuacct:/user/me\n3:cpuset:/\n")

    def test_version_2(self):
        self.check([(2, "/c", "/c/user.slice/me")], "30 24 0:26 / /c rw - cgroup2 cgroup2 rw\n", "0::/user.slice/me\n")

    def test_both(self):
        self.check([(1, "/c/cpu", "/c/cpu"), (2, "/c/unified", "/c/unified/a")],
                   "40 25 0:29 / /c/unified rw - cgroup2 none rw\n31 25 0:27 / /c/cpu rw - cgroup none rw,cpu\n",
                   "1:cpu:/\n0::/a\n")

    def test_the_host_s_path_in_a_container(self):
        self.check([(2, "/c", "/c/inside")], "30 24 0:26 /box /c rw - cgroup2 none rw\n", "0::/box/inside\n")
        self.check([(2, "/c", "/c")], "30 24 0:26 / /c rw - cgroup2 none rw\n", "0::/../elsewhere\n")
        self.check([(2, "/c", "/c")], "30 24 0:26 /box /c rw - cgroup2 none rw\n", "0::/other\n")

    def test_none(self):
        self.check([], "1 0 0:1 / / rw - ext4 /dev/a rw\n", "")
        self.check([], "32 25 0:28 / /c/cpuset rw - cgroup cgroup rw,cpuset\n", "3:cpuset:/\n")


@unittest.skipUnless(may_make_groups(), "cgroups may not be made here")
class Shares(unittest.TestCase):
    def check_below(self, shares, used):
        """Others may be busy here, too: no rank gets more than its share."""
        for share, part in zip(shares, used):
            self.assertGreater(part, 0.1 * share)
            self.assertLess(part, 1.2 * share + 0.02)

    def test_each_rank_gets_its_share(self):
        shares = (0.4, 0.2, 0.1)
        done = run("--shares", "0.4,0.2,0.1", *busy(2))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        lines = sorted(line.split() for line in done.stdout.splitlines())
        self.assertEqual([rank for rank, _ in lines], ["0", "1", "2"])
        self.check_below(shares, [float(part) for _, part in lines])

    def test_a_share_changes(self):
        done = run("--shares", "0.4", "--change", "1:0:0.1", *busy(0.9, 1.5, 3.5))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        first, _, last = (float(line.split()[1]) for line in done.stdout.splitlines())
        self.check_below((0.4, 0.1), (first, last))

    def speeds(self, size):
        """What tombolo finds of two ranks of which one has a third of the other's time."""
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder, "report.json")
            done = run("--shares", "0.6,0.2", "--", "env", f"TOMBOLO_CACHE={folder}", tombolo.TOMBOLO, "matmul",
                       "--size", str(size), "--report", str(report))
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertNotIn("take turns", done.stdout)
            return [rank["speed_flops"] for rank in json.loads(report.read_text())["processors"]]

    def test_speeds_are_those_of_whole_periods(self):
        """Each call runs as fast on both ranks, until the quota is used up; how much of a core they get says how fast
        they are, a third where nobody else is busy here."""
        for size in (32, 300):  # calls that are short beside a period, and long ones
            with self.subTest(size=size):
                ratios = []
                while not any(expected / 1.5 < found < expected * 1.5 for found, expected in ratios):
                    self.assertLess(len(ratios), 6, ratios)
                    used = dict(line.split() for line in run("--shares", "0.6,0.2", *busy(0.5)).stdout.splitlines())
                    fast, slow = self.speeds(size)
                    ratios.append((fast / slow, float(used["0"]) / float(used["1"])))

    def test_the_program_s_exit_status(self):
        self.assertEqual(run("--shares", "0.2,0.2", "--", "false").returncode, 1)

    def test_no_group_stays_however_it_ends(self):
        for number, status in ((None, 0), (signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -9)):
            with self.subTest(signal=number):
                started = subprocess.Popen([str(SCRIPT), "--shares", "0.2,0.2", *busy(0.5 if number is None else 50)],
                                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL)
                self.wait_until(lambda: len(groups_of(started.pid)) == 2 or started.poll() is not None)
                if number is not None:
                    time.sleep(0.5)
                    os.kill(started.pid, number)
                self.assertEqual(started.wait(tombolo.SECONDS), status)
                self.wait_until(lambda: not groups_of(started.pid))

    def wait_until(self, holds):
        end = time.monotonic() + 20
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
