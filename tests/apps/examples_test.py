"""The examples, and their twins in plain MPI (tests/framework/twins), compute what NumPy does, whatever the ranks."""

import itertools
import os
import re
import subprocess
from pathlib import Path

import numpy as np

import tombolo

KINDS = ("twin", "example")
RANKS = (1, 2, 3, 5)
ROOT = Path(__file__).resolve().parents[2]
MOST_LINES = 120


def relaxed(plate, iterations, tolerance):
    """Jacobi's method in the same order of additions: the plate, how often, the last of the largest changes."""
    now = plate.copy()
    largest = np.inf
    done = 0
    while done < iterations and not largest < tolerance:
        following = now.copy()
        sums = ((now[:-2, 1:-1] + now[2:, 1:-1]) + now[1:-1, :-2]) + now[1:-1, 2:]
        following[1:-1, 1:-1] = 0.25 * sums
        largest = np.abs(following - now).max(initial=0)
        now = following
        done += 1
    return now, done, largest


def mandelbrot(width, height, most):
    """How many iterations every point takes, the same operations in the same order."""
    a = (-2 + 3 * (np.arange(width) + 0.5) / width)[np.newaxis, :]
    b = (-1.25 + 2.5 * (np.arange(height) + 0.5) / height)[:, np.newaxis]
    x, y, counts = (np.zeros((height, width)) for _ in range(3))
    for _ in range(most):
        inside = x * x + y * y <= 4
        counts += inside
        following = np.where(inside, x * x - y * y + a, x)
        y = np.where(inside, 2 * x * y + b, y)
        x = following
    return counts


def laplacian(rows, columns):
    """The five-point matrix of a grid, dense."""
    matrix = np.zeros((rows * columns,) * 2)
    number = np.arange(rows * columns).reshape(rows, columns)
    for here, there in ((number[1:], number[:-1]), (number[:, 1:], number[:, :-1])):
        matrix[here, there] = matrix[there, here] = -1
    return matrix + 4 * np.eye(rows * columns)


def matrix_market(matrix, kind="real symmetric"):
    """The text of a .mtx file; a symmetric one holds the lower triangle."""
    kept = np.tril(matrix) if kind.endswith("symmetric") else matrix
    lines = [f"%%MatrixMarket matrix coordinate {kind}", "{} {} {}".format(*matrix.shape, np.count_nonzero(kept))]
    lines += [f"{i + 1} {j + 1} {kept[i, j]!r}" for i, j in np.argwhere(kept)]
    return "\n".join(lines) + "\n"


def number(name, text):
    """The number after a word that a program has printed."""
    return float(re.search(rf"\b{name} (\S+)", text)[1])


class Programs(tombolo.TestCase):
    def run_program(self, program, *arguments, ranks):
        command = [tombolo.MPIRUN, str(ranks), str(Path(os.environ["TOMBOLO_BIN"]) / program), *map(str, arguments)]
        return subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=tombolo.SECONDS)

    def each(self, check, name, *arguments, ranks=RANKS):
        """Runs every kind of program of this name on every number of ranks; check gets what it has printed."""
        for kind, count in itertools.product(KINDS, ranks):
            with self.subTest(program=f"{kind}_{name}", arguments=arguments, ranks=count):
                done = self.run_program(f"{kind}_{name}", *arguments, ranks=count)
                self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
                self.assertGreaterEqual(number("seconds", done.stdout), 0)
                check(done.stdout)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def expect_refusal(self, words, name, *arguments):
        """A line of stderr says what is wrong."""
        for kind in KINDS:
            with self.subTest(program=f"{kind}_{name}", arguments=arguments):
                done = self.run_program(f"{kind}_{name}", *arguments, ranks=3)
                self.assertNotEqual(done.returncode, 0, done.stdout)
                self.assertRegex(done.stderr, rf"(?m)^\S+: .*{words}.*; .+$")


class Jacobi(Programs):
    def check(self, shape, *, iterations, tolerance, ranks=RANKS):
        plate = np.random.default_rng(1).uniform(-1, 1, shape)
        self.save("in.npy", plate)
        right, count, largest = relaxed(plate, iterations, tolerance)
        options = ("--iterations", iterations, "--tolerance", tolerance)

        def check(out):
            np.testing.assert_array_equal(self.load("out.npy"), right)
            self.assertEqual((number("iterations", out), number("change", out)), (count, largest))

        self.each(check, "jacobi", "in.npy", "out.npy", *options, ranks=ranks)
        return count

    def test_a_plate_that_converges(self):
        count = self.check((37, 53), iterations=2000, tolerance=1e-4)
        self.assertTrue(10 < count < 2000)

    def test_so_many_iterations(self):
        for iterations, ranks in ((0, 3), (1, 3), (2, 1), (7, 3)):
            self.check((12, 9), iterations=iterations, tolerance=0, ranks=(ranks,))

    def test_what_is_no_number_is_no_convergence(self):
        plate = np.zeros((5, 5))
        plate[2, 2] = np.nan
        self.save("in.npy", plate)
        done = self.run_program("example_jacobi", "in.npy", "out.npy", ranks=2)
        self.assertIn("iterations 1 change nan", done.stdout)

    def test_a_tolerance_that_is_not_met_is_told(self):
        self.save("in.npy", np.random.default_rng(1).uniform(-1, 1, (9, 9)))
        done = self.run_program("example_jacobi", "in.npy", "out.npy", "--iterations", 2, ranks=2)
        self.assertIn("not below the tolerance of 1e-06", done.stdout)

    def test_fewer_rows_than_ranks_and_none(self):
        for ranks, shapes in ((5, ((4, 6), (5, 4), (6, 1))), (3, ((3, 3), (2, 5), (1, 1), (4, 2), (0, 0), (0, 4))),
                              (1, ((3, 3), (0, 4)))):
            for shape in shapes:
                self.check(shape, iterations=3, tolerance=1e-9, ranks=(ranks,))

    def test_files_that_are_no_plate(self):
        self.expect_refusal("missing.npy", "jacobi", "missing.npy", "out.npy")
        self.save("line.npy", np.zeros(4))
        self.expect_refusal("line.npy", "jacobi", "line.npy", "out.npy")


class ConjugateGradients(Programs):
    def check(self, matrix, kind="real symmetric", ranks=RANKS):
        self.write("a.mtx", matrix_market(matrix, kind))
        right = np.linalg.solve(matrix, np.ones(len(matrix)))

        def check(out):
            x = self.load("x.npy")
            self.assertEqual((x.size, x.dtype), (len(matrix), np.float64))
            np.testing.assert_allclose(x.ravel(), right, rtol=1e-8)
            self.assertLessEqual(number("iterations", out), 2 * len(matrix))
            self.assertLessEqual(number("residual", out), 1e-13)

        self.each(check, "cg", "a.mtx", "x.npy", "--tolerance", 1e-13, ranks=ranks)

    def test_a_laplacian(self):
        self.check(laplacian(17, 13))

    def test_fewer_rows_than_ranks_and_none(self):
        for rows, ranks in ((0, (1, 3)), (1, (3,)), (3, (5,))):
            self.check(laplacian(rows, 1), ranks=ranks)

    def test_all_entries_in_the_file(self):
        self.check(laplacian(5, 6), "real general", ranks=(2,))
        self.check(laplacian(5, 6).astype(int), "integer symmetric", ranks=(2,))

    def test_iterations_are_counted(self):
        self.write("a.mtx", matrix_market(laplacian(9, 9)))

        def check(out):
            self.assertEqual(number("iterations", out), 3)

        self.each(check, "cg", "a.mtx", "x.npy", "--iterations", 3, "--tolerance", 0, ranks=(1, 3))

    def test_files_that_are_no_such_matrix(self):
        self.expect_refusal("missing.mtx", "cg", "missing.mtx", "x.npy")
        lower = np.tril(laplacian(2, 3))
        for words, text in (
            ("no Matrix Market file", "hello\n"),
            ("damaged", matrix_market(lower).replace("\n1 1 4.0\n", "\n")),
            ("pattern", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"),
            ("complex", "%%MatrixMarket matrix coordinate complex hermitian\n1 1 1\n1 1 2 0\n"),
            ("6 x 5", matrix_market(lower[:, :5], "real general")),
            ("not symmetric", matrix_market(lower, "real general")),
        ):
            self.write("a.mtx", text)
            self.expect_refusal(f"a.mtx.*{words}", "cg", "a.mtx", "x.npy")
            self.assertFalse((self.folder / "x.npy").exists())


class Mandelbrot(Programs):
    def check(self, width, height, most, ranks=RANKS):
        right = mandelbrot(width, height, most)
        options = ("--width", width, "--height", height, "--most", most)

        def check(out):
            np.testing.assert_array_equal(self.load("out.npy"), right)
            self.assertEqual(number("iterations", out), right.sum())
            pgm = re.fullmatch(rb"P5\s(\d+)\s(\d+)\s255\s(.*)", (self.folder / "out.pgm").read_bytes(), re.DOTALL)
            self.assertEqual((int(pgm[1]), int(pgm[2])), (width, height))
            self.assertEqual(list(pgm[3]), [255 - 255 * int(count) // most for count in right.flat])

        self.each(check, "mandelbrot", "out.npy", *options, ranks=ranks)

    def test_a_picture(self):
        self.check(123, 97, 150)

    def test_fewer_rows_than_ranks(self):
        for height, ranks in ((1, 3), (2, 3), (4, 5)):
            self.check(7, height, 20, ranks=(ranks,))


class Matmul(Programs):
    def test_the_twin_multiplies(self):
        for size, ranks in ((150, 1), (1, 2), (150, 3), (4, 5), (150, 5)):
            with self.subTest(size=size, ranks=ranks):
                done = self.run_program("twin_matmul", "--size", size, ranks=ranks)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertAlmostEqual(number("checksum", done.stdout), number("expected", done.stdout), delta=1e-9)


class Examples(tombolo.TestCase):
    def test_an_example_is_short(self):
        for path in (ROOT / "examples").glob("*.cpp"):
            with self.subTest(path=path.name):
                self.assertLessEqual(path.read_text().count("\n"), MOST_LINES)
