"""A project outside of this tree that uses Open MPI: it gets the libraries of preset openmpi, or is told that they lack."""

import os
import unittest

import projects
from projects import BUILD, cached, run

FOR_OPEN_MPI = "openmpi" in cached("MPI_CXX_COMPILER")


class OpenMpi(projects.Projects):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix = cls.folder / "tombolo"
        cls.must(cls.cmake, "--install", BUILD, "--prefix", cls.prefix)

    @unittest.skipIf(FOR_OPEN_MPI, "for the other presets")
    def test_the_libraries_for_mpich_are_refused(self):
        done = self.configure(self.outside("refused"), "-DTOMBOLO_MPI=openmpi")
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"\n *(this tombolo is not for Open MPI: install preset openmpi there too"
                                      r"|tombolo needs what is not installed: mpicxx.openmpi)\n")

    @unittest.skipIf(not FOR_OPEN_MPI, "for preset openmpi")
    def test_mpich_is_refused(self):
        done = self.configure(self.outside("refused"), "-DTOMBOLO_MPI=mpich")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("\n  this tombolo is not for MPICH: install preset release there too\n", done.stdout)

    @unittest.skipIf(not FOR_OPEN_MPI, "for preset openmpi")
    def test_an_outside_project_builds_and_runs(self):
        source = self.outside("outside")
        self.build(source)
        self.check_squares(source / "build" / "squares")

    @unittest.skipIf(not FOR_OPEN_MPI, "for preset openmpi")
    def test_pkg_config_and_the_command_have_names_of_their_own(self):
        (found,) = self.prefix.rglob("*.pc")
        self.assertEqual(found.name, "tombolo-openmpi.pc")
        source = self.outside("flags")
        done = run("sh", "-c", f"cd '{source}' && {cached('MPI_CXX_COMPILER')} -std=c++20 main.cpp -o squares "
                               "$(pkg-config --cflags --libs tombolo-openmpi)", PKG_CONFIG_PATH=str(found.parent))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.check_squares(source / "squares")
        said = self.must(os.environ["TOMBOLO_MPIRUN"], 2, self.prefix / "bin" / "tombolo.openmpi", "bench", "bcast", "--bytes",
                         "1K", "--most", "3")
        self.assertIn("Open MPI", said)


if __name__ == "__main__":
    unittest.main()
