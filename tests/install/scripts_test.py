"""tombolo-grid and tombolo-unequal work from wherever they were installed and moved to, whatever the folder is called."""

import unittest
from pathlib import Path

import projects
import scripts
from projects import BUILD, run


class InstalledScripts(scripts.Scripts, projects.Projects):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        staged = cls.folder / "staged"
        done = run(cls.cmake, "--install", BUILD, "--prefix", "/opt/of mine", DESTDIR=str(staged))
        if done.returncode:
            raise AssertionError(done.stdout)
        cls.prefix = (staged / "opt/of mine").rename(cls.folder / "moved: here")

    def test_nothing_was_written_elsewhere(self):
        self.assertEqual([path.name for path in (self.folder / "staged").rglob("*")], ["opt"])
        self.assertFalse(Path("/opt/of mine").exists())

    def test_the_descriptions_come_along(self):
        self.check_descriptions()

    def test_they_call_themselves_as_users_do(self):
        self.check_words()

    def test_a_grid_is_made_with_the_installed_parts(self):
        self.check_a_grid()

    def test_unequal_ranks_wait_by_the_installed_library(self):
        self.check_unequal()

    def test_many_ranks_wait_by_the_installed_library(self):
        self.check_mpirun()

    def test_unmodified_programs_get_the_installed_library(self):
        # The loader parts names at blanks and colons, so that of this folder is refused and a link to it serves.
        words = "--mpi", "mpich", "sh", "-c", "echo $LD_PRELOAD"
        self.assertIn("a blank or a colon", self.script("tombolo-run", *words).stdout)
        link = self.folder / "link"
        link.symlink_to(next(self.prefix.rglob("libtombolo_mpich.so")).parent)
        done = run("env", f"TOMBOLO_LIBRARIES={link}", self.prefix / "bin/tombolo-run", *words)
        self.assertEqual(done.stdout.strip(), f"{link}/libtombolo_mpich.so")

    def test_all_parts_are_there_and_nothing_else(self):
        here = Path(scripts.ROOT / "lab")
        expected = {path.relative_to(here) for path in (here / "emulation").glob("*") if path.suffix in ("", ".py")}
        expected |= {Path(name) for name in ("ending.py", "files.py", "places.py")}
        expected |= {Path(name) for name in ("grid", "run", "unequal", "libwait_in_kernel.so", "mpirun", "tombolo-relay")}
        expected |= {Path("tombolo-simgrid-routes")}
        expected |= {Path("simulate"), Path("simulate_places")}
        folder = self.prefix / "libexec/tombolo"
        self.assertEqual({path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}, expected)

    def test_what_is_missing_is_said_in_one_line(self):
        if why := scripts.grids.why_not():
            self.skipTest(why)
        name = "test-missing"
        relay = self.part("tombolo-relay")
        relay.rename(relay.with_name("away"))
        self.addCleanup(relay.with_name("away").rename, relay)
        done = self.script("tombolo-grid", "up", "grid4x4", "--name", name)
        self.assertRegex(done.stdout, rf"\Atombolo-grid: there is no tombolo-relay at {relay}; [^\n]+\n\Z")
        self.assertEqual(scripts.grids.left_of(name), [])


if __name__ == "__main__":
    unittest.main()
