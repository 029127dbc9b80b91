"""`tombolo transpose` transposes as NumPy does, bit for bit, whatever the ranks, files and options."""

import itertools

import numpy as np

import transposing
from transposing import RANKS, TYPES, random_bits


class Transpose(transposing.TestCase):
    def test_every_number_of_ranks(self):
        a = random_bits((1537, 911))
        self.save("a.npy", a)
        for ranks, collectives in (*itertools.product(RANKS, ("tombolo",)), (2, "native"), (5, "native")):
            with self.subTest(ranks=ranks, collectives=collectives):
                self.check_transpose(a, "--collectives", collectives, ranks=ranks)

    def test_every_type_and_order(self):
        for dtype, order in itertools.product(TYPES, "CF"):
            with self.subTest(dtype=dtype, order=order):
                a = random_bits((211, 307), dtype)
                self.save("a.npy", np.array(a, order=order))
                self.check_transpose(a, ranks=3)

    def test_shapes_that_are_small_or_empty(self):
        shapes = [(1, 1), (1, 7), (5, 3), (7, 1), (2, 13), (0, 4), (0, 0), (4, 0), (1009, 1), (1, 1009)]
        for shape, ranks in zip(shapes, itertools.cycle((3, 8, 3))):
            with self.subTest(shape=shape, ranks=ranks):
                a = random_bits(shape)
                self.save("a.npy", a)
                self.check_transpose(a, ranks=ranks)

    def test_fortran_order_and_native_collectives_on_few_rows(self):
        for shape in [(1, 7), (5, 3), (0, 3)]:
            with self.subTest(shape=shape):
                a = random_bits(shape, np.complex64)
                self.save("a.npy", np.array(a, order="F"))
                self.check_transpose(a, "--collectives", "native", ranks=5)

    def test_all_kinds_of_shares(self):
        a = random_bits((151, 97))
        self.save("a.npy", a)
        for shares in ("links", "speed", "equal"):
            with self.subTest(shares=shares):
                report = self.check_transpose(a, "--shares", shares, ranks=3)
                self.assertEqual(report["shares"], shares)
                if shares == "equal":
                    self.assertEqual([p["rows"] for p in report["processors"]], [51, 50, 50])

    def test_a_transpose_of_a_transpose_and_the_hash_of_both(self):
        a = random_bits((31, 57))
        self.save("a.npy", a)
        there = self.check_transpose(a, ranks=3)
        (self.folder / "b.npy").rename(self.folder / "a.npy")
        self.check_transpose(np.ascontiguousarray(a.T), ranks=2)
        self.assertEqual(self.load("b.npy").tobytes(), a.tobytes())
        verification = there["verification"]
        self.assertEqual(verification["hash_of_a"], verification["hash_of_b"])

    def test_generated_matrices_depend_on_the_seed_only(self):
        def generated(seed, ranks, *options):
            self.succeed("transpose", "--m", 101, "--n", 83, "--seed", seed, "--out", "b.npy", *options, ranks=ranks)
            return self.load("b.npy")

        one = generated(1, 1)
        self.assertEqual(one.shape, (83, 101))
        for ranks, collectives in ((2, "native"), (3, "tombolo"), (8, "tombolo")):
            np.testing.assert_array_equal(generated(1, ranks, "--collectives", collectives), one)
        self.assertGreater(np.abs(generated(2, 3) - one).max(), 1)
        single = generated(1, 3, "--dtype", "float32")
        self.assertEqual(single.dtype, np.float32)
        np.testing.assert_allclose(single, one, atol=1e-6)
        pairs = generated(1, 3, "--dtype", "complex128")
        self.assertEqual(pairs.dtype, np.complex128)
        np.testing.assert_array_equal(generated(1, 2, "--dtype", "complex128", "--layout", "blocks"), pairs)
        np.testing.assert_allclose(generated(1, 2, "--dtype", "complex64"), pairs, atol=1e-6)

    def test_b_may_replace_a_and_keeps_its_permissions(self):
        for shape in [(20, 20), (30, 7)]:
            with self.subTest(shape=shape):
                a = random_bits(shape)
                self.save("a.npy", a)
                (self.folder / "a.npy").chmod(0o600)
                self.succeed("transpose", "--in", "a.npy", "--out", "a.npy", ranks=3)
                self.assertEqual(self.load("a.npy").tobytes(), np.ascontiguousarray(a.T).tobytes())
                self.assertEqual((self.folder / "a.npy").stat().st_mode & 0o777, 0o600)
                self.assertEqual([file.name for file in self.folder.iterdir()], ["a.npy"])

    def test_it_needs_no_mpiexec(self):
        self.assertIn(", 1 rank\n", self.succeed("transpose", "--size", "1e2").out)
