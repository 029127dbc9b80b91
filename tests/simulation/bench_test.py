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

    def test_a_good_mapping_is_faster_than_a_pessimal_one(self):
        for operation in ("scatter", "gather"):
            words = (operation, "--bytes", "64K", "--algorithm", "binomial", "--impl", "tombolo", "--mapping")
            good, pessimal = (self.time(*words, mapping, platform="ucd16", ranks=16) for mapping in ("good", "pessimal"))
            self.assertLess(1.1 * good, pessimal)

    def test_messages_that_cross_find_their_receives_as_predicted(self):
        words = ("allreduce", "--bytes", "64", "--impl", "tombolo", "--algorithm", "exchange")
        (row,) = csv.DictReader(io.StringIO(self.succeed_loudly(*words, platform="uniform64", ranks=4)))
        self.assertAlmostEqual(float(row["predicted_s"]) / float(row["median_s"]), 1, delta=0.02)

    def test_a_stated_schedule_is_right_and_crosses_long_links_less_often_than_a_binomial_tree(self):
        words = ("bcast", "--bytes", "1K", "--root", "5", "--impl", "tombolo", "--algorithm")
        for schedule in ("flat", "ecef-LAt over binomial"):
            scheduled = self.time(*words, "mapped", "--schedule", schedule, "--segment", 0, "--check")
            self.assertLess(scheduled, self.time(*words, "binomial"))

    def test_all_roots_in_turn_take_as_long_as_each_by_itself_and_their_barriers(self):
        words = ("bcast", "--bytes", "1K", "--impl", "native", "--root")
        each = [float(row["median_s"]) for row in csv.DictReader(io.StringIO(self.succeed_loudly(*words, "all")))]
        self.assertGreater(self.time(*words, "turns"), sum(each))
        planned = ("bcast", "--bytes", "1K", "--impl", "tombolo", "--root", "turns", "--algorithm", "mapped")
        self.assertLess(self.time(*planned, "--schedule", "flat"), self.time(*words, "turns"))

    def time(self, *words, **where):
        (row,) = csv.DictReader(io.StringIO(self.succeed_loudly(*words, **where)))
        self.assertIn(row["as_native"], ("", "yes"))
        return float(row["median_s"])

    def succeed_loudly(self, *words, platform="grid5000-cyclic", ranks=13):
        done = self.simulate(platform, "bench", *words, "--format", "csv", options=("-n", ranks))
        self.assertEqual(done.returncode, 0, done)
        return done.stdout


if __name__ == "__main__":
    unittest.main()
