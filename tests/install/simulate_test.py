"""tombolo-simulate of an installation for real MPI: what of a simulation is not there is said in one line. Simulations
themselves are in tests/simulation/installed_test.py."""

import shutil
import unittest
from pathlib import Path

import projects
from projects import BUILD, run

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("awk", "basename", "bash", "cut", "dirname", "ldd", "mktemp", "realpath", "rm", "sed", "wc")


class Simulate(projects.Projects):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.must(cls.cmake, "--install", BUILD, "--prefix", cls.folder / "first")
        cls.prefix = (cls.folder / "first").rename(cls.folder / "moved here")
        cls.command = cls.prefix / "bin/tombolo-simulate"

    def check_refused(self, words, *command, **environment):
        done = run(self.command, *command, **environment)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"\Atombolo-simulate: [^\n]+; [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, done.stdout)

    def test_it_calls_itself_as_users_do_and_has_the_platforms(self):
        said = self.must(self.command, "--help")
        self.assertTrue(said.startswith("usage: tombolo-simulate "))
        self.assertNotRegex(said, "scripts/|build/")
        listed = [line.split()[0] for line in self.must(self.command, "--list").splitlines()]
        self.assertEqual(sorted(listed), sorted(path.stem for path in (ROOT / "lab/platforms").glob("*.xml")))
        self.check_refused(["no platform 'nosuch'", "grid5000"], "nosuch", "--", "true")

    def test_what_is_missing(self):
        program = self.prefix / "bin/tombolo"
        self.check_refused(["not built for simulation", "-DTOMBOLO_SIMULATED=ON"], "ucd16", "--", program)
        self.check_refused(["there is no", "preset smpi"], "ucd16", "--", "tombolo", "matmul")
        tools = self.folder / "tools"
        tools.mkdir()
        for tool in TOOLS:
            (tools / tool).symlink_to(shutil.which(tool))
        self.check_refused(["no smpirun", "libsimgrid-dev"], "ucd16", "--", program, PATH=str(tools))

    def test_a_project_to_simulate(self):
        done = self.configure(self.outside("simulated"), "-DTOMBOLO_SIMULATED=ON")
        self.assertNotEqual(done.returncode, 0)
        words = " ".join(done.stdout.split())
        self.assertIn("this tombolo is not for simulated platforms: install preset smpi there too", words)


if __name__ == "__main__":
    unittest.main()
