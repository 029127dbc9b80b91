"""`scripts/grid platform`: a grid's description as one for SimGrid, and so for `tombolo show`, plans and bounds."""

import json
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

from grids import ROOT, SCRIPT, TOMBOLO

UNEVEN = """
[lan]
rate_mbit = 800
latency_us = 30
[[site]]
name = "a"
hosts = 3
up_mbit = 60
down_mbit = 30
[[site]]
name = "b"
hosts = 2
processes = 2
cpu = 0.5
lan = { rate_mbit = 0 }
[[site]]
name = "b-1"
hosts = 1
[[host]]
name = "a-1"
cpu = 1.5
processes = 3
[[link]]
between = ["a", "b"]
delay_ms = 2.5
rate_mbit = 100
[[link]]
from = "a"
to = "b-1"
delay_ms = 4
rate_mbit = 16
[[link]]
from = "b-1"
to = "a"
delay_ms = 6
rate_mbit = 8
[[link]]
between = ["b-1", "b"]
delay_ms = 1
"""


class Platform(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="a folder with spaces ")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def grid(self, *arguments):
        return subprocess.run([SCRIPT, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=60)

    def platform(self, description):
        """What tombolo reads of it, one that was written and one that it can read."""
        done = self.grid("platform", description, "-o", "it.xml")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        words = [TOMBOLO, "show", "it.xml", "--hosts", "it.hosts", "--format", "json"]
        shown = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        return json.loads(shown.stdout)

    def write(self, text):
        (self.folder / "my own.toml").write_text(text)
        return "./my own.toml"

    def test_all_that_are_shipped(self):
        for path in sorted((ROOT / "lab/grids").glob("*.toml")):
            with self.subTest(grid=path.stem):
                found = self.platform(path.stem)
                hosts = (self.folder / "it.hosts").read_text().split()
                self.assertEqual([host["name"] for host in found["hosts"]], [name.split(":")[0] for name in hosts])
                self.assertIn(path.stem.replace("-", " "), (self.folder / "it.xml").read_text())

    def test_what_is_uneven(self):
        found = self.platform(self.write(UNEVEN))
        ranks = {}
        for processor in found["processors"]:
            ranks.setdefault(processor["host"], []).append(processor["speed_flops"])
        self.assertEqual(ranks, {"a-0": [4e9], "a-1": [2e9] * 3, "a-2": [4e9], "b-0": [1e9] * 2, "b-1": [1e9] * 2,
                                 "b-1-0": [4e9]})
        links = {tuple(sorted(link["between"])): link for link in found["links"]}
        self.assertEqual(set(links), {("a", "b"), ("a", "site.b-1"), ("b", "site.b-1")})
        between = links["a", "site.b-1"]
        self.assertEqual(between["rate_bytes_per_s"], 1e6)  # the lesser of both directions
        hosts = {host["name"]: host for host in found["hosts"]}
        own = sum(hosts[name].get("latency_ps", 0) for name in ("a-0", "b-1-0"))
        self.assertAlmostEqual(between["latency_ps"] + own, 5e9, delta=2e6)  # the mean of both directions
        self.assertEqual(hosts["a-0"]["latency_ps"], 15e6)
        self.assertEqual(hosts["a-0"]["rate_bytes_per_s"], 100e6)
        self.assertEqual(links["a", "b"]["rate_bytes_per_s"], 3.75e6)  # what a site's hosts share into it
        (site,) = [level for level in levels(found["levels"]) if level.get("name") == "a"]
        self.assertEqual(site["uplink_bytes_per_s"], 7.5e6)  # and out of it

    def test_elements_are_in_the_order_that_simgrid_wants(self):
        self.platform(self.write(UNEVEN))
        root = xml.etree.ElementTree.parse(self.folder / "it.xml").getroot()
        order = ["host", "router", "link", "host_link", "route"]
        for zone in root.iter("zone"):
            places = [order.index(child.tag) for child in zone if child.tag in order]
            self.assertEqual(places, sorted(places))

    def test_bounds_follow_from_it(self):
        found = self.platform("grid4x4")
        (self.folder / "it.json").write_text(json.dumps(found))
        words = [TOMBOLO, "plan", "barrier", "--platform", "it.json", "--format", "json"]
        plan = json.loads(subprocess.run(words, cwd=self.folder, capture_output=True, check=True, timeout=60).stdout)
        self.assertAlmostEqual(plan["bound_s"], 8.6e-3, delta=1e-5)

    def test_refusals_in_one_line(self):
        nearer = self.write(UNEVEN.replace("latency_us = 30", "latency_us = 5000"))
        for words, said in (((nearer, "-o", "it.xml"), "nearer to each other"),
                            (("grid4x4", "-o", "it.hosts"), "is the name of a host file"),
                            (("grid4x4", "-o", "nowhere/it.xml"), "cannot write nowhere/it.xml"),
                            (("grid4x5", "-o", "it.xml"), "there is no grid 'grid4x5'")):
            with self.subTest(said=said):
                done = self.grid("platform", *words)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1))
                self.assertIn(said, done.stderr)

    def test_a_description_is_not_overwritten(self):
        name = self.write(UNEVEN)
        (self.folder / "x.toml").write_text(UNEVEN)
        (self.folder / "link.xml").symlink_to("my own.toml")
        (self.folder / "old.hosts").symlink_to("my own.toml")
        for words in ((name, "-o", "my own.toml"), ("x.toml", "-o", "./x.toml"), (name, "-o", "link.xml"),
                      (name, "-o", "old.xml")):
            with self.subTest(words=words):
                done = self.grid("platform", *words)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1))
                self.assertIn("are the same file; give them different names", done.stderr)
        self.assertEqual((self.folder / "x.toml").read_text(), UNEVEN)
        self.assertEqual((self.folder / "my own.toml").read_text(), UNEVEN)
        self.assertEqual(len(list(self.folder.iterdir())), 4)


def levels(level):
    yield level
    for child in level.get("children", []):
        yield from levels(child)


if __name__ == "__main__":
    unittest.main()
