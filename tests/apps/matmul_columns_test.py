"""`tombolo matmul` by columns of rectangles, and on matrices that are in parts on all ranks."""

import itertools
import unittest

import numpy as np

import tombolo


class Columns(tombolo.TestCase):
    def check(self, m, k, n, *options, ranks, dtype=np.float64):
        random = np.random.default_rng(m * 31 + k * 7 + n)
        a, b = random.uniform(-1, 1, (m, k)).astype(dtype), random.uniform(-1, 1, (k, n)).astype(dtype)
        self.save("a.npy", a), self.save("b.npy", b)
        files = ("--a", "a.npy", "--b", "b.npy", "--c", "c.npy", "--report", "report.json")
        self.succeed("matmul", *files, *options, ranks=ranks)
        c = self.load("c.npy")
        right = a.astype(np.float64).dot(b.astype(np.float64))
        tolerance = 1e-12 if dtype is np.float64 else 1e-4
        self.assertEqual((c.shape, c.dtype), (right.shape, np.dtype(dtype)))
        self.assertTrue(np.all(np.abs(c - right) <= tolerance * np.abs(a).astype(np.float64).dot(np.abs(b)) + 1e-300))
        report = self.report()
        self.assertIs(report["verified"], True)
        return report

    def test_every_number_of_ranks(self):
        # Every number of ranks with A, B and C held either way, by planned and by native collectives in turns.
        held_by = itertools.product((1, 2, 3, 5, 8), ("root", "distributed"))
        turns = itertools.cycle(("tombolo", "native", "native", "tombolo"))
        for (ranks, held), collectives in zip(held_by, turns):
            with self.subTest(ranks=ranks, held=held, collectives=collectives):
                stages = ("--stages", ranks) if held == "root" else ()
                report = self.check(
                    311, 523, 257, "--algorithm", "columns", "--held", held, *stages, "--collectives", collectives, ranks=ranks
                )
                self.assertEqual((report["algorithm"], report["held"]), ("columns", held))
                self.assertEqual(sum(p["elements"] for p in report["processors"]), 311 * 257)
                self.assertEqual("root" in report, held == "root")
                parts = [[part[1] * part[3] for part in report["parts"]]]
                self.assertEqual([p["elements"] for p in report["processors"]], *parts)

    def test_rows_in_parts_on_all_ranks(self):
        for ranks, shares in itertools.product((1, 3, 5), ("best", "equal")):
            with self.subTest(ranks=ranks, shares=shares):
                options = ("--algorithm", "rows", "--held", "distributed", "--shares", shares)
                report = self.check(151, 97, 203, *options, ranks=ranks)
                self.assertEqual(report["algorithm"], "rows")
                self.assertEqual(sum(p["rows"] for p in report["processors"]), 151)

    def test_shapes_that_are_small_or_empty(self):
        shapes = [(1, 1, 1), (2, 5, 3), (0, 4, 3), (4, 0, 3), (4, 3, 0), (0, 0, 0), (1, 1000, 1), (1000, 1, 1)]
        empty = [shape for shape in shapes if 0 in shape]
        ways = [*zip(shapes, itertools.cycle(("root", "distributed"))), *zip(empty, itertools.cycle(("distributed", "root")))]
        for (m, k, n), held in ways:
            with self.subTest(m=m, k=k, n=n, held=held):
                stages = ("--stages", 4) if held == "root" else ()
                self.check(m, k, n, "--algorithm", "columns", "--held", held, *stages, ranks=3)

    def test_panels_overlap_and_floats(self):
        for panels in (1, 2, 7):
            with self.subTest(panels=panels):
                options = ("--algorithm", "columns", "--held", "distributed", "--panels", panels, "--root", 2)
                report = self.check(200, 1100, 150, *options, ranks=5, dtype=np.float32)
                names = [phase["name"] for phase in report["phases"]]
                self.assertEqual(sum(name.startswith("compute") for name in names), panels)

    def test_stages_return_while_others_are_sent(self):
        for panels, stages in ((2, 3), (3, 1), (5, 8)):
            with self.subTest(panels=panels, stages=stages):
                options = ("--algorithm", "columns", "--panels", panels, "--stages", stages, "--root", 1)
                report = self.check(203, 1100, 157, *options, ranks=5)
                names = [phase["name"] for phase in report["phases"]]
                self.assertEqual(sum(name.startswith("compute") for name in names), panels * stages)
                self.assertEqual(sum(name.endswith("of C to C") for name in names), stages)

    def test_what_was_compared_is_told(self):
        text = self.succeed("matmul", "--size", 300, "--held", "distributed", "--report", "report.json", ranks=4).out
        compared = self.report()["compared"]
        self.assertIn("rows", [way["way"] for way in compared])
        self.assertTrue(any(way["way"].startswith("columns on all 4 ranks") for way in compared), compared)
        self.assertIn("\nchosen: " + compared[0]["way"], text)
        for way in compared:
            self.assertLessEqual(way["computing_s"], way["predicted_s"] * (1 + 1e-9), way)
            self.assertGreater(way["needed_bytes"], 0, way)
            self.assertLessEqual(compared[0]["predicted_s"] * 0.95, way["predicted_s"], compared)

    def test_explain(self):
        for held in ("root", "distributed"):
            with self.subTest(held=held):
                options = ("matmul", "--size", 300, "--held", held, "--algorithm", "auto", "--explain")
                text = self.succeed(*options, "--report", "report.json", ranks=3).out
                for way in self.report()["compared"]:
                    self.assertIn("  " + way["way"], text)
                self.assertRegex(text, r"predicted s +computing s +needed GB  way\n.*; chosen\n")
        text = self.succeed("matmul", "--size", 100, "--algorithm", "rows", "--explain", ranks=2).out
        self.assertIn("one way only, as asked for", text)

    def test_check_mode(self):
        for held in (("--held", "distributed"), ("--stages", 3)):
            options = ("matmul", "--m", 40, "--n", 30, "--k", 300, "--algorithm", "columns", *held)
            done = self.run_here(*options, ranks=3, through=("env", "TOMBOLO_CHECK=1"))
            self.assertEqual(done.status, 0, done)
            self.assertIn("checked, no difference between two runs", done.err)

    def test_errors(self):
        options = ("matmul", "--size", 10, "--held", "distributed")
        self.fail_with(["--reference with --held distributed"], *options, "--reference", ranks=2)
        self.fail_with(["--stages 2 without columns"], *options, "--stages", 2, ranks=2)
        self.fail_with(["--stages 2 and --panels 1"], "matmul", "--size", 10, "--stages", 2, "--panels", 1, ranks=2)
        self.fail_with(["'blocks' is not one of"], *options, "--algorithm", "blocks", ranks=2)


if __name__ == "__main__":
    unittest.main()
