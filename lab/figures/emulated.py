"""Real MPI on an emulated grid, for figures: it is brought up, used, and taken down again."""

import json
import os
import shutil
import subprocess
import sys

from simulations import ROOT, Refused, rows

GRID = ROOT / "scripts/grid"
TOMBOLO = ROOT / "build/release/bin/tombolo"


def command(*words):
    """What a command says."""
    words = list(map(str, words))
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise Refused(f"{' '.join(words)}: {done.stderr.strip()[-2000:]}")
    return done.stdout


class Emulated:
    """A grid that is up from `with` on. Plans are chosen by what tombolo discover finds in its default budget."""

    def __init__(self, description, scratch, environment=()):
        self.description = description
        self.scratch = scratch
        self.environment = tuple(environment)  # NAME=VALUE, of all ranks
        self.name = f"figures-{os.getpid()}"
        self.kept = None

    def __enter__(self):
        self.say("up")
        print(command(GRID, "up", self.description, "--name", self.name), file=sys.stderr)
        return self

    def __exit__(self, *_):
        command(GRID, "down", "--name", self.name)

    def say(self, what):
        print(f"{self.description}: {what}", file=sys.stderr, flush=True)

    @property
    def slots(self):
        """How many ranks there can be."""
        status = json.loads(command(GRID, "status", "--json", "--name", self.name))
        return sum(host["processes"] for host in status["hosts"])

    def run(self, ranks, *words, mpi="mpich"):
        """What a program says that runs on so many ranks."""
        given = [word for setting in self.environment for word in ("--env", setting)]
        options = ("--name", self.name, "--quiet", "--mpi", mpi, *given)
        return command(GRID, "run", "-n", ranks, *options, "--", *words)

    def bench(self, ranks, operations, *words):
        """The rows that tombolo bench says of operations; by the platform that was discovered once on this grid."""
        self.say(f"{operations} {' '.join(map(str, words))}")
        common = ("--platform", self.platform(ranks), "--format", "csv")
        return rows(self.run(ranks, TOMBOLO, "bench", operations, *common, *words))

    def platform(self, ranks):
        """The file of what was discovered."""
        if self.kept is None:
            self.say("discovering")
            self.kept = self.scratch / f"{self.name}.json"
            self.run(ranks, TOMBOLO, "discover", "-o", self.kept)
        return self.kept

    def described(self):
        """The description as one of SimGrid's, with its host file beside it."""
        file = self.scratch / "described.xml"
        command(GRID, "platform", self.description, "-o", file)
        return file


def half_interval(row):
    """Of what tombolo bench says, half the 95 % interval of the median, as a part of it."""
    return (float(row["high_s"]) - float(row["low_s"])) / 2 / float(row["median_s"])


def build_for_openmpi(source, program):
    """Compiles a program of one file by Open MPI's compiler; false if that is not here."""
    if not shutil.which("mpicxx.openmpi"):
        return False
    command("mpicxx.openmpi", "-std=c++20", "-O2", source, "-o", program)
    return True
