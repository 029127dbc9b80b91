"""`tombolo matmul` in blocks of C that keep to a limit of memory, which is asked for or what is free."""

import itertools
import re
import sys
import unittest
from pathlib import Path

import numpy as np

import tombolo

SANITIZED = b"__asan_init" in Path(tombolo.TOMBOLO).read_bytes()
SLACK = 8 << 20  # bytes that plans may take once the limit was applied

# Starts a rank and writes the most memory that it has taken, in KiB, as the kernel has counted it.
COUNTED = """
import os, sys
rank = os.fork()
if rank == 0:
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(rank, 0)
with open(f"taken.{rank}", "w") as file:
    file.write(str(usage.ru_maxrss))
sys.exit(os.waitstatus_to_exitcode(status))
"""

# Reads the file meminfo of the folder in place of the kernel's.
OTHER_MEMINFO = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
FILE* fopen64(const char* path, const char* mode) {
  FILE* (*real)(const char*, const char*) = (FILE * (*)(const char*, const char*)) dlsym(RTLD_NEXT, "fopen64");
  return real(strcmp(path, "/proc/meminfo") == 0 ? "meminfo" : path, mode);
}
FILE* fopen(const char* path, const char* mode) { return fopen64(path, mode); }
"""


class Memory(tombolo.TestCase):
    FILES = ("--a", "a.npy", "--b", "b.npy", "--c", "c.npy", "--report", "report.json")

    def save_matrices(self, m, k, n, dtype=np.float64, orders="CF"):
        random = np.random.default_rng(m + k + n)
        self.a, self.b = (random.uniform(-1, 1, shape).astype(dtype) for shape in ((m, k), (k, n)))
        self.save("a.npy", np.array(self.a, order=orders[0])), self.save("b.npy", np.array(self.b, order=orders[1]))

    def least(self, *words, ranks):
        """Megabytes that leave room for the smallest blocks, by what the refusal of less says."""
        refused = self.fail_with(["--memory 1 leaves no room for blocks: a rank takes "], "matmul", *words, "--memory", 1,
                                 ranks=ranks)
        return int(re.search(r"give at least (\d+)M\n", refused.err)[1])

    def check(self, *options, ranks, through=()):
        done = self.run_here("matmul", *self.FILES, *options, ranks=ranks, through=through)
        self.assertEqual((done.status, done.err), (0, ""), f"{options}\n{done}")
        c, right = self.load("c.npy"), self.a.astype(np.float64) @ self.b
        tolerance = 1e-12 if self.a.dtype == np.float64 else 1e-4
        self.assertEqual((c.shape, c.dtype), (right.shape, self.a.dtype))
        self.assertLess(np.abs(c - right).max(initial=0), tolerance * max(self.a.shape[1], 1))
        report = self.report()
        self.assertIs(report["verified"], True)
        memory = report["memory"]
        if not SANITIZED:  # whose allocator keeps what is freed
            self.assertLessEqual(memory["peak_bytes"], memory["predicted_bytes"])
            self.assertLessEqual(memory["predicted_bytes"], memory["limit_bytes"] + SLACK)
        self.assertRegex(done.out, r"\A(note: [^\n]+\n)?memory: \d\.\d\d GB on each rank, which may take ")
        self.assertRegex(done.out, r"\nmemory: at most \d\.\d\d GB on a rank, \d\.\d\d GB predicted\n")
        blocks = report["blocks"]
        self.assertIn(f", in {blocks['all']} block{'s' * (blocks['all'] != 1)} of {blocks['rows']} x {blocks['columns']}; ",
                      done.out)
        (self.folder / "c.npy").unlink()
        return report

    def test_the_least_memory(self):
        # The larger C, as the limit is rounded up to a megabyte and what a rank takes before varies by as much.
        ways = (("root", "rows", 1, 803, np.float64, "CF"), ("root", "columns", 2, 803, np.float32, "FC"),
                ("distributed", "rows", 3, 2003, np.float32, "FF"), ("distributed", "auto", 2, 803, np.float64, "CC"))
        for held, algorithm, ranks, m, dtype, orders in ways:
            with self.subTest(held=held, algorithm=algorithm, ranks=ranks):
                self.save_matrices(m, 1409, m - 102, dtype, orders)
                how = ("--held", held, "--algorithm", algorithm, "--root", (ranks - 1) * (held == "root"))
                limit = self.least(*self.FILES, *how, ranks=ranks)
                report = self.check(*how, "--memory", f"{limit}M", ranks=ranks)
                self.assertEqual(report["memory"]["limit_bytes"], limit << 20)
                self.assertGreater(report["blocks"]["all"], 3)
                self.assertEqual((report["held"], "panels" in report), (held, False))

    def test_blocks_of_rows_where_b_fits(self):
        self.save_matrices(5001, 401, 203)
        for held, ranks in (("root", 2), ("distributed", 3)):
            with self.subTest(held=held):
                limit = self.least(*self.FILES, "--held", held, ranks=ranks) + 2
                blocks = self.check("--held", held, "--memory", f"{limit}M", ranks=ranks)["blocks"]
                self.assertEqual(blocks["columns"], 203)
                self.assertEqual(blocks["all"], -(-5001 // blocks["rows"]))
                self.assertGreater(blocks["all"], 1)

    @unittest.skipIf(SANITIZED, "a sanitizer takes memory of its own")
    def test_the_kernel_counts_no_more_than_the_limit(self):
        self.save_matrices(1403, 1301, 1207)
        through = (sys.executable, "-c", COUNTED)
        for held in ("root", "distributed"):
            with self.subTest(held=held):
                self.check("--held", held, "--memory", "75M", "--shares", "equal", ranks=2, through=through)
                taken = [int(file.read_text()) << 10 for file in self.folder.glob("taken.*")]
                self.assertGreaterEqual(len(taken), 2)
                self.assertLessEqual(max(taken), 75 << 20)
                self.assertGreater(max(taken), 50 << 20)  # it makes use of it

    def test_small_and_empty_matrices_and_what_fits(self):
        shapes = ((1, 1, 1), (0, 4, 3), (4, 0, 3), (4, 3, 0), (200, 300, 100))
        for (m, k, n), held in zip(shapes, itertools.cycle(("root", "distributed"))):
            with self.subTest(m=m, k=k, n=n, held=held):
                self.save_matrices(m, k, n)
                self.assertLessEqual(self.check("--held", held, "--memory", "3G", ranks=3)["blocks"]["all"], 1)

    def test_generated_matrices(self):
        size = ("--m", 700, "--n", 900, "--k", 1000, "--seed", 5)
        limit = ("--memory", f"{self.least(*size, ranks=2)}M", "--report", "report.json")
        self.assertIn("\nverified: ", self.succeed("matmul", *size, *limit, ranks=2).out)
        self.assertGreater(self.report()["blocks"]["all"], 1)
        self.assertEqual([file.name for file in self.folder.iterdir()], ["report.json"])
        self.succeed("matmul", *size, *limit, "--c", "c.npy", ranks=2)
        self.succeed("matmul", *size, "--c", "whole.npy", ranks=1)
        np.testing.assert_allclose(self.load("c.npy"), self.load("whole.npy"), rtol=0, atol=1e-11)

    def test_what_is_free_is_the_default(self):
        (self.folder / "meminfo").write_text("MemAvailable: 200000 kB\n")
        through = self.preloading(OTHER_MEMINFO)
        size = ("--m", 5300, "--n", 5100, "--k", 20, "--report", "report.json")
        done = self.run_here("matmul", *size, "--c", "c.npy", ranks=2, through=through)
        self.assertEqual((done.status, done.err), (0, ""), done)
        self.assertRegex(done.out, r"\Anote: A, B and C do not fit in the memory that is free; blocks of 0.08 GB for each "
                                   r"rank do\nmemory: ")
        self.assertGreater(self.report()["blocks"]["all"], 1)
        self.assertEqual(self.load("c.npy").shape, (5300, 5100))
        (self.folder / "c.npy").unlink()
        # Nothing is read or written: a mistyped size.
        self.fail_with([" GB for its ranks and has 0.20 GB free"], "matmul", *size, ranks=2, through=through)
        self.run_here("matmul", "--size", 200, "--c", "c.npy", "--report", "report.json", ranks=2, through=through)
        self.assertNotIn("blocks", self.report())
        (self.folder / "meminfo").write_text("MemAvailable: 100000 kB\n")
        self.fail_with(["0.04 GB of free memory for each rank leaves no room for blocks", "free for each, or"], "matmul", *size,
                       "--c", "d.npy", ranks=2, through=through)

    def test_a_wrong_block(self):
        self.save_matrices(700, 900, 800)
        through = self.preloading(tombolo.WRONG_BLAS)
        for held in ("root", "distributed"):
            limit = self.least(*self.FILES, "--held", held, ranks=2)
            failed = self.run_here("matmul", *self.FILES, "--held", held, "--memory", f"{limit}M", ranks=2, through=through)
            self.assertRegex(failed.out, r"\nWRONG: row \d+ of C, from rank")
            self.assertRegex(failed.err, r"\Atombolo: the product is wrong and was not written; [^\n]+\n\Z")
            self.assertFalse(list(self.folder.glob("c.npy*")))

    def test_refusals(self):
        self.save_matrices(6, 4, 5)
        for words, options in (
            (["--memory", "'much'", "64K"], ["--memory", "much"]),
            (["--memory", "'0' is less than 1 B"], ["--memory", 0]),
            (["--memory and --trace", "leave one"], ["--memory", "1G", "--trace", "t.json"]),
            (["--memory and --reference", "leave one"], ["--memory", "1G", "--reference"]),
            (["--resume and --reference", "leave one"], ["--resume", "--reference"]),
            (["--memory 1K leaves no room for blocks", "give at least "], ["--memory", "1K", "--checkpoint-every", "1s"]),
        ):
            with self.subTest(options=options):
                ranks = 2 if "leaves no room" in words[0] else 0  # the others are found before any rank is asked
                self.fail_with(words, "matmul", *self.FILES, *options, ranks=ranks)
        # More than there is.
        self.fail_with(["GB for its ranks and has"], "matmul", "--m", 10**9, "--n", 10**5, "--k", 1, "--memory", "1000T", ranks=2)


if __name__ == "__main__":
    unittest.main()
