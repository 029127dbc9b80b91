"""How programs end that are written with run_main(), the examples: help, mistakes, failures of all ranks and of one."""

import os
import subprocess
from pathlib import Path

import tombolo

BIN = Path(os.environ["TOMBOLO_BIN"])


class Main(tombolo.TestCase):
    def run_example(self, name, *arguments, ranks):
        command = [tombolo.MPIRUN, str(ranks), str(BIN / f"example_{name}"), *map(str, arguments)]
        return subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=tombolo.SECONDS)

    def test_help_comes_once(self):
        for ranks in (1, 3):
            with self.subTest(ranks=ranks):
                done = self.run_example("jacobi", "--help", ranks=ranks)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(done.stdout.count("Usage: jacobi"), 1)

    def test_what_is_wrong_is_one_line(self):
        for arguments, words in (
            ((), r"IN\.npy is required; see jacobi --help"),
            (("in.npy", "out.npy", "--tolerance", "small"), r".*small; see jacobi --help"),
            (("in.npy", "out.npy"), r".*in\.npy.*; .+"),
        ):
            with self.subTest(arguments=arguments, ranks=3):
                done = self.run_example("jacobi", *arguments, ranks=3)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertRegex(done.stderr, rf"\Ajacobi: {words}\n\Z")

    def test_what_one_rank_knows_ends_all(self):
        (self.folder / "out.pgm").mkdir()  # which rank 0 writes alone
        done = self.run_example("mandelbrot", "out.npy", "--width", 5, "--height", 5, ranks=3)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"\Amandelbrot: out\.pgm cannot be written; .*\n\Z")
