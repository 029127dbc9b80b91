"""tombolo bench on simulated platforms: all algorithms against native ones, and the same digits every time."""

import csv
import io
import unittest

from simulated import TestCase


class Bench(TestCase):
    def test_every_algorithm_gives_what_native_ones_give_on_13_ranks(self):
        said = self.succeed_loudly(
            *("all", "--bytes", "104", "--algorithm", "all", "--impl", "tombolo", "--check", "--root", "5", "--most", "0")
        )
        rows = list(csv.DictReader(io.StringIO(said)))
        self.assertGreater(len(rows), 40)
        self.assertEqual({row["as_native"] for row in rows}, {"yes"})

    def test_two_runs_give_the_same_digits_and_no_time_is_below_its_bound(self):
        words = ("bcast,allreduce,gather", "--bytes", "64:64K:x32")
        said = self.succeed_loudly(*words)
        self.assertEqual(said, self.succeed_loudly(*words))
        for row in csv.DictReader(io.StringIO(said)):
            self.assertGreaterEqual(float(row["median_s"]) * 1.02, float(row["bound_s"]), row)

    def succeed_loudly(self, *words):
        done = self.simulate("grid5000-cyclic", "bench", *words, "--format", "csv", options=("-n", "13"))
        self.assertEqual(done.returncode, 0, done)
        return done.stdout


if __name__ == "__main__":
    unittest.main()
