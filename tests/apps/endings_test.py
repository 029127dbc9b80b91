"""How a run ends when some ranks cannot go on: one line through a pipe, always, and nobody waits.

The programs are hidden test cases in tests/framework/mpi/session/end_run.cpp. TOMBOLO_ENDINGS=100 runs each so many times, and
says how long they took; MPI loses what a rank prints before it ends all in some of them only.
"""

import os
import subprocess
import sys
import time
import unittest

import tombolo

TIMES = int(os.environ.get("TOMBOLO_ENDINGS", 0))
SECONDS = 20  # though a busy machine may start ranks slowly


class Endings(unittest.TestCase):
    def end(self, program, ranks, failing):
        begin = time.monotonic()
        done = tombolo.run_program(program, ranks, "env", f"TOMBOLO_TEST_RANK={failing}")
        self.assertEqual(done.returncode, 1, done)
        self.assertNotIn("came back", done.stdout)
        seconds = time.monotonic() - begin
        self.assertLess(seconds, SECONDS)
        return done.stderr, seconds

    def repeat(self, times, ranks, failing, words):
        times = TIMES or times
        with self.subTest(ranks=ranks, failing=failing):
            ends = [self.end("ends_with_words", ranks, failing) for _ in range(times)]
            wrong = [line for line, _ in ends if not words(line)]
            if TIMES:
                seconds = sorted(seconds for _, seconds in ends)
                print(f"{ranks} ranks, failing: {failing}: one line in {times - len(wrong)} of {times} runs; "
                      f"median {seconds[times // 2]:.2f} s, longest {seconds[-1]:.2f} s", file=sys.stderr)
            self.assertEqual(wrong, [])

    def test_one_rank_fails(self):
        for times, ranks, failing in ((2, 1, 0), (10, 2, 0), (10, 2, 1), (4, 3, 0), (4, 3, 2), (3, 8, 0), (3, 8, 5)):
            line = f"test: rank {failing} is out of ink\n"
            self.repeat(times, ranks, failing, lambda said, line=line: said == line)

    def test_all_ranks_fail_and_one_says_so(self):
        for times, ranks in ((10, 2), (4, 3), (3, 8)):
            lines = [f"test: rank {rank} is out of ink\n" for rank in range(ranks)]
            self.repeat(times, ranks, "all", lambda said, lines=lines: said in lines)

    def test_a_rank_that_ends_before_the_others_is_named(self):
        remedy = "make collective calls on all ranks, in the same order"
        for ranks, early, words in (
            (2, 0, "rank 1 plans program heat where rank 0 ends"),
            (2, 1, "rank 1 ends where rank 0 plans program heat"),
            (3, 2, "rank 2 ends where rank 0 plans program heat"),
        ):
            with self.subTest(ranks=ranks, early=early):
                self.assertEqual(self.end("ends_early", ranks, early)[0], f"test: {words}; {remedy}\n")

    def test_whatever_was_thrown_has_words(self):
        for program, words in (
            ("ends_without_words", "failed without a reason"),
            ("ends_by_a_number", "failed without a reason"),
            ("ends_without_memory", "out of memory; take a smaller problem or more hosts"),
        ):
            with self.subTest(program=program):
                self.assertEqual(self.end(program, 2, 1)[0], f"test: {words}\n")

    def test_stderr_that_takes_nothing_changes_nothing(self):
        for redirected in ("2>/dev/full", "2>&-", "2>&- <&-"):
            with self.subTest(redirected):
                shell = ["sh", "-c", f'"$0" "$@" {redirected}', *tombolo.command("nope")]
                done = subprocess.run(shell, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS)
                self.assertEqual((done.returncode, done.stdout), (1, ""))


if __name__ == "__main__":
    unittest.main()
