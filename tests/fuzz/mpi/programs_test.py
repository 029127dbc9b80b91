"""Programs made up from seeds compute the same on any ranks as an interpreter that knows of none."""

import os
import subprocess
import unittest
from pathlib import Path

BINARY = str(Path(os.environ["TOMBOLO_BIN"]) / "fuzz_programs")
SIMULATED = os.environ["TOMBOLO_EXAMPLES"] == "simulate"
SECONDS = 240  # after which ranks hang


def launch(where, programs):
    """Says what the run on so many ranks, or on that simulated platform, printed."""
    if SIMULATED:
        command = [str(Path(os.environ["TOMBOLO_SOURCE"]) / "scripts/simulate"), where, "--"]
    else:
        command = [os.environ["TOMBOLO_MPIRUN"], str(where)]
    done = subprocess.run(
        [*command, BINARY, "--programs", str(programs)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    if done.returncode != 0:
        raise AssertionError(f"{where}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Programs(unittest.TestCase):
    def test_they_are_right_and_refused_alike_wherever_they_run(self):
        places, programs = (("ucd16", "triangle"), 10) if SIMULATED else ((1, 2, 3, 8), 60)
        said = {where: launch(where, programs) for where in places}
        self.assertEqual(len(set(said.values())), 1, said)
        self.assertIn(f"programs {programs} right {programs} ", said[places[0]])


if __name__ == "__main__":
    unittest.main()
