"""Programs outside of this tree are built for simulation with an installed Tombolo, and run by its tombolo-simulate."""

import shutil
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "install"))
import projects
from projects import BUILD, cached, run

PLATFORMS = {"ucd16": 16, "triangle": 14}  # ranks


class Installed(projects.Projects):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.must(cls.cmake, "--install", BUILD, "--prefix", cls.folder / "first")
        cls.prefix = (cls.folder / "first").rename(cls.folder / "moved")

    def simulate(self, *words):
        return self.must(self.prefix / "bin/tombolo-simulate", *words)

    def check_simulated_squares(self, program, *platforms):
        for platform in platforms or PLATFORMS:
            with self.subTest(platform=platform):
                said = self.simulate(platform, "--", program)
                self.assertEqual(said, f"{PLATFORMS[platform]} ranks: all squares are right\n")

    def test_a_cmake_project(self):
        for kind, option in (("option", "-DTOMBOLO_SIMULATED=ON"), ("compiler", "-DCMAKE_CXX_COMPILER=smpicxx")):
            with self.subTest(kind=kind):
                source = self.outside(kind)
                self.build(source, option)
                self.check_simulated_squares(source / "build/squares")
        self.assertIn("3 ranks", self.simulate("-n", 3, "ucd16", "--", source / "build/squares"))

    def test_a_project_that_has_found_mpi_itself(self):
        """It keeps that, which is SimGrid's where the compiler is."""
        source = self.outside("own mpi")
        lists = (source / "CMakeLists.txt").read_text()
        find = "find_package(tombolo"
        (source / "CMakeLists.txt").write_text(lists.replace(find, f"find_package(MPI REQUIRED COMPONENTS CXX)\n{find}"))
        done = self.configure(source, "-DTOMBOLO_SIMULATED=ON", "-DMPI_CXX_COMPILER=mpicxx.mpich")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("has found another MPI than SimGrid's", " ".join(done.stdout.split()))
        shutil.rmtree(source / "build")
        self.build(source, "-DCMAKE_CXX_COMPILER=smpicxx")
        self.check_simulated_squares(source / "build/squares", "ucd16")

    def test_what_pkg_config_says(self):
        (found,) = self.prefix.rglob("tombolo-simulated.pc")
        source = self.outside("flags")
        command = "smpicxx -std=c++20 -Wall -Wextra main.cpp -o squares $(pkg-config --cflags --libs tombolo-simulated)"
        done = run("sh", "-c", f"cd '{source}' && {command}", PKG_CONFIG_PATH=str(found.parent))
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.check_simulated_squares(source / "squares", "ucd16")

    def test_the_command_runs(self):
        self.assertIn("verified", self.simulate("ucd16", "--", "tombolo", "matmul", "--size", 100))

    def test_a_project_for_real_mpi_is_told_what_to_do(self):
        done = self.configure(self.outside("real"))
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(" ".join(done.stdout.split()), "this tombolo is for simulated platforms only: configure with -D")

    def test_beside_one_for_real_mpi(self):
        real = Path(cached("TOMBOLO_PURE_FROM") or BUILD)
        if not (real / "bin/tombolo-relay").exists():
            self.skipTest("no build for real MPI to install")
        both = self.folder / "both"
        for build in (real, BUILD):
            self.must(self.cmake, "--install", build, "--prefix", both)
        self.prefix = both
        self.build(self.outside("simulated too"), "-DTOMBOLO_SIMULATED=ON")
        self.check_simulated_squares(self.folder / "simulated too/build/squares", "ucd16")
        self.build(self.outside("real too"))
        said = self.must("mpiexec.mpich", "-n", 2, self.folder / "real too/build/squares")
        self.assertEqual(said, "2 ranks: all squares are right\n")
        self.assertIn("verified", self.must(both / "bin/tombolo", "matmul", "--size", 100))
        self.assertIn("verified", self.simulate("ucd16", "--", "tombolo", "matmul", "--size", 100))


if __name__ == "__main__":
    unittest.main()
