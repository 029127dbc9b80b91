"""The examples in the documentation work as printed.

A fenced block whose info string is `sh test` (in preset smpi: `sh simulate`) is a shell script. The blocks of one page run one after the other in one
empty folder, with the built commands on the PATH; the files of examples/, docs/, lab/ and scripts/ can be reached there.
Each must exit with 0. They start at most two ranks, for that runs well on any machine.

A block whose info string is `cpp FILE`, `cmake FILE` or `json FILE` is part of that file, word for word; the files of
examples/ and of tests/install/outside/ are built and run, or read by a test.
"""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KIND = os.environ.get("TOMBOLO_EXAMPLES", "test")
BLOCK = re.compile(rf"^```sh {KIND}[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
PART = re.compile(r"^```(?:cpp|cmake|json) ([\w/.]+)[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
SECONDS = 240


def blocks(text):
    """(line number, script) of every block that is to be run."""
    for found in BLOCK.finditer(text):
        yield text.count("\n", 0, found.start(1)) + 1, found.group(1)


def run(script, folder):
    path = os.pathsep.join([os.environ.get("TOMBOLO_BIN", ""), os.environ["PATH"]])
    environment = dict(os.environ, PATH=path, OPENBLAS_NUM_THREADS="1")
    environment["ASAN_OPTIONS"] = "detect_leaks=0"  # of MPICH and UCX; tests without MPI look for our own
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


def is_part(block, text):
    return block.strip() in text


PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]


class Examples(unittest.TestCase):
    def test_every_page(self):
        for page in PAGES:
            with tempfile.TemporaryDirectory() as folder:
                for name in ("examples", "docs", "lab", "scripts"):
                    (Path(folder) / name).symlink_to(ROOT / name)
                for line, script in blocks(page.read_text(encoding="utf-8")):
                    with self.subTest(page=str(page.relative_to(ROOT)), line=line):
                        done = run(script, folder)
                        self.assertEqual(done.returncode, 0, f"\n{script}\n{done.stdout}\n{done.stderr}")

    def test_parts_of_files_are_in_them(self):
        seen = 0
        for page in PAGES:
            for path, block in PART.findall(page.read_text(encoding="utf-8")):
                with self.subTest(page=page.name, path=path):
                    self.assertTrue(is_part(block, (ROOT / path).read_text(encoding="utf-8")))
                seen += 1
        self.assertGreater(seen, 0)
        self.assertFalse(is_part("a\nb\n", "a\n b\n"))

    def test_only_marked_blocks_are_run(self):
        page = f"```sh\nfalse\n```\n\n```sh {KIND}\necho 1\necho 2\n```\n\n    ```sh test\n"
        self.assertEqual(list(blocks(page)), [(6, "echo 1\necho 2\n")])

    def test_a_failing_example_is_found(self):
        for script, status in [("false\ntrue\n", 1), ("false | true\n", 1), ("echo $unset_name\n", 1), ("true\n", 0)]:
            with self.subTest(script=script):
                self.assertEqual(run(script, ROOT).returncode, status)
