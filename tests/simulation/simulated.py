"""Runs commands on simulated platforms, for the tests beside this file."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["TOMBOLO_SOURCE"])
TOMBOLO = str(Path(os.environ["TOMBOLO_BIN"]) / "tombolo")
SELECTORS = ("default", "mpich", "ompi", "mvapich2", "impi")
SECONDS = 240  # after which a simulation hangs


class TestCase(unittest.TestCase):
    """A test with an empty folder of its own, in which its simulations run."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def simulate(self, platform, *arguments, options=(), through=(), program=TOMBOLO):
        words = [*through, SOURCE / "scripts/simulate", *options, platform, "--", program, *arguments]
        return subprocess.run(
            list(map(str, words)),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )

    def succeed(self, platform, *arguments, **how):
        """Runs it; it must exit with 0 and say nothing on stderr. Returns what it said."""
        done = self.simulate(platform, *arguments, **how)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        return done.stdout

    def report(self, platform, *arguments, **how):
        """Runs an application; returns its report."""
        self.succeed(platform, *arguments, "--report", "report.json", **how)
        return json.loads((self.folder / "report.json").read_text())

    def fail_with(self, words, platform, *arguments, **how):
        """Runs it; it must end with a status that is not 0 and say why in one line, as outside."""
        before = set(self.folder.iterdir())
        done = self.simulate(platform, *arguments, **how)
        self.assertNotEqual(done.returncode, 0, done)
        self.assertEqual(done.stdout, "", done)
        self.assertRegex(done.stderr, r"\A(tombolo|scripts/simulate): [^\n]+; [^\n]+\n\Z", done)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(set(self.folder.iterdir()), before, done)
