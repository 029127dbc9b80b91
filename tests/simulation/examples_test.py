"""The examples on simulated platforms: what they compute is right, and the same whoever takes part."""

import os
import unittest
from pathlib import Path

import numpy as np

import simulated

BIN = Path(os.environ["TOMBOLO_BIN"])
PLATFORMS = ("ucd16", "grid5000")


def chain(rows):
    """The matrix of a chain of springs, dense."""
    return 2.1 * np.eye(rows) - np.eye(rows, k=1) - np.eye(rows, k=-1)


class Examples(simulated.TestCase):
    def run_example(self, platform, name, *arguments):
        return self.succeed(platform, *arguments, program=BIN / f"example_{name}")

    def test_jacobi(self):
        plate = np.random.default_rng(1).uniform(-1, 1, (97, 53))
        np.save(self.folder / "in.npy", plate)
        for _ in range(5):
            sums = ((plate[:-2, 1:-1] + plate[2:, 1:-1]) + plate[1:-1, :-2]) + plate[1:-1, 2:]
            plate[1:-1, 1:-1] = 0.25 * sums
        for platform in PLATFORMS:
            with self.subTest(platform=platform):
                self.run_example(platform, "jacobi", "in.npy", "out.npy", "--iterations", 5, "--tolerance", 0)
                np.testing.assert_array_equal(np.load(self.folder / "out.npy"), plate)

    def test_conjugate_gradients(self):
        matrix = chain(150)
        entries = np.argwhere(np.tril(matrix))
        lines = ["%%MatrixMarket matrix coordinate real symmetric", f"150 150 {len(entries)}"]
        lines += [f"{i + 1} {j + 1} {matrix[i, j]}" for i, j in entries]
        (self.folder / "a.mtx").write_text("\n".join(lines) + "\n")
        for platform in PLATFORMS:
            with self.subTest(platform=platform):
                self.run_example(platform, "cg", "a.mtx", "x.npy", "--tolerance", 1e-13)
                x = np.load(self.folder / "x.npy").ravel()
                np.testing.assert_allclose(x, np.linalg.solve(matrix, np.ones(150)), rtol=1e-8)

    def test_mandelbrot(self):
        pictures = []
        for platform in PLATFORMS:
            with self.subTest(platform=platform):
                self.run_example(platform, "mandelbrot", "out.npy", "--width", 41, "--height", 60, "--most", 50)
                pictures.append(np.load(self.folder / "out.npy"))
                self.assertEqual(pictures[-1].shape, (60, 41))
                self.assertEqual((pictures[-1].min(), pictures[-1].max()), (1, 50))
        np.testing.assert_array_equal(pictures[0], pictures[-1])
