"""A grid comes up whole or not at all, and goes without a trace, whatever ends."""

import itertools
import json
import os
import signal
import subprocess
import time
import unittest

import grids
from grids import skip_unless_possible

setUpModule = skip_unless_possible

SLEEP = ("--quiet", "--", "sleep", "50")


class Lifecycle(grids.TestCase):
    def test_up_status_down(self):
        before = grids.own_network()
        self.up()
        status = self.status()
        self.assertEqual([host["name"] for host in status["hosts"]], ["north-0", "north-1", "south-0", "south-1"])
        self.assertEqual([host["processes"] for host in status["hosts"]], [1, 1, 3, 3])
        self.assertEqual({link["delay_ms"] for link in status["links"]}, {5})
        self.assertIn("south-1", self.succeed("status").stdout)
        self.refuse("is up already", "up", self.two)
        self.succeed("down")
        self.assert_gone()
        self.assertIn("not up", self.succeed("down").stderr)
        self.refuse("is not up", "status")
        self.refuse("is not up", "run", "--", "true")
        self.assertEqual(grids.own_network(), before)

    def test_what_a_host_sees(self):
        self.up()
        script = "hostname; getent hosts south-1; ls /sys/class/net; ls /sys/fs/cgroup; ip route"
        said = self.succeed("shell", "north-0", "--", "sh", "-c", script).stdout
        self.assertRegex(said, r"\Anorth-0\n10.77.1.2 +south-1\neth0\nlo\nmanage\n")
        self.assertLessEqual(set(os.listdir("/sys/fs/cgroup")), set(said.split()))
        self.assertNotIn("default", said)  # no way out
        done = grids.grid("shell", "north-0", "--name", self.name, "--", "sh", "-c", "exit 3")
        self.assertEqual(done.returncode, 3, done.stderr)

    def test_two_grids_at_once(self):
        self.up()
        other = f"{self.name}-b"
        self.addCleanup(grids.grid, "down", "--name", other)
        done = grids.grid("up", "--name", other, self.two, "--no-check")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.succeed("down")
        self.assert_gone()
        done = grids.grid("run", "--name", other, "--quiet", "-n", "1", "--", "hostname")
        self.assertEqual((done.returncode, done.stdout), (0, "north-0\n"), done.stderr)

    def test_up_that_fails_leaves_nothing(self):
        self.refuse("relay does not start", "up", self.two, TOMBOLO_RELAY="/bin/false")
        self.assert_gone()

    def test_up_killed_half_way(self):
        for milliseconds in (60, 100, 140, 180, 220, 260):
            with self.subTest(milliseconds=milliseconds):
                started = self.start("up", self.two, "--no-check")
                time.sleep(milliseconds / 1000)
                started.kill()
                started.wait()
                if started.returncode == 0:  # it was quicker
                    self.succeed("down")
                self.assertTrue(grids.wait_until(lambda: self.down_or_gone()))
                self.assert_gone()

    def down_or_gone(self):
        """One that was told to stay just before is taken down here."""
        if self.grid("status").returncode == 0:
            self.succeed("down")
        return not grids.left_of(self.name)

    def test_run_on_a_grid_of_its_own(self):
        for number, status in ((None, 0), (signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -9)):
            with self.subTest(signal=number):
                words = SLEEP if number else ("--quiet", "--", "sleep", "0.1")
                started = subprocess.Popen(grids.words_of("run", "--on", self.two, *words), env=grids.environment(),
                                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                name = f"on-{started.pid}"
                if number:
                    sleeping = lambda: any("sleep 50" in line for line in grids.left_of(name)) or self.ranks_of(name)
                    self.assertTrue(grids.wait_until(sleeping))
                    os.kill(started.pid, number)
                _, said = started.communicate(timeout=grids.SECONDS)
                self.assertEqual(started.returncode, status, said)
                self.assert_gone(name)

    def ranks_of(self, name):
        done = grids.grid("status", "--name", name)
        return done.returncode == 0 and any(line.split()[-1] != "0" for line in done.stdout.splitlines()
                                            if line.startswith(("north-", "south-")) and "10.77" in line)

    def test_a_relay_that_is_killed(self):
        self.up()
        started = self.start("run", *SLEEP)
        self.assertTrue(grids.wait_until(lambda: any(host["running"] for host in self.status()["hosts"])))
        kept = json.loads(grids.Path("/run/tombolo-grid", self.name, "grid.json").read_text())
        relay = kept["programs"][0][0]
        os.kill(relay, signal.SIGKILL)
        _, said = started.communicate(timeout=grids.SECONDS)
        self.assertIn("the relay of", said)
        self.assertEqual(started.returncode, 1)
        self.assertFalse(self.status()["shaper_runs"])
        self.refuse("has ended", "run", "--", "true")

    def test_down_after_everything_was_killed(self):
        self.up()
        started = self.start("run", *SLEEP)
        self.assertTrue(grids.wait_until(lambda: any(host["running"] for host in self.status()["hosts"])))
        kept = json.loads(grids.Path("/run/tombolo-grid", self.name, "grid.json").read_text())
        os.kill(kept["programs"][0][0], signal.SIGKILL)
        os.kill(started.pid, signal.SIGKILL)
        self.succeed("down")
        self.assert_gone()

    def test_state_that_is_damaged(self):
        kept = grids.Path("/run/tombolo-grid", self.name, "grid.json")
        self.up()
        whole = json.loads(kept.read_text())
        commands = itertools.cycle((("status",), ("run", "--", "true")))  # which read it alike
        for text in ("[]", "3", "{}", "", "[" * 100_000, "\udcff", json.dumps({**whole, "links": {"0-1": {"delay": 3}}}),
                     json.dumps({**whole, "links": {"x": {}}}), json.dumps({**whole, "programs": [7]})):
            with self.subTest(text=text[:20]):
                kept.write_text(text, errors="surrogateescape")
                self.refuse("is not up", *next(commands))
        self.succeed("down")
        self.assert_gone()

    def test_state_of_another_run_of_the_machine(self):
        self.up()
        kept = grids.Path("/run/tombolo-grid", self.name, "grid.json")
        kept.write_text(kept.read_text().replace('"boot": "', '"boot": "another-'))
        self.refuse("started again", "status")
        self.succeed("up", self.two, "--no-check")  # what is left is swept away
        self.succeed("down")
        self.assert_gone()


if __name__ == "__main__":
    unittest.main()
