"""What a user of `tombolo matmul` can do wrong: one line says what it is and what to do, and nothing is left behind."""

import re

import numpy as np

import tombolo

HUGE = 2**62


class MatmulErrors(tombolo.TestCase):
    def setUp(self):
        super().setUp()
        self.good = np.ones((6, 4))
        self.save("a.npy", self.good), self.save("b.npy", np.ones((4, 5)))
        (self.folder / "folder").mkdir()

    def refuse(self, words, *arguments, ranks=3, through=()):
        with self.subTest(arguments=arguments):
            return self.fail_with(words, "matmul", *arguments, ranks=ranks, through=through)

    def fail_with_a(self, words, name, root=0):
        return self.refuse(words, "--a", name, "--b", "b.npy", "--c", "c.npy", "--root", root)

    def test_damaged_files(self):
        for name, words in self.save_damaged("a.npy"):
            self.fail_with_a(words, name)

    def test_arrays_that_are_no_matrices_of_floats(self):
        for name, array, words in [
            ("int.npy", np.ones((6, 4), np.int64), ["int.npy", "<i8", "astype('<f8')"]),
            ("big.npy", np.ones((6, 4), ">f8"), ["big.npy", ">f8", "astype('<f8')"]),
            ("complex.npy", np.ones((6, 4), complex), ["complex.npy", "complex128", "float64", "a.real"]),
            ("cube.npy", np.ones((6, 4, 2)), ["cube.npy", "(6, 4, 2)", "reshape"]),
            ("vector.npy", np.ones(4), ["vector.npy", "(4,)", "reshape"]),
            ("single.npy", np.ones((6, 4), np.float32), ["single.npy", "float32", "b.npy", "float64"]),
            ("wide.npy", np.ones((6, 7)), ["wide.npy is 6 x 7", "b.npy is 4 x 5", "7 is not 4"]),
        ]:
            self.save(name, array)
            self.fail_with_a(words, name)

    def test_files_that_are_missing_or_no_files(self):
        for root in (0, 2):
            self.fail_with_a(["none.npy", "No such file", "check the path"], "none.npy", root=root)
        self.fail_with_a(["folder", "a directory", "regular file"], "folder")
        self.fail_with_a(["two\\x0alines", "No such file"], "two\nlines")

    def test_outputs_that_cannot_be_written(self):
        for option in ("--c", "--report"):
            for root in (0, 2):
                small = ("--size", 5, "--root", root, option)
                self.refuse(["none/out", "does not exist", "mkdir -p none"], *small, "none/out")
                self.refuse(["folder", "directory", "name of a file"], *small, "folder")
            self.refuse([option, "''", "--help"], "--size", 5, option, "", ranks=0)
        self.refuse(["--c x", "--report ./x", "different names"], "--size", 5, "--c", "x", "--report", "./x")

    def test_sizes(self):
        for size in ("0", "-5", "abc", "1.5", "", str(2**64), "nan"):
            self.refuse(["--size", f"'{size}'", "whole number from 1"], "--size", size, ranks=0)
        for size in ("1e9", "1000000000", "4000000000", HUGE):
            self.refuse(["GB for its ranks and has", "take a smaller problem"], "--size", size)
        self.refuse(["8000.00 GB", " GB free"], "--m", 10**12, "--n", 1, "--k", 1, "--root", 1, "--dtype", "float32")
        self.refuse([" GB free"], "--m", HUGE, "--n", HUGE, "--k", 1)
        self.refuse(["at most 2^60 bytes"], "--m", HUGE, "--n", HUGE, "--k", 1, "--c", "c.npy")  # in blocks it would fit

    def test_the_memory_of_verification_is_counted(self):
        refused = self.refuse([" GB free"], "--size", "1e9", ranks=1)
        free = float(re.search(r"has ([\d.]+) GB free", refused.err).group(1)) * 1e9
        # A and B take half of what is free; what they are verified by takes as much as both and again.
        self.refuse([" GB for its ranks and has"], "--m", 1, "--n", 1, "--k", int(free / 32), ranks=1)

    def test_options_that_do_not_go_together(self):
        for words, arguments in [
            (["no matrices", "--size"], []),
            (["--a requires --b", "--help"], ["--a", "a.npy"]),
            (["--b requires --a", "--help"], ["--b", "b.npy"]),
            (["--a excludes --size", "--help"], ["--a", "a.npy", "--b", "b.npy", "--size", 3]),
            (["--a excludes --seed", "--help"], ["--a", "a.npy", "--b", "b.npy", "--seed", 3]),
            (["--n is missing", "--size"], ["--m", 3, "--k", 3]),
            (["--size 5 where each dimension is stated"], ["--size", 5, "--m", 3, "--n", 3, "--k", 3]),
            (["--root 7", "0 to 1"], ["--size", 5, "--root", 7]),
            (["--root", "'-1'"], ["--size", 5, "--root", -1]),
            (["--root", "'3000000000'"], ["--size", 5, "--root", 3000000000]),
            (["--threads", "'0'"], ["--size", 5, "--threads", 0]),
            (["2000000 BLAS threads on host ", "at most", "ask for fewer"], ["--size", 5, "--threads", 2000000]),
            (["--seed", "'-1'"], ["--size", 5, "--seed", -1]),
            (["--dtype", "'int64'", "float32, float64"], ["--size", 5, "--dtype", "int64"]),
            (["--shares", "'1'", "best, equal, speed"], ["--size", 5, "--shares", 1]),
            (["--collectives", "'mpi'", "native, tombolo"], ["--size", 5, "--collectives", "mpi"]),
            (["--size", "--help"], ["--size", 5, "--size", 6]),
            (["--size", "--help"], ["--size"]),
            (["--no-such-option", "--help"], ["--no-such-option"]),
            (["two\\x0alines", "--help"], ["--size", 5, "two\nlines"]),
        ]:
            # Ranks must be two for its root to be none of them.
            self.refuse(words, *arguments, ranks=2 if "0 to 1" in words else 0)

    def test_a_file_that_cannot_be_written_in_the_end(self):
        # 8 MiB: more than MPI's own files, less than C.
        limited = ("bash", "-c", 'ulimit -f 8192 && exec "$@"', "bash")
        words = ["c.npy", "File too large", "ulimit -f"]
        self.refuse(words, "--m", 1500, "--n", 1500, "--k", 10, "--c", "c.npy", through=limited)
        self.refuse(words, "--m", 1500, "--n", 1500, "--k", 10, "--c", "c.npy", "--root", 2, through=limited)
