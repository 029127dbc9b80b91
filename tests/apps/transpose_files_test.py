"""`tombolo transpose` from file to file: orders, panels within a limit of memory, and B in A's memory."""

import itertools
import re
from pathlib import Path

import numpy as np

import tombolo
import transposing
from transposing import RANKS, TYPES, random_bits

SANITIZED = b"__asan_init" in Path(tombolo.TOMBOLO).read_bytes()


class TransposeFiles(transposing.TestCase):
    def check_transpose(self, a, *options, order="C", ranks):
        return super().check_transpose(a, *options, order=order, ranks=ranks)

    def least_memory(self, order, ranks):
        """Megabytes that leave room for the smallest panels, by what the refusal of less says."""
        words = ("transpose", "--in", "a.npy", "--out", "b.npy", "--out-order", order)
        refused = self.run_here(*words, "--memory", 1, ranks=ranks)
        return int(re.search(r"give at least (\d+)M\n", refused.err).group(1))

    def test_orders_of_both_files(self):
        for ranks, dtype, (order, out) in zip((2, 3, 5, 8), TYPES, itertools.product("CF", "CF")):
            with self.subTest(ranks=ranks, dtype=dtype, order=order, out=out):
                a = random_bits((211, 307), dtype)
                self.save("a.npy", np.array(a, order=order))
                self.check_transpose(a, order=out, ranks=ranks)
                self.assertEqual("view: A's bytes in their order" in self.text, order != out)

    def test_orders_of_small_and_empty_matrices(self):
        # Each shape with both orders of either file.
        ways = itertools.cycle((("C", "C"), ("F", "F"), ("F", "C"), ("C", "F")))
        shapes = [(1, 7), (7, 1), (0, 4), (4, 0), (5, 3)]
        for shape, (order, out) in zip((shape for shape in shapes for _ in range(2)), ways):
            with self.subTest(shape=shape, order=order, out=out):
                a = random_bits(shape)
                self.save("a.npy", np.array(a, order=order))
                self.check_transpose(a, order=out, ranks=3)

    def test_empty_matrices_of_huge_dimensions(self):
        ways = ([], ["--in-place"], ["--layout", "columns"], ["--layout", "blocks", "--to", "rows"], ["--memory", "1G"])
        for way, shape in zip(ways, itertools.cycle([(0, 10**12), (10**12, 0)])):
            with self.subTest(shape=shape, way=way):
                self.save_empty("a.npy", shape)
                self.succeed("transpose", "--in", "a.npy", "--out", "b.npy", *way, ranks=2)
                self.assertEqual(self.load("b.npy").shape, shape[::-1])

    def test_panels(self):
        # Each is much more than what processes differ by, the last one more than what speeds are measured on in memory.
        runs = [(ranks, dtype, order, 4 * (ranks + 2) * 131 + 7)
                for ranks, dtype, order in zip(RANKS, (*TYPES, np.float64), "CFCFC")]
        for ranks, dtype, order, rows in [*runs, (1, np.float64, "C", 4001)]:
            with self.subTest(ranks=ranks, dtype=dtype, order=order):
                a = random_bits((rows, 2003), dtype)
                self.save("a.npy", np.array(a, order=order))
                limit = self.least_memory(order, ranks) + 1
                report = self.check_transpose(a, "--memory", f"{limit}M", order=order, ranks=ranks)
                self.assertGreater(int(re.search(r"(\d+) panels of", self.text).group(1)), 1)
                memory = report["memory"]
                self.assertEqual(memory["limit_bytes"], limit << 20)
                if not SANITIZED:  # whose allocator keeps what is freed
                    self.assertLessEqual(memory["peak_bytes"], memory["predicted_bytes"])
                    self.assertLessEqual(memory["predicted_bytes"], memory["limit_bytes"] + (8 << 20))
                self.assertRegex(self.text, r"\Amemory: \d\.\d\d GB on each rank, which may take ")
                self.assertRegex(self.text, r"\nmemory: at most \d\.\d\d GB on a rank, \d\.\d\d GB predicted\n")

    def test_panels_of_thin_matrices_and_of_what_fits(self):
        for shape in ((3, 700_001), (700_001, 3), (1, 1), (0, 5), (5, 0), (300, 200)):
            with self.subTest(shape=shape):
                a = random_bits(shape)
                self.save("a.npy", a)
                self.check_transpose(a, "--memory", "3G", ranks=3)

    def test_panels_may_replace_a(self):
        a = random_bits((900, 1100))
        self.save("a.npy", a)
        self.succeed("transpose", "--in", "a.npy", "--out", "a.npy", "--memory", "3G", ranks=2)
        self.assertEqual(self.load("a.npy").tobytes(), np.ascontiguousarray(a.T).tobytes())
        self.assertEqual([file.name for file in self.folder.iterdir()], ["a.npy"])

    def test_in_place(self):
        small = [(7, 5), (1, 9), (9, 1), (0, 4), (4, 0)]
        large = zip(zip(RANKS, (*TYPES, np.float64)), itertools.cycle([(1537, 911), (40, 3000)]))
        for (ranks, dtype), shape in itertools.chain(large, (((3, np.float64), shape) for shape in small)):
            with self.subTest(ranks=ranks, dtype=dtype, shape=shape):
                a = random_bits(shape, dtype)
                self.save("a.npy", a)
                self.check_transpose(a, "--in-place", ranks=ranks)

    def test_in_place_with_either_shares_and_collectives(self):
        a = random_bits((701, 499))
        self.save("a.npy", a)
        for shares, collectives in (("speed", "native"), ("equal", "tombolo")):
            with self.subTest(shares=shares, collectives=collectives):
                report = self.check_transpose(
                    a, "--in-place", "--shares", shares, "--collectives", collectives, ranks=3)
                self.assertEqual([phase["name"] for phase in report["phases"]], ["sweeps", "order", "transpose"])

    def test_refusals(self):
        self.save("a.npy", np.ones((6, 4)))
        (self.folder / "folder").mkdir()
        files = ("--in", "a.npy", "--out", "b.npy")
        for words, arguments, *ranks in [
            (["--memory 1K leaves no room for panels", "give at least "], [*files, "--memory", "1K"], 3),
            (["--memory", "'much'", "64K"], [*files, "--memory", "much"]),
            (["--memory", "'0' is less than 1 B"], [*files, "--memory", 0]),
            (["--memory without --in and --out", "leave out --memory"], ["--in", "a.npy", "--memory", "1G"]),
            (["--memory without --in and --out"], ["--size", 9, "--out", "b.npy", "--memory", "1G"]),
            (["--memory and --in-place", "leave out one"], [*files, "--memory", "1G", "--in-place"]),
            (["--memory and --trace", "leave out one"], [*files, "--memory", "1G", "--trace", "t.json"]),
            (["--in-place and --trace", "leave out one"], [*files, "--in-place", "--trace", "t.json"]),
            (["--out-order", "'K'", "C, F"], [*files, "--out-order", "K"]),
            (["none/b.npy", "does not exist", "mkdir"], ["--in", "a.npy", "--out", "none/b.npy", "--memory", "1G"], 3),
            (["folder", "directory", "name of a file"], ["--in", "a.npy", "--out", "folder", "--out-order", "F"], 3),
        ]:
            with self.subTest(arguments=arguments):
                self.fail_with(words, "transpose", *arguments, ranks=ranks[0] if ranks else 0)

    def test_a_file_cut_short(self):
        self.save("a.npy", np.ones((600, 400)))
        whole = (self.folder / "a.npy").read_bytes()
        (self.folder / "a.npy").write_bytes(whole[:-8])
        for options in (["--memory", "1G"], ["--out-order", "F"], ["--in-place"]):
            with self.subTest(options=options):
                words = ("transpose", "--in", "a.npy", "--out", "b.npy", *options)
                self.fail_with(["a.npy", "cut short", "1920000", "1919992"], *words, ranks=3)

    def test_a_disk_that_is_too_small(self):
        self.save("a.npy", random_bits((1500, 1500)))
        limited = ("bash", "-c", 'ulimit -f 8192 && exec "$@"', "bash")  # 8 MiB: more than MPI's own files, less than B
        for options in (["--memory", "1G"], ["--out-order", "F"], ["--in-place"]):
            with self.subTest(options=options):
                words = ("transpose", "--in", "a.npy", "--out", "b.npy", *options)
                self.fail_with(["b.npy", "File too large", "ulimit -f"], *words, ranks=3, through=limited)
