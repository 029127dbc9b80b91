"""Projects outside of this tree that use an installed Tombolo, for the tests that make one."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

OUTSIDE = Path(__file__).resolve().parent / "outside"
BUILD = Path(os.environ["TOMBOLO_BIN"]).parent
SECONDS = 120  # after which a command hangs


def cached(name):
    """A variable of the build that is installed."""
    text = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
    return re.search(rf"^{name}:\w+=(.*)$", text, re.MULTILINE).group(1)


def run(*command, **environment):
    return subprocess.run(
        [str(word) for word in command],
        env=dict(os.environ, **environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
    )


class Projects(unittest.TestCase):
    """Sets up `folder`, a temporary one; what derives from it sets `prefix`, where Tombolo is installed."""

    @classmethod
    def setUpClass(cls):
        cls.cmake = cached("CMAKE_COMMAND")
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name).resolve()

    @staticmethod
    def must(*command):
        """What the command prints; it must succeed."""
        done = run(*command)
        if done.returncode:
            raise AssertionError(f"{command}\n{done.stdout}")
        return done.stdout

    def outside(self, name):
        """A copy of the project, which then builds beside its source as a user would."""
        return Path(shutil.copytree(OUTSIDE, self.folder / name))

    def configure(self, source, *options, **environment):
        folders = ["-S", source, "-B", source / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}"]
        tools = ["-G", cached("CMAKE_GENERATOR"), f"-DCMAKE_CXX_COMPILER={cached('CMAKE_CXX_COMPILER')}"]
        return run(self.cmake, *folders, *tools, *options, **environment)

    def build(self, source, *options):
        done = self.configure(source, *options)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.must(self.cmake, "--build", source / "build", "--parallel", 1)

    def check_squares(self, program):
        """Runs what the outside project has built."""
        for ranks in (1, 3):
            with self.subTest(ranks=ranks):
                said = self.must(os.environ["TOMBOLO_MPIRUN"], ranks, program)
                self.assertIn(f"{ranks} ranks: all squares are right\n", said)
