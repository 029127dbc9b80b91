"""`tombolo matmul` multiplies as NumPy does, whatever the ranks, files and options."""

import itertools
import time

import numpy as np

import tombolo

RANKS = (1, 2, 3, 5, 8)


def random(shape, dtype=np.float64, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(dtype)


class Matmul(tombolo.TestCase):
    def multiply(self, *options, ranks):
        self.succeed("matmul", "--a", "a.npy", "--b", "b.npy", "--c", "c.npy", *options, ranks=ranks)
        return self.load("c.npy")

    def check_product(self, a, b, c, tolerance):
        """The largest error relative to the largest |C|; each element's is checked against its |A||B| too."""
        right = a.astype(np.float64).dot(b.astype(np.float64))
        error = np.abs(c - right)
        self.assertEqual((c.shape, c.dtype), (right.shape, a.dtype))
        self.assertTrue(np.all(error <= tolerance * np.abs(a).dot(np.abs(b))))
        largest = error.max(initial=0) / max(np.abs(right).max(initial=0), np.finfo(a.dtype).tiny)
        self.assertLessEqual(largest, tolerance)
        return largest

    def check_at_all_ranks(self, dtype, tolerance):
        a, b = random((1037, 611), dtype), random((611, 803), dtype, seed=1)
        self.save("a.npy", a), self.save("b.npy", b)
        # Of either type every number of ranks, and of both all pairs with collectives.
        planned = (1, 3, 8) if dtype is np.float64 else (2, 5)
        for ranks in RANKS:
            collectives = "tombolo" if ranks in planned else "native"
            with self.subTest(ranks=ranks, collectives=collectives):
                started = time.monotonic()
                c = self.multiply("--collectives", collectives, ranks=ranks)
                took = time.monotonic() - started
                largest = self.check_product(a, b, c, tolerance)
                print(f"{a.dtype} {ranks} ranks {collectives:8} largest error {largest:.1e}  {took:.1f} s", flush=True)

    def test_float64_at_every_number_of_ranks(self):
        self.check_at_all_ranks(np.float64, 1e-12)

    def test_float32_at_every_number_of_ranks(self):
        self.check_at_all_ranks(np.float32, 1e-5)

    def test_both_orders_in_files(self):
        a, b = random((151, 97)), random((97, 203), seed=1)
        for order_a, order_b in itertools.product("CF", repeat=2):
            with self.subTest(a=order_a, b=order_b):
                self.save("a.npy", np.array(a, order=order_a)), self.save("b.npy", np.array(b, order=order_b))
                self.check_product(a, b, self.multiply(ranks=3), 1e-13)

    def test_every_root_and_kind_of_shares(self):
        a, b = random((151, 97)), random((97, 203), seed=1)
        self.save("a.npy", a), self.save("b.npy", b)
        for root, shares in ((0, "best"), (1, "speed"), (2, "equal"), (1, "best"), (2, "speed"), (0, "equal")):
            with self.subTest(root=root, shares=shares):
                c = self.multiply("--root", root, "--shares", shares, "--report", "report.json", ranks=3)
                self.check_product(a, b, c, 1e-13)
                report = self.report()
                self.assertEqual((report["root"], report["shares"]), (root, shares))
                if shares == "equal":
                    self.assertEqual([p["rows"] for p in report["processors"]], [51, 50, 50])

    def test_shapes_that_are_small_or_empty(self):
        shapes = [(1, 1, 1), (2, 5, 3), (0, 4, 3), (4, 0, 3), (4, 3, 0), (0, 0, 0), (1, 1000, 1), (1000, 1, 1)]
        for m, k, n in shapes:
            with self.subTest(m=m, k=k, n=n):
                a, b = random((m, k)), random((k, n), seed=1)
                self.save("a.npy", a), self.save("b.npy", b)
                self.check_product(a, b, self.multiply("--report", "report.json", ranks=3), 1e-13)
                self.assertIs(self.report()["verified"], True)

    def test_values_that_are_not_finite_are_multiplied_but_not_verified(self):
        b = random((30, 40), seed=1)
        for value in (np.nan, np.inf, -np.inf):
            with self.subTest(value=value):
                a = random((50, 30))
                a[17, 4] = value
                self.save("a.npy", a), self.save("b.npy", b)
                words = ("matmul", "--a", "a.npy", "--b", "b.npy", "--c", "c.npy", "--report", "report.json")
                self.assertIn("not verified: row 17 ", self.succeed(*words, ranks=3).out)
                np.testing.assert_allclose(self.load("c.npy"), a.dot(b), rtol=1e-12, atol=1e-13)
                self.assertIs(self.report()["verified"], False)

    def test_generated_matrices_depend_on_the_seed_only(self):
        def product(seed, ranks, *options):
            size = ("--m", 101, "--n", 83, "--k", 67)
            self.succeed("matmul", *size, "--seed", seed, "--c", "c.npy", *options, ranks=ranks)
            return self.load("c.npy")

        one = product(1, 1)
        for ranks, collectives in ((2, "native"), (3, "tombolo"), (8, "tombolo")):
            np.testing.assert_allclose(product(1, ranks, "--collectives", collectives), one, atol=1e-13)
        self.assertGreater(np.abs(product(2, 3) - one).max(), 1)
        single = product(1, 3, "--dtype", "float32")
        self.assertEqual(single.dtype, np.float32)
        np.testing.assert_allclose(single, one, atol=1e-4)

    def test_empty_matrices_of_huge_dimensions(self):
        for a, b in (((10**9, 0), (0, 0)), ((0, 10**12), (10**12, 0)), ((0, 0), (0, 10**9))):
            with self.subTest(a=a, b=b):
                self.save_empty("a.npy", a), self.save_empty("b.npy", b)
                self.succeed("matmul", "--a", "a.npy", "--b", "b.npy", "--c", "c.npy", ranks=2)
                self.assertEqual(self.load("c.npy").shape, (a[0], b[1]))

    def test_c_may_replace_a_and_keeps_its_permissions(self):
        a, b = random((20, 20)), random((20, 20), seed=1)
        self.save("a.npy", a), self.save("b.npy", b)
        (self.folder / "a.npy").chmod(0o600)
        self.succeed("matmul", "--a", "a.npy", "--b", "b.npy", "--c", "a.npy", ranks=2)
        self.check_product(a, b, self.load("a.npy"), 1e-13)
        self.assertEqual((self.folder / "a.npy").stat().st_mode & 0o777, 0o600)

    def test_it_needs_no_mpiexec(self):
        self.assertIn(", 1 rank, root 0\n", self.succeed("matmul", "--size", "1e2").out)
