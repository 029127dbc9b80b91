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

    def test_unknown_options_are_refused_in_one_line(self):
        for script in sorted(SCRIPTS.iterdir()):
            if os.access(script, os.X_OK) and script.is_file():
                with self.subTest(name=script.name):
                    done = run(script.name, "--no-such-option", stdout=subprocess.PIPE)
                    self.assertIn(done.returncode, (1, 2))
                    self.assertRegex(done.stdout + done.stderr, rf"\A(scripts/{script.name}|tombolo-run): [^\n]+; [^\n]+\n\Z")

    def test_files_of_another_kind_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "machines.json").write_text('{"format": "tombolo platform"}\n')
            done = run("simulate", "machines.json", "--", "tombolo", "matmul", cwd=folder)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, r"\Ascripts/simulate: 'machines.json' is no SimGrid description; [^\n]+\n\Z")
            self.check("grid", run("grid", "up", "machines.json", cwd=folder), "machines.json is not TOML")
            self.check("plans", run("plans", "compare", "machines.json", "machines.json", cwd=folder), "is no record")
            self.check("plans", run("plans", "compare", "none.csv", "none.csv", cwd=folder), "none.csv: No such file")

    def test_what_never_ends_is_not_read(self):
        self.check("grid", run("grid", "up", "/dev/zero"), "/dev/zero: it is a pipe or a device")
        self.check("compare", run("compare", "a=/dev/zero"), "/dev/zero: it is a pipe or a device")

    def test_what_is_no_file_is_not_written(self):
        self.check("grid", run("grid", "platform", "grid4x4", "-o", "/dev/full"), "cannot write /dev/full")

    def test_host_files_are_read_as_tombolo_reads_them(self):
        with tempfile.TemporaryDirectory() as folder:
            hosts = Path(folder, "x.hosts")
            for text, words in (("t1-0:x", "t1-0:x"), ("t1-0:", "t1-0:"), ("t1-0:-1", "not a host"), (":3", ":3"),
                                ("t1-0:0", "not a host"), ("t1-0:1:2", "not a host"), ("t1-0:0x9", "not a host"),
                                ("t1-0 t1-1", "not a host"), ("t1-0\nt1-0:1e3", "line 2"), ("a\a:3", "not a host"), ("a\u009bb", "not a host"),
                                ("t1-0:1048577", "more than 1048576 ranks"), ("t1-0:" + "9" * 5000, "more than"),
                                ("t1-0:1000000\n" * 2, "line 2: more than")):
                with self.subTest(text=text[:20]):
                    hosts.write_text(text)
                    done = run("simulate", "--hosts", hosts, "ucd16", "--", "no-such-program", stdout=subprocess.PIPE)
                    self.assertEqual((done.returncode, done.stdout), (2, ""))
                    self.assertRegex(done.stderr, rf"\Ascripts/simulate: [^\n]*{words}[^\n]*; [^\n]+\n\Z")
                    shown = tombolo.run("show", SCRIPTS.parent / "lab/platforms/ucd16.xml", "--hosts", hosts)
                    self.assertNotEqual(shown.status, 0)
            hosts.write_text("t1-0\r\n\n  t1-1:2\n")
            done = run("simulate", "--hosts", hosts, "ucd16", "--", "no-such-program", stdout=subprocess.PIPE)
            self.assertIn("there is no program 'no-such-program'", done.stderr)


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

    def test_what_a_link_leads_to_is_written(self):
        (self.folder / "there").mkdir()
        (self.folder / "link").symlink_to("there/a")
        for text in ("one", "two"):
            files.write_whole(self.folder / "link", text)
            self.assertTrue((self.folder / "link").is_symlink())
            self.assertEqual((self.folder / "there/a").read_text(), text)
            self.assertFalse((self.folder / "there/a").is_symlink())
        self.assertEqual(len(list((self.folder / "there").iterdir())), 1)

    def test_nothing_is_left_of_what_fails(self):
        (self.folder / "a").mkdir()
        os.mkfifo(self.folder / "pipe")
        (self.folder / "round").symlink_to("round")
        for path in ("a", "none/b", "pipe", "pipe/c", "round"):
            with self.subTest(path=path), self.assertRaises(OSError) as raised:
                files.write_whole(self.folder / path, "text")
            self.assertEqual(raised.exception.filename, str(self.folder / path))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a", "pipe", "round"])

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
