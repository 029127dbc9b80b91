"""Scripts end with a status and at most one line on stderr, whatever they are given to read and to write to."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import tombolo

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
NAMES = ("grid", "unequal", "compare")
sys.path.insert(0, str(SCRIPTS))
import files


def run(name, *words, **how):
    return subprocess.run([str(SCRIPTS / name), *map(str, words)], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, timeout=tombolo.SECONDS, **how)


class Endings(unittest.TestCase):
    def check(self, name, done, words):
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, rf"\Ascripts/{name}: [^\n]*{words}[^\n]*; [^\n]+\n\Z")

    def test_a_full_disk(self):
        for name in NAMES:
            with self.subTest(name=name), open("/dev/full", "w") as full:
                self.check(name, run(name, "--help", stdout=full), "No space left")

    def test_no_output_at_all(self):
        for name in NAMES:
            with self.subTest(name=name):
                self.check(name, run(name, "--help", preexec_fn=lambda: os.close(1)), "is closed")

    def test_a_reader_that_has_gone_is_told_nothing(self):
        for name in NAMES:
            with self.subTest(name=name):
                reading, writing = os.pipe()
                os.close(reading)
                done = run(name, "--help", stdout=writing)
                os.close(writing)
                self.assertEqual((done.returncode, done.stderr), (1, ""))

    def test_what_never_ends_is_not_read(self):
        self.check("grid", run("grid", "up", "/dev/zero"), "/dev/zero: it is a pipe or a device")
        self.check("compare", run("compare", "a=/dev/zero"), "/dev/zero: it is a pipe or a device")

    def test_what_is_no_file_is_not_written(self):
        self.check("grid", run("grid", "platform", "grid4x4", "-o", "/dev/full"), "cannot write /dev/full")


class Whole(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def test_what_is_written_is_read(self):
        for text in ("", "a", "one\ntwo\n" * 100000):
            files.write_whole(self.folder / "a", text)
            self.assertEqual(files.read_whole(self.folder / "a").decode(), text)
            self.assertEqual([path.name for path in self.folder.iterdir()], ["a"])

    def test_nothing_is_left_of_what_fails(self):
        (self.folder / "a").mkdir()
        os.mkfifo(self.folder / "pipe")
        for path in ("a", "none/b", "pipe", "pipe/c"):
            with self.subTest(path=path), self.assertRaises(OSError) as raised:
                files.write_whole(self.folder / path, "text")
            self.assertEqual(raised.exception.filename, str(self.folder / path))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a", "pipe"])

    def test_what_cannot_be_read(self):
        os.mkfifo(self.folder / "pipe")
        with open(self.folder / "large", "wb") as large:
            large.truncate(files.MOST + 1)
        for path, words in (("pipe", "pipe"), ("large", "larger"), ("none", "No such"), (".", "directory")):
            with self.subTest(path=path), self.assertRaises(OSError) as raised:
                files.read_whole(self.folder / path)
            self.assertIn(words, raised.exception.strerror)


if __name__ == "__main__":
    unittest.main()
