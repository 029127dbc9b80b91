"""TOMBOLO_CHECK=1 ends programs whose bodies do otherwise than they declare, in one line that names the task.

The programs are hidden test cases in tests/framework/mpi/program/check_mode.cpp, and in_parts.cpp beside it.
"""

import unittest

import tombolo

OTHER_RESULTS = r"'work' \(pass 1\) has other results [^\n]+"
FOUND = {
    "check_reads": r"'work' goes beyond the range of what it declares: reads\(a\); declare around\(\)[^\n]+",
    "check_writes": OTHER_RESULTS,
    "check_state": OTHER_RESULTS,
    "check_range": OTHER_RESULTS,
    "check_partial": r"'allreduce calls' \(pass 1\) has other results [^\n]+",
    "check_parts": OTHER_RESULTS,
    "check_pointer": r"'work' touches the memory of a otherwise than by a view; [^\n]+",
    "check_const": r"'work' writes to what it declares to read: reads\(a\); [^\n]+",
}


class CheckMode(unittest.TestCase):
    def found(self, program, ranks, words):
        with self.subTest(program=program, ranks=ranks):
            done = tombolo.run_program(program, ranks)
            self.assertNotEqual(done.returncode, 0, done)
            self.assertRegex(done.stderr, rf"\Atombolo: checked, rank \d on [^\n]+: {words}\n\Z")

    def test_on_one_rank_already(self):
        for program, words in FOUND.items():
            self.found(program, 1, words)

    def test_on_three_ranks(self):
        for program, words in FOUND.items():
            self.found(program, 3, words)
        self.found("check_copies", 3, r"'mark' leaves all different on different ranks; [^\n]+")


if __name__ == "__main__":
    unittest.main()
