"""How commands are started wrongly: ranks with unequal command lines, another MPI's mpiexec."""

import subprocess
import unittest
from pathlib import Path

import tombolo


class Starting(tombolo.TestCase):
    def test_unequal_command_lines_end_at_once(self):
        for first, second, words in (
            (("discover", "-o", "d.json"), ("discover", "--nope"), '"--nope" instead of "-o"'),
            (("discover",), ("discover", "--levels", "levels"), '"--levels" instead of nothing more'),
            (("bench", "bcast"), ("bench", "reduce"), '"reduce" instead of "bcast"'),
            (("bench", "bcast", "--root", 0), ("bench", "bcast", "--root", 1), '"1" instead of "0"'),
            (("matmul", "--size", 10), ("matmul", "--size", 10, "--memory", 4), '"--memory"'),
            (("transpose", "--size", 10, "--in-place"), ("transpose", "--size", 10), '"--in-place"'),
        ):
            with self.subTest(first=first, second=second):
                arguments = (*first, ":", "-n", 1, tombolo.TOMBOLO, *second)
                self.fail_with(["rank 1", words], *arguments, ranks=1)

    def test_programs_that_have_options_are_told_too(self):
        example = str(Path(tombolo.TOMBOLO).parent / "example_jacobi")
        command = [tombolo.MPIRUN, "1", example, "in.npy", "out.npy", ":", "-n", "1", example, "in.npy"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=tombolo.SECONDS)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r'\Ajacobi: rank 1 [^\n]*nothing more instead of "out.npy"; [^\n]+\n\Z')

    def test_open_mpi_starts_lone_processes(self):
        for rank, status, lines in ((0, 1, 1), (1, 0, 0)):
            environment = ("env", "OMPI_COMM_WORLD_SIZE=2", f"OMPI_COMM_WORLD_RANK={rank}")
            result = self.run_here("matmul", "--size", 10, through=environment)
            self.assertEqual((result.status, result.out, result.err.count("\n")), (status, "", lines), result)
            self.assertIn("mpiexec.mpich" if lines else "", result.err)


if __name__ == "__main__":
    unittest.main()
