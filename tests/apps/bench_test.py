"""tombolo bench: what it times, checks, shows and refuses."""

import csv
import io
import json
import unittest

import tombolo

COLUMNS = "op impl algorithm ranks root bytes reps median_s low_s high_s predicted_s bound_s".split()


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


class Bench(tombolo.TestCase):
    def setUp(self):
        super().setUp()
        self.quick = ("--least", 2, "--most", 2)

    def bench(self, *arguments, ranks=2):
        result = self.run_here("bench", *arguments, *self.quick, ranks=ranks)
        self.assertEqual(result.status, 0, result)
        return result.out

    def test_csv_has_the_promised_columns_and_every_cell_of_both_implementations(self):
        found = rows(self.bench("bcast,gather", "--bytes", "8:512:x8", "--format", "csv"))
        self.assertTrue(set(COLUMNS) <= set(found[0]))
        cells = [(r["op"], int(r["bytes"]), r["impl"]) for r in found]
        self.assertEqual(
            sorted(cells),
            sorted((o, b, i) for o in ("bcast", "gatherv") for b in (8, 64, 512) for i in ("native", "tombolo")),
        )
        for row in found:
            self.assertLessEqual(float(row["low_s"]), float(row["median_s"]))
            self.assertGreaterEqual(float(row["high_s"]), float(row["median_s"]))
            self.assertGreater(float(row["median_s"]), 0)
            self.assertEqual((row["reps"], row["ranks"]), ("2", "2"))
            # On one host planned calls are left to MPI, of which nothing is predicted.
            self.assertEqual((row["algorithm"], row["predicted_s"]), ("native", ""))

    def test_sizes_as_a_list(self):
        found = rows(self.bench("bcast", "--bytes", "1K,64,3K:12K,64", "--impl", "native", "--format", "csv"))
        self.assertEqual([int(r["bytes"]) for r in found], [64, 1024, 3072, 6144, 12288])

    def test_an_algorithm_by_name_is_timed_on_one_host_too(self):
        found = rows(self.bench("bcast", "--bytes", "64", "--algorithm", "binomial", "--format", "csv"))
        self.assertEqual([(r["algorithm"], r["predicted_s"] != "") for r in found], [("native", False), ("binomial", True)])

    def test_all_algorithms_of_all_operations_agree_with_native_ones(self):
        for ranks in (1, 3):
            found = rows(
                self.bench(
                    *("all", "--bytes", "40", "--algorithm", "all", "--check", "--impl", "tombolo", "--format", "csv"),
                    ranks=ranks,
                )
            )
            self.assertEqual({r["as_native"] for r in found}, {"yes"})
            self.assertGreater(len(found), 40)

    def test_uneven_counts_give_what_mpi_gives(self):
        for counts in ("zipf", "sparse"):
            words = ("allgather,alltoall,scatter", "--bytes", "40", "--counts", counts, "--algorithm", "all", "--check")
            found = rows(self.bench(*words, "--impl", "tombolo", "--format", "csv", ranks=5))
            self.assertGreater(len(found), 10)
            self.assertEqual({row["as_native"] for row in found}, {"yes"})
        self.fail_with(["uneven counts of bcast", "alltoallv"], "bench", "bcast", "--counts", "zipf")

    def test_all_roots_are_cases_and_roots_rotate(self):
        found = rows(self.bench("scatter", "--bytes", 64, "--root", "all", "--format", "csv", "--impl", "native", ranks=3))
        self.assertEqual([r["root"] for r in found], ["0", "1", "2"])
        found = rows(self.bench("scatter", "--bytes", 64, "--root", "rotate", "--format", "csv", ranks=3))
        self.assertEqual(len(found), 2)

    def test_the_bound_of_all_roots_in_turn_is_the_sum_of_each_root(self):
        self.run_here("discover", "--budget", 1, "-o", "here.json", ranks=3)
        words = ("bcast,barrier", "--bytes", 64, "--platform", "here.json", "--format", "csv")
        each = rows(self.bench(*words, "--root", "all", "--impl", "native", ranks=3))
        self.assertEqual([r["op"] for r in each], ["bcast"] * 3 + ["barrier"])
        found = rows(self.bench(*words, "--root", "turns", ranks=3))
        self.assertEqual([r["impl"] for r in found], ["native", "tombolo"] * 2)
        for row in found[:2]:
            self.assertEqual((row["predicted_s"], row["root"]), ("", "0"))
            self.assertGreater(float(row["median_s"]), 0)
            self.assertAlmostEqual(float(row["bound_s"]), sum(float(r["bound_s"]) for r in each[:3]), places=11)

    def test_a_mapping_is_stated_and_its_results_are_those_of_mpi(self):
        for operation in ("bcast", "reduce", "scatter", "gather"):
            for mapping in ("good", "pessimal", "ranks"):
                words = (operation, "--bytes", 64, "--algorithm", "binomial", "--mapping", mapping, "--root", 1)
                (row,) = rows(self.bench(*words, "--impl", "tombolo", "--check", "--format", "csv", ranks=3))
                self.assertEqual((row["algorithm"], row["as_native"]), ("binomial", "yes"))

    def test_json_keeps_every_time_and_what_the_plan_was(self):
        out = self.bench(
            *("allreduce", "--bytes", "4K", "--algorithm", "k_nomial", "--segment", 1024, "--radix", 3, "--window", 2),
            *("--format", "json", "--times"),
        )
        report = json.loads(out)
        ours = [f for f in report["figures"] if f["impl"] == "tombolo"]
        self.assertEqual({f["algorithm"] for f in ours}, {"k_nomial"})
        self.assertEqual(len(ours[0]["times_s"]), 2)
        parameters = ours[0]["parameters"]
        self.assertEqual((parameters["segment_bytes"], parameters["radix"], parameters["window"]), (1024, 3, 2))
        self.assertIn("MPICH", report["environment"]["mpi"])

    def test_text_says_who_is_faster_and_how_far_the_bound_is(self):
        out = self.bench("barrier,bcast", "--bytes", "8:64:x8", "--check")
        for words in ("barrier on 2 ranks", "bcast on 2 ranks, root 0", "native / best planned", "as native",
                      "nothing compared"):
            self.assertIn(words, out)

    def test_what_is_compared_is_told(self):
        out = self.bench("bcast", "--bytes", "8", "--algorithm", "k_nomial", "--check")
        self.assertIn("1 result compared with MPI's, no difference", out)

    def test_plots_are_drawn(self):
        self.bench("bcast", "--bytes", "8:512:x8", "--plots", "pictures")
        self.assertIn("</svg>", (self.folder / "pictures" / "bcast-root0.svg").read_text())

    def test_mistakes_are_one_line(self):
        (self.folder / "file").touch()
        self.fail_with(["there is no operation", "teleport"], "bench", "teleport", ranks=2)
        self.fail_with(["--root 2 of 2 ranks"], "bench", "bcast", "--root", 2, ranks=2)
        self.fail_with(["there is no algorithm", "warp"], "bench", "bcast", "--algorithm", "warp", ranks=2)
        self.fail_with(["needs", "GB", "smaller"], "bench", "bcast", "--bytes", "8P", ranks=2)
        self.fail_with(["needs", "GB", "smaller"], "bench", "gather", "--bytes", "1P", "--check", ranks=3)
        self.fail_with(["cannot make the folder file"], "bench", "bcast", "--plots", "file", ranks=2)
        self.fail_with(["--impl", "'x'", "native, tombolo"], "bench", "bcast", "--impl", "x", ranks=2)
        self.fail_with(["--bytes", "'8,,64' lacks a size", "1K,64K,1M"], "bench", "bcast", "--bytes", "8,,64", ranks=2)
        self.fail_with(["--most 0"], "bench", "bcast", "--most", 0, ranks=2)
        self.fail_with(["--times", "--format json"], "bench", "bcast", "--times", ranks=2)
        self.fail_with(["--mapping with --algorithm best"], "bench", "bcast", "--mapping", "good", ranks=2)
        named = ("bench", "bcast", "--algorithm")
        self.fail_with(["'relays'", "binomial"], *named, "relays", "--mapping", "good", ranks=2)
        self.fail_with(["'binomial'", "mapped"], *named, "binomial", "--schedule", "ecef", ranks=2)
        self.fail_with(["no schedule 'milk'", "ecef-LAT"], *named, "mapped", "--schedule", "milk", ranks=2)

    def test_a_schedule_needs_several_groups(self):
        result = self.run_here("bench", "bcast", "--algorithm", "mapped", "--schedule", "ecef", ranks=2)
        self.assertNotEqual(result.status, 0)
        self.assertIn("tombolo: a schedule between groups of ranks, of which there is but one; name", result.err)


if __name__ == "__main__":
    unittest.main()
