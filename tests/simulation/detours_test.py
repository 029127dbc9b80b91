"""Messages over third clusters, where the direct link is a tenth as wide."""

import csv
import io
import unittest

from simulated import TestCase


class Detours(TestCase):
    def test_planned_exchanges_take_two_fifths_of_the_time_of_native_ones(self):
        for operation, platform in (("alltoall", "triangle"), ("alltoall", "ring5"), ("allgather", "triangle")):
            words = (operation, "--bytes", "64K", "--least", "1", "--most", "1", "--impl")
            planned = self.time(platform, *words, "tombolo", "--check")
            self.assertLess(2.5 * planned, self.time(platform, *words, "native"))

    def test_a_plan_says_that_it_takes_detours(self):
        found = self.folder / "triangle.json"
        self.assertEqual(self.simulate("triangle", "discover", "-o", found).returncode, 0)
        said = self.succeed("triangle", "plan", "alltoall", "--bytes", "64K", "--platform", found, options=("-n", "1"))
        self.assertIn("detours between 2 pairs of clusters", said)
        words = ("plan", "alltoall", "--bytes", "64K", "--platform", found, "--no-detours")
        self.assertNotIn("detours", self.succeed("triangle", *words, options=("-n", "1")))

    def time(self, platform, *words):
        done = self.simulate(platform, "bench", *words, "--format", "csv")
        self.assertEqual(done.returncode, 0, done)
        (row,) = csv.DictReader(io.StringIO(done.stdout))
        self.assertIn(row["as_native"], ("", "yes"))
        return float(row["median_s"])


if __name__ == "__main__":
    unittest.main()
