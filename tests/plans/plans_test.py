"""No plan is predicted to take longer than the one that was chosen for the same request when the record was made."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["TOMBOLO_SOURCE"])
PLANS = SOURCE / "scripts/plans"
RECORDED = Path(__file__).resolve().parent / "recorded.csv"  # scripts/plans record tests/plans/recorded.csv
REQUESTS = 96  # of the thousand that were recorded, six on each platform


def plans(*words):
    return subprocess.run([PLANS, *map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL)


class Plans(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "now.csv"

    def test_no_prediction_is_longer_than_it_was(self):
        build = Path(os.environ["TOMBOLO_BIN"]).parent
        done = plans("record", self.file, "--requests", REQUESTS, "--build", build)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = plans("compare", RECORDED, self.file)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        compared = int(re.search(r"(\d+) compared", done.stdout)[1])
        self.assertGreater(compared, 0.9 * REQUESTS, done.stdout)  # some are drawn twice

    def test_a_longer_prediction_is_found(self):
        lines = RECORDED.read_text(encoding="utf-8").splitlines()[:3]
        words = lines[1].split(",")
        words[-4] = str(int(words[-4]) * 102 // 100)
        self.file.write_text("\n".join([lines[0], ",".join(words), lines[2]]) + "\n", encoding="utf-8")
        done = plans("compare", RECORDED, self.file)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("1 over 1 % longer", done.stdout)

    def test_records_without_a_common_request_are_refused(self):
        self.file.write_text(RECORDED.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
        done = plans("compare", RECORDED, self.file)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no request in common", done.stderr)


if __name__ == "__main__":
    unittest.main()
