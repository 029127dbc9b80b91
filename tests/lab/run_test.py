"""Programs run on the hosts of a grid as they would on a cluster, and end as they should."""

import json
import os
import shutil
import time
import unittest

import grids
from grids import TOMBOLO, skip_unless_possible

setUpModule = skip_unless_possible

BUSY = """
import os, time
begin, before = time.monotonic(), sum(os.times()[:2])
while time.monotonic() < begin + 1.5: pass
print(os.uname().nodename, (sum(os.times()[:2]) - before) / (time.monotonic() - begin))
"""

SITES = [["north-0", "north-1"], ["south-0", "south-1"]]


class Runs(grids.TestCase):
    def setUp(self):
        super().setUp()
        self.up()

    def out(self, *words, **more):
        return self.succeed("run", "--quiet", *words, **more).stdout

    def test_ranks_take_slots_in_order(self):
        hosts = ["north-0", "north-1", "south-0", "south-0", "south-0", "south-1", "south-1", "south-1"]
        self.assertEqual(sorted(self.out("--", "hostname").split()), hosts)
        said = self.out("--", "sh", "-c", "echo $PMI_RANK $(hostname)").splitlines()
        self.assertEqual([line.split()[1] for line in sorted(said)], hosts)
        self.assertEqual(sorted(self.out("-n", "3", "--", "hostname").split()), hosts[:3])
        self.assertEqual(sorted(self.out("--hosts", "south-1,north-0", "-n", "3", "--", "hostname").split()),
                         ["south-1"] * 3)

    def test_what_it_says_and_returns(self):
        done = self.grid("run", "-n", "2", "--", "sh", "-c", "exit 7")
        self.assertEqual(done.returncode, 7)
        self.assertRegex(done.stderr, r"scripts/grid: 2 ranks on 2 of 4 hosts of two .*MPICH.*wait in the kernel")
        done = self.grid("run", "-n", "2", "--hosts", "south-0", "--", "true")
        self.assertIn("2 ranks on 1 of 4 hosts", done.stderr)
        for pattern, *words in (("9 ranks on 4 hosts with 8 slots", "-n", "9", "--", "true"),
                                ("0 ranks", "-n", "0", "--", "true"),
                                ("no host 'west-0'", "--hosts", "west-0", "--", "true"),
                                ("no program no-such", "--", "no-such"),
                                ("names a host twice", "--hosts", "south-0,south-0", "--", "true"),
                                ("put -- before", "true"),
                                ("no program to run", "-n", "2"),
                                ("sets nothing", "--env", "A", "--", "true")):
            with self.subTest(pattern=pattern):
                self.refuse(pattern, "run", *words)

    def test_environment_and_folder(self):
        script = "echo $A $(pwd) $UCX_TLS ${LD_PRELOAD##*/} $MPIR_CVAR_REQUEST_POLL_FREQ"
        done = self.out("-n", "1", "--env", "A=b c", "--", "sh", "-c", script)
        self.assertEqual(done, f"b c {os.getcwd()} tcp,self libwait_in_kernel.so 1000000000\n")
        self.assertRegex(self.out("-n", "1", "--", "sh", "-c", "echo $TOMBOLO_CACHE"), f"/{self.name}/cache\n")
        self.assertEqual(self.out("-n", "1", "--no-wait", "--", "sh", "-c", "echo \"[$LD_PRELOAD]\""), "[]\n")

    def test_ranks_of_one_host_share_memory_and_no_others(self):
        script = "echo $(hostname) $(readlink /proc/self/ns/ipc) $UCX_TLS"
        said = [line.split() for line in self.out("--", "sh", "-c", script).splitlines()]
        self.assertEqual(len(said), 8)
        self.assertEqual(len({(host, memory) for host, memory, _ in said}), 4)
        self.assertEqual(len({memory for _, memory, _ in said}), 4)
        self.assertEqual({transports for *_, transports in said}, {"posix,sysv,cma,tcp,self"})
        for number in range(3):  # it ends, too
            with self.subTest(number=number):
                self.out("--", TOMBOLO, "bench", "allreduce,alltoallv", "--bytes", "8:512K:x65536", "--most", "0",
                         "--check")

    @unittest.skipUnless(shutil.which("mpirun.openmpi"), "there is no Open MPI")
    def test_open_mpi(self):
        self.assertEqual(sorted(self.out("--mpi", "openmpi", "--", "hostname").split())[:3],
                         ["north-0", "north-1", "south-0"])

    def test_hosts_have_their_shares(self):
        self.succeed("cpu", "north-0", "0.2")
        self.succeed("cpu", "south-0", "0.1")
        said = self.out("--hosts", "north-0,south-0", "-n", "2", "--", "python3", "-c", BUSY)
        used = {line.split()[0]: float(line.split()[1]) for line in said.splitlines()}
        for host, share in (("north-0", 0.2), ("south-0", 0.1)):
            self.assertGreater(used[host], 0.1 * share)
            self.assertLess(used[host], 1.2 * share + 0.02)
        self.assertEqual([host["cpu"] for host in self.status()["hosts"]], [0.2, None, 0.1, None])
        for share in ("0.001", "1e9"):
            self.refuse("share of", "cpu", "north-0", share)

    def test_discovery_finds_the_sites(self):
        self.succeed("down")
        self.up(self.describe("four.toml", grids.TWO_BY_TWO.replace("processes = 3", "")))
        described = (5, 50 * 1448 / 1514)  # ms, Mbit/s
        for _ in range(4):  # a busy machine makes links look slower, and gets more chances
            clusters, links = self.discovered()
            if clusters == SITES and all(abs(a / b - 1) < 0.1 for a, b in zip(links[0], described)):
                return
        self.fail(f"{clusters}, {links}, not {described}")

    def discovered(self):
        """The hosts of each cluster, and the latency and the rate of each link between them."""
        file = self.folder / "machines.json"
        self.out("--", TOMBOLO, "discover", "--budget", 6, "-o", file)
        found = json.loads(grids.subprocess.check_output([TOMBOLO, "show", file, "--format", "json"]))
        hosts = {each["rank"]: each["host"] for each in found["processors"]}
        clusters = [sorted({hosts[rank] for rank in level["ranks"]}) for level in found["levels"]["children"]]
        links = json.loads(file.read_text())["links"]
        return sorted(clusters), [(link["latency_ps"] / 1e9, link["rate_bytes_per_s"] * 8 / 1e6) for link in links]

    def test_a_link_that_changes_meanwhile(self):
        bench = ("--quiet", "--", TOMBOLO, "bench", "bcast,allreduce", "--bytes", "1K:8K:x8", "--check", "--least", 3,
                 "--most", 5)
        started = self.start("run", *bench)
        self.assertTrue(grids.wait_until(lambda: any(link.get("frames", 0) > 500 for link in self.status()["links"])))
        said = self.succeed("link", "north", "south", "--delay-ms", 15, "--rate-mbit", 5).stdout
        self.assertEqual(said.count("15 ms, 5 Mbit/s"), 2)
        out, err = started.communicate(timeout=grids.SECONDS)
        self.assertEqual(started.returncode, 0, out + err)
        self.assertEqual({link["delay_ms"] for link in self.status()["links"]}, {15})

    def test_a_host_that_is_killed(self):
        for program in (("sleep", "50"), (TOMBOLO, "bench", "bcast", "--bytes", "1K:16M:x4")):
            with self.subTest(program=program):
                started = self.start("run", "-n", "8", "--quiet", "--", *program)
                self.assertTrue(grids.wait_until(lambda: all(host["running"] > 1 for host in self.status()["hosts"])))
                time.sleep(1)
                begin = time.monotonic()
                self.succeed("kill", "south-0")
                _, said = started.communicate(timeout=grids.SECONDS)
                self.assertLess(time.monotonic() - begin, 10)
                self.assertNotEqual(started.returncode, 0)
                self.assertIn("host south-0 was killed", said)
                self.assertEqual({host["running"] for host in self.status()["hosts"]}, {0})

    def test_the_grid_is_taken_down(self):
        started = self.start("run", "--quiet", "--", "sleep", "50")
        self.assertTrue(grids.wait_until(lambda: all(host["running"] > 1 for host in self.status()["hosts"])))
        self.assertRegex(self.succeed("down").stderr, "is down; [1-9][0-9]* processes")
        _, said = started.communicate(timeout=grids.SECONDS)
        self.assertEqual(started.returncode, 1)
        self.assertIn("was taken down", said)


if __name__ == "__main__":
    unittest.main()
