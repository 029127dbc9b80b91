"""The installed commands that are scripts, for the tests that install them."""

import json
import os
import re
import sys
from pathlib import Path

from projects import run

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/lab"))
import grids

NAMED = ("TOMBOLO_RELAY", "TOMBOLO_WAIT_IN_KERNEL")  # what is installed finds its own
PROGRAM = 'echo "$LD_PRELOAD"; readlink -f "$LD_PRELOAD"'


class Scripts:
    """Mixed into a test case whose `prefix` says where Tombolo is installed."""

    def script(self, name, *words):
        kept = {key: os.environ.pop(key) for key in NAMED if key in os.environ}
        try:
            return run(self.prefix / "bin" / name, *words)
        finally:
            os.environ.update(kept)

    def succeed(self, name, *words):
        done = self.script(name, *words)
        self.assertEqual(done.returncode, 0, f"{name} {words}\n{done.stdout}")
        return done.stdout

    def part(self, name):
        return self.prefix / "libexec/tombolo" / name

    def check_descriptions(self):
        said = [line.split()[0] for line in self.succeed("tombolo-grid", "list").splitlines()]
        self.assertEqual(said, sorted(path.stem for path in (ROOT / "lab/grids").glob("*.toml")))
        platform = self.folder / "ucd16.xml"
        self.succeed("tombolo-grid", "platform", "ucd16", "-o", platform)
        self.assertIn("<platform", platform.read_text())

    def check_words(self):
        """They call themselves as users do, and name files that are there."""
        for name, *words in (("tombolo-grid", "up", "no-such"), ("tombolo-grid", "fly"),
                             ("tombolo-unequal", "--shares")):
            with self.subTest(name=name, words=words):
                done = self.script(name, *words)
                self.assertNotEqual(done.returncode, 0)
                self.assertRegex(done.stdout, rf"\A{name}: [^\n]*; [^\n]*\n\Z")
        for name in "tombolo-grid", "tombolo-unequal":
            said = self.succeed(name, "--help")
            self.assertTrue(said.startswith(f"usage: {name} "))
            self.assertNotRegex(said, "scripts/|build/release")
        manual = re.search(r"^(.*grid\.md) says", self.succeed("tombolo-grid", "--help"), re.MULTILINE).group(1)
        self.assertTrue(Path(manual).is_file(), manual)

    def check_a_grid(self):
        """Its relay and the library that its ranks wait by are the installed ones. Nothing to check where this machine
        can have no grid."""
        if why := grids.why_not():
            self.skipTest(why)
        name = f"test-{os.getpid()}"
        description = self.folder / "two.toml"
        description.write_text(grids.TWO_BY_TWO)
        self.addCleanup(self.script, "tombolo-grid", "down", "--name", name)
        self.succeed("tombolo-grid", "up", description, "--no-check", "--name", name)
        (program,) = json.loads(Path(f"/run/tombolo-grid/{name}/grid.json").read_text())["programs"]
        self.assertEqual(os.readlink(f"/proc/{program[0]}/exe"), str(self.part("tombolo-relay")))
        run_on = ("run", "--name", name, "--quiet")
        said = self.succeed("tombolo-grid", *run_on, "-n", "1", "--", "sh", "-c", PROGRAM).splitlines()
        self.assertEqual(said[1:], [str(self.part("libwait_in_kernel.so"))], said)
        self.assertNotRegex(said[0], r"\s")
        command = (self.prefix / "bin/tombolo", "bench", "bcast", "--bytes", "1K", "--most", "3")
        self.assertIn("4 hosts", self.succeed("tombolo-grid", *run_on, "--", *command))
        self.succeed("tombolo-grid", "down", "--name", name)
        self.assertEqual(grids.left_of(name), [])

    def check_unequal(self):
        done = self.script("tombolo-unequal", "--shares", "0.2,0.2", "--", "sh", "-c", PROGRAM)
        if "cannot make cgroups" in done.stdout:
            self.skipTest(done.stdout.strip())
        self.assertEqual(done.returncode, 0, done.stdout)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 4, lines)
        self.assertEqual(sum(line == str(self.part("libwait_in_kernel.so")) for line in lines) % 2, 0, lines)
        self.assertIn(str(self.part("libwait_in_kernel.so")), lines)

    def check_mpirun(self):
        done = self.script("../libexec/tombolo/mpirun", "3", "sh", "-c", PROGRAM)
        self.assertEqual(done.returncode, 0, done.stdout)
        lines = set(done.stdout.splitlines())
        library = str(self.part("libwait_in_kernel.so").resolve())
        self.assertIn(library, lines)
        for link in lines - {library}:  # LD_PRELOAD itself, without blanks and colons
            self.assertRegex(link, r"^/tmp/tombolo-\w+/libwait_in_kernel\.so$")
