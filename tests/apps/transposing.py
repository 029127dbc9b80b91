"""What tests of `tombolo transpose` have in common."""

import numpy as np

import tombolo

RANKS = (1, 2, 3, 5, 8)
TYPES = (np.float32, np.float64, np.complex64, np.complex128)


def random_bits(shape, dtype=np.float64, seed=0):
    """Whatever the bits can be, and so infinities, denormals and NaN of every kind."""
    bits = np.random.default_rng(seed).bytes(int(np.prod(shape)) * np.dtype(dtype).itemsize)
    return np.frombuffer(bits, dtype).reshape(shape)


class TestCase(tombolo.TestCase):
    def check_transpose(self, a, *options, order=None, ranks):
        """Of a.npy, which holds `a`, into an order that is asked for or the usual one; returns the report."""
        words = ("transpose", "--in", "a.npy", "--out", "b.npy", "--report", "report.json")
        asked = () if order is None else ("--out-order", order)
        self.text = self.succeed(*words, *asked, *options, ranks=ranks).out
        self.assertTrue((self.folder / "b.npy").read_bytes().startswith(b"\x93NUMPY\x01\x00"))
        b = self.load("b.npy")
        contiguous = b.flags.f_contiguous if order == "F" else b.flags.c_contiguous
        self.assertEqual((b.shape, b.dtype, contiguous), (a.shape[::-1], a.dtype, True))
        self.assertEqual(b.tobytes(), np.ascontiguousarray(a.T).tobytes())
        self.assertIn("\nverified: ", self.text)
        report = self.report()
        self.assertIs(report["verified"], True)
        return report
