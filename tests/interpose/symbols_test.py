"""docs/unmodified.md says of every collective function that the MPI libraries export what becomes of it."""

import re
import sys
import unittest
from pathlib import Path

import starting

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "lab")]
from figures import symbols


class Symbols(unittest.TestCase):
    def test_the_table_is_that_of_the_libraries(self):
        lines = symbols.lines(starting.LIBRARIES)
        if lines is None:
            print("skipped: the table is of both MPI libraries, and one is not installed")
            return
        page = (ROOT / "docs/unmodified.md").read_text()
        written = re.search(r"<!-- table symbols -->\n(?:\|.*\n){2}((?:\|.*\n)+)", page)[1].splitlines()
        self.assertEqual(written, ["| " + " | ".join(line) + " |" for line in lines], "run scripts/tables symbols")

    def test_no_collective_function_is_left_out(self):
        for mpi, (library, _) in symbols.MPIS.items():
            file = symbols.found(library)
            if file:
                self.assertEqual(symbols.unknown(symbols.names(file, "--defined-only")), set(), mpi)

    def test_fortran_reaches_every_function_by_a_name_that_is_taken(self):
        for line in symbols.lines(starting.LIBRARIES) or ():
            self.assertNotIn("none", line[-1], line)


if __name__ == "__main__":
    unittest.main()
