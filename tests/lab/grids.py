"""scripts/grid, for the tests beside this file: run as users do, on a grid of a name of its own."""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/grid"
BIN = Path(os.environ.get("TOMBOLO_BIN", ROOT / "build/release/bin"))
TOMBOLO = BIN / "tombolo"
SECONDS = 60  # after which a command hangs
sys.path[:0] = [str(SCRIPT.parent), str(ROOT / "lab")]

TWO_BY_TWO = """
[lan]
rate_mbit = 1000
[[site]]
name = "north"
hosts = 2
[[site]]
name = "south"
hosts = 2
processes = 3
[[link]]
between = ["north", "south"]
delay_ms = 5
rate_mbit = 50
queue_ms = 80
"""


def environment():
    return dict(os.environ, TOMBOLO_RELAY=str(BIN / "tombolo-relay"))


def words_of(*words):
    return [str(word) for word in (SCRIPT, *words)]


def grid(*words, **more):
    return subprocess.run(words_of(*words), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS,
                          env={**environment(), **more})


def why_not():
    """Why this machine can have no grid, in one line; None where it can."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "one.toml")
        file.write_text('[[site]]\nname = "one"\nhosts = 1\ncpu = 0.1\n')
        name = f"try-{os.getpid()}"
        done = grid("up", file, "--no-check", "--name", name)
        grid("down", "--name", name)
        return done.stderr.strip() if done.returncode else None


def skip(why):
    """Says why on stderr, where ctest and scripts/test find it."""
    print(f"skipped: {why}", file=sys.stderr)
    raise unittest.SkipTest(why)


def skip_unless_possible():
    """What a file of tests that needs a grid has as its setUpModule."""
    if why := why_not():
        skip(why)


def left_of(name):
    """All that a machine has of a grid: files, namespaces, mounts, cgroups, processes."""
    mounts = [line for line in Path("/proc/self/mountinfo").read_text().splitlines() if f"tombolo-{name}." in line]
    files = [*Path("/run/netns").glob(f"tombolo-{name}.*"), *Path("/run/tombolo-grid").glob(name)]
    # A walk bears that groups of others go meanwhile.
    groups = [folder for folder, *_ in os.walk("/sys/fs/cgroup") if Path(folder).name == f"tombolo-grid-{name}"]
    processes = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            said = Path("/proc", process, "cmdline").read_bytes()
        except OSError:
            continue
        if f"/run/tombolo-grid/{name}/".encode() in said:
            processes.append(said.replace(b"\0", b" ").decode(errors="replace"))
    return [*mounts, *map(str, files), *groups, *processes]


def own_network():
    """What must never change."""
    commands = (["ip", "-o", "link"], ["ip", "-o", "-4", "addr"], ["ip", "route"], ["tc", "qdisc"])
    shown = [subprocess.run(each, capture_output=True, text=True).stdout for each in commands]
    settings = [path.read_text() for path in sorted(Path("/proc/sys/net/ipv4").glob("tcp_*c*"))]
    return "".join([*shown, *settings])


def wait_until(holds, seconds=20):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


class TestCase(unittest.TestCase):
    """Has a folder with the description two.toml, and a grid's name that nothing has yet."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.name = f"test-{os.getpid()}"
        self.two = self.describe("two.toml", TWO_BY_TWO)

    def describe(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def grid(self, command, *words, **more):
        return grid(command, "--name", self.name, *words, **more)

    def succeed(self, command, *words, **more):
        done = self.grid(command, *words, **more)
        self.assertEqual(done.returncode, 0, f"{command} {words}\n{done.stdout}{done.stderr}")
        return done

    def refuse(self, pattern, command, *words, **more):
        done = self.grid(command, *words, **more)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, rf"\Ascripts/grid: [^\n]*{pattern}[^\n]*; [^\n]+\n\Z")

    def up(self, path=None):
        self.addCleanup(self.grid, "down")
        self.succeed("up", path or self.two, "--no-check")

    def start(self, command, *words):
        started = subprocess.Popen(words_of(command, "--name", self.name, *words), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
        self.addCleanup(started.communicate)
        self.addCleanup(started.kill)
        return started

    def status(self):
        return json.loads(self.succeed("status", "--json").stdout)

    def assert_gone(self, name=None):
        self.assertTrue(wait_until(lambda: not left_of(name or self.name)), left_of(name or self.name))
