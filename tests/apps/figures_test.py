"""scripts/figures: what it says without simulating anything."""

import subprocess
from pathlib import Path

import tombolo

FIGURES = Path(tombolo.os.environ["TOMBOLO_SOURCE"]) / "scripts/figures"


class Figures(tombolo.TestCase):
    def figures(self, *words):
        return subprocess.run([FIGURES, *words], cwd=self.folder, text=True, capture_output=True, check=False)

    def test_help(self):
        done = self.figures("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("docs/figures", done.stdout)

    def test_what_is_not_a_part_is_refused_in_one_line(self):
        for words in (("--only", "nothing"), ("nothing",)):
            done = self.figures(*words)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertRegex(done.stderr, r"\Ascripts/figures: [^\n]+; see scripts/figures --help\n\Z")


if __name__ == "__main__":
    tombolo.unittest.main()
