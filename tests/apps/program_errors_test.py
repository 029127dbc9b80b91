"""A program of which a task throws on some ranks: one line says so, and nobody waits for them.

The programs are hidden test cases in tests/framework/mpi/program/errors.cpp.
"""

import time
import unittest

import tombolo

SECONDS = 20  # though a busy machine may start ranks slowly


class ProgramErrors(unittest.TestCase):
    def ends(self, program, ranks, throwing):
        with self.subTest(program=program, ranks=ranks):
            begin = time.monotonic()
            done = tombolo.run_program(program, ranks)
            self.assertNotEqual(done.returncode, 0, done)
            self.assertRegex(done.stderr, rf"\Atombolo: wrong, rank {throwing} on [^\n]+: out of ink\n\Z")
            self.assertNotIn("came back", done.stdout)
            self.assertLess(time.monotonic() - begin, SECONDS)

    def test_one_rank(self):
        for ranks in (1, 2, 5):
            self.ends("throws", ranks=ranks, throwing=ranks - 1)

    def test_one_rank_beside_collectives(self):
        for ranks in (2, 5):
            self.ends("throws_beside", ranks=ranks, throwing=ranks - 1)

    def test_all_ranks(self):
        for ranks in (2, 5):
            self.ends("throws_everywhere", ranks=ranks, throwing=r"\d")


if __name__ == "__main__":
    unittest.main()
