"""`tombolo transpose` from and to every layout: as NumPy does, bit for bit, and no more moves than has to."""

import itertools
import unittest

import numpy as np

import transposing
from transposing import TYPES, random_bits

LAYOUTS = ("rows", "columns", "blocks")


class Layouts(transposing.TestCase):
    def check_transpose(self, a, *options, ranks):
        report = super().check_transpose(a, *options, ranks=ranks)
        self.check_parts(report["layout"]["a"], a.shape)
        self.check_parts(report["layout"]["b"], a.shape[::-1])
        return report

    def check_parts(self, layout, shape):
        owners = np.zeros(shape, int)
        for first_row, rows, first_column, columns in layout["parts"]:
            owners[first_row : first_row + rows, first_column : first_column + columns] += 1
        self.assertTrue((owners == 1).all())

    def test_every_pair_on_every_number_of_ranks(self):
        turns = itertools.cycle(itertools.product(TYPES, "CF", ("tombolo", "native"), ("auto", "never")))
        pairs = list(itertools.product(LAYOUTS, LAYOUTS))
        for (layout, to), ranks in itertools.chain(zip(pairs, itertools.repeat(3)), zip(pairs, itertools.cycle((8, 1)))):
            dtype, order, collectives, relabel = next(turns)
            with self.subTest(ranks=ranks, layout=layout, to=to, dtype=dtype, order=order, relabel=relabel):
                a = random_bits((107, 61), dtype)
                self.save("a.npy", np.array(a, order=order))
                options = ("--layout", layout, "--to", to, "--relabel", relabel, "--collectives", collectives)
                report = self.check_transpose(a, *options, ranks=ranks)
                self.assertEqual((report["layout"]["a"]["kind"], report["layout"]["b"]["kind"]), (layout, to))

    def test_shapes_that_are_small_or_empty(self):
        turns = itertools.cycle(itertools.product(LAYOUTS, LAYOUTS))
        shapes = [(1, 1), (1, 7), (7, 1), (0, 4), (4, 0), (0, 0), (1, 1009), (5, 3)]
        for shape, ranks, (layout, to) in zip(shapes, itertools.cycle((3, 8, 3)), turns):
            with self.subTest(shape=shape, ranks=ranks, layout=layout, to=to):
                a = random_bits(shape)
                self.save("a.npy", a)
                self.check_transpose(a, "--layout", layout, "--to", to, ranks=ranks)

    def test_a_view_moves_nothing(self):
        a = random_bits((301, 211))
        self.save("a.npy", a)
        for layout, to in (("rows", "columns"), ("columns", "rows")):
            with self.subTest(layout=layout):
                report = self.check_transpose(a, "--layout", layout, "--to", to, ranks=3)
                self.assertIs(report["layout"]["view"], True)
                self.assertEqual({phase["how"] for phase in report["phases"]}, {"view: nothing moves"})
                self.assertEqual(report["layout"]["stayed"], a.size)
                self.assertEqual(report["layout"]["relabelled"], 0)
        text = self.succeed("transpose", "--size", 9, "--to", "columns", ranks=2).out
        self.assertIn("\nview: nothing moves\n", text)

    def test_blocks_stay_where_they_are_if_ranks_may_be_relabelled(self):
        a = random_bits((301, 211))
        self.save("a.npy", a)
        blocks = ("--layout", "blocks", "--grid", "2x3")
        kept = self.check_transpose(a, *blocks, ranks=6)
        self.assertEqual(kept["layout"]["stayed"], a.size)
        self.assertEqual(kept["phases"][1]["how"], "every element is on its rank")
        self.assertEqual(kept["layout"]["b"]["grid"], [3, 2])
        self.assertEqual(kept["layout"]["relabelled"], 4)
        moved = self.check_transpose(a, *blocks, "--relabel", "never", ranks=6)
        self.assertLess(moved["layout"]["stayed"], a.size)
        self.assertEqual(moved["layout"]["relabelled"], 0)
        other = self.check_transpose(a, *blocks, "--to-grid", "2x3", ranks=6)
        self.assertEqual(other["layout"]["b"]["grid"], [2, 3])
        self.assertLess(other["layout"]["stayed"], a.size)

    def test_grids_are_near_to_square_and_as_high_as_the_matrix(self):
        for shape, grid in (((50, 70), [2, 3]), ((70, 50), [3, 2])):
            self.save("a.npy", random_bits(shape))
            report = self.check_transpose(self.load("a.npy"), "--layout", "blocks", "--to", "rows", ranks=6)
            self.assertEqual(report["layout"]["a"]["grid"], grid)

    def test_in_place_where_parts_allow_it(self):
        a = random_bits((107, 61))
        self.save("a.npy", a)
        pairs = (("rows", "rows"), ("columns", "columns"), ("blocks", "blocks"), ("rows", "columns"))
        for (layout, to), ranks in zip(pairs * 2, itertools.cycle((5, 1, 6))):
            with self.subTest(layout=layout, to=to, ranks=ranks):
                options = ("--layout", layout, "--to", to, "--in-place")
                self.assertEqual(self.check_transpose(a, *options, ranks=ranks)["algorithm"], "in place")
        words = ["--in-place", "rows", "blocks", "leave out --in-place"]
        self.fail_with(words, "transpose", "--size", 30, "--to", "blocks", "--in-place", ranks=6)

    def test_the_other_order_of_b_is_a_view(self):
        for layout, to in (("rows", "columns"), ("columns", "rows")):
            with self.subTest(layout=layout):
                words = ("--m", 31, "--n", 17, "--seed", 5, "--layout", layout, "--report", "report.json")
                self.succeed("transpose", *words, "--out-order", "F", "--out", "f.npy", ranks=3)
                layouts = self.report()["layout"]
                self.assertEqual((layouts["b"]["kind"], layouts["view"]), (to, True))
                self.succeed("transpose", *words, "--out", "c.npy", ranks=2)
                self.assertTrue(self.load("f.npy").flags.f_contiguous)
                self.assertEqual(self.load("f.npy").tobytes(), self.load("c.npy").tobytes())

    def test_uneven_ranks_and_larger_parts(self):
        a = random_bits((1537, 911))
        self.save("a.npy", a)
        for layout, to in (("blocks", "rows"), ("columns", "columns"), ("rows", "blocks"), ("blocks", "columns")):
            with self.subTest(layout=layout, to=to):
                self.check_transpose(a, "--layout", layout, "--to", to, "--shares", "speed", ranks=3)


if __name__ == "__main__":
    unittest.main()
