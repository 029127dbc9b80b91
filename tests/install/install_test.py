"""A project outside of this tree finds an installed Tombolo, wherever it was moved to, and builds and runs with it."""

import os
import re
import unittest
from pathlib import Path

import projects
from projects import BUILD, cached, run

ROOT = Path(__file__).resolve().parents[2]

# Another project that has found MPI itself, names a version and libraries, and includes every header. It keeps its MPI
# and its variables; it may be older and written with less care than Tombolo, which brings C++20 along but no warnings.
HEADERS = """
cmake_minimum_required(VERSION 3.25)
project(headers LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
set(wrapper mine)
find_package(MPI REQUIRED COMPONENTS CXX)
find_package(tombolo {version} EXACT REQUIRED COMPONENTS framework_mpi tombolo)
if(NOT wrapper STREQUAL mine OR DEFINED CACHE{{MPI_C_COMPILER}})
  message(FATAL_ERROR "find_package(tombolo) has changed what is not its own")
endif()
find_package(tombolo COMPONENTS attic QUIET)
if(tombolo_FOUND)
  message(FATAL_ERROR "there is no component attic")
endif()
add_library(headers OBJECT headers.cpp)
target_link_libraries(headers PRIVATE tombolo::tombolo)
"""


class Install(projects.Projects):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.must(cls.cmake, "--install", BUILD, "--prefix", cls.folder / "first")
        cls.prefix = (cls.folder / "first").rename(cls.folder / "moved")

    def test_examples_are_built_without_tests(self):
        build = self.folder / "untested"
        self.must(self.cmake, "-S", ROOT, "-B", build, "-G", cached("CMAKE_GENERATOR"), "-DBUILD_TESTING=OFF")
        targets = self.must(self.cmake, "--build", build, "--target", "help")
        self.assertIn("example_jacobi", targets)
        self.assertNotIn("test_platform", targets)

    def headers(self):
        include = self.prefix / "include"
        return sorted(path.relative_to(include) for path in include.rglob("*.hpp"))

    def test_an_outside_project_builds_and_runs(self):
        source = self.outside("outside")
        self.build(source)
        self.check_squares(source / "build" / "squares")

    def test_a_program_is_compiled_by_what_pkg_config_says(self):
        """As one command, and without a warning from the headers."""
        found = list(self.prefix.rglob("tombolo.pc"))
        self.assertEqual(len(found), 1, found)
        command = f"{cached('MPI_CXX_COMPILER')} -std=c++20 -Wall -Wextra -Werror main.cpp -o squares"
        flags = "$(pkg-config --cflags --libs tombolo)"
        source = self.outside("flags")
        done = run("sh", "-c", f"cd '{source}' && {command} {flags}", PKG_CONFIG_PATH=str(found[0].parent))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.check_squares(source / "squares")
        version = run("pkg-config", "--modversion", found[0]).stdout.strip()
        self.assertEqual(version, cached("CMAKE_PROJECT_VERSION"))

    def test_an_installed_example_is_compiled_and_runs(self):
        source = self.prefix / "share/doc/tombolo/examples/shares.cpp"
        (found,) = self.prefix.rglob("tombolo.pc")
        flags = f"$(pkg-config --cflags --libs '{found}')"
        program = self.folder / "shares"
        done = run("sh", "-c", f"{cached('MPI_CXX_COMPILER')} -std=c++20 '{source}' -o '{program}' {flags}")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("rank 1 doubled", self.must(os.environ["TOMBOLO_MPIRUN"], 2, program))

    def test_every_header_compiles_and_a_project_keeps_what_it_has(self):
        source = self.folder / "headers"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(HEADERS.format(version=cached("CMAKE_PROJECT_VERSION")))
        includes = "".join(f"#include <{header}>\n" for header in self.headers())
        (source / "headers.cpp").write_text(f"{includes}int careless(unsigned value) {{ int unused; return value; }}\n")
        self.build(source, f"-DMPI_CXX_COMPILER={cached('MPI_CXX_COMPILER')}")

    def test_the_public_headers_are_there_and_nothing_else(self):
        public = ROOT / "include"
        include = self.prefix / "include"
        self.assertEqual(
            {path.relative_to(include) for path in include.rglob("*") if not path.is_dir()},
            {path.relative_to(public) for path in public.rglob("*") if not path.is_dir()},
        )
        self.assertLessEqual(len(self.headers()), 12)

    def test_each_header_compiles_by_itself_with_nothing_but_mpi(self):
        """Only command_line.hpp takes another library's headers, CLI11's, which lie where compilers look."""
        for header in self.headers():
            with self.subTest(header=str(header)):
                command = f"{cached('MPI_CXX_COMPILER')} -std=c++20 -Wall -Wextra -Werror -fsyntax-only -x c++"
                source = self.folder / "one.cpp"
                source.write_text(f"#include <{header}>\n")
                done = run("sh", "-c", f"{command} -I '{self.prefix / 'include'}' -H '{source}'")
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertEqual(re.findall(r"^\.+ .*/(fmt|nlohmann|pugixml|hwloc)\b.*", done.stdout, re.MULTILINE), [])

    def test_nothing_of_the_build_is_left_in_it(self):
        private = [str(BUILD), cached("CMAKE_HOME_DIRECTORY"), str(self.folder), "tombolo_settings", "-Werror", "-Wall"]
        files = [path for kind in ("*.cmake", "*.pc", "*.hpp", "*.def") for path in self.prefix.rglob(kind)]
        self.assertGreater(len(files), 10)
        for path in files:
            text = path.read_text(encoding="utf-8")
            with self.subTest(path=str(path.relative_to(self.prefix))):
                self.assertEqual([words for words in private if words in text], [])

    def test_the_command_runs(self):
        said = self.must(self.prefix / "bin" / "tombolo", "--version")
        self.assertIn(cached("CMAKE_PROJECT_VERSION"), said)

    def test_what_is_missing_is_said_in_one_line(self):
        done = self.configure(self.outside("missing"), PKG_CONFIG_LIBDIR=str(self.folder), PKG_CONFIG_PATH="")
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"\n *tombolo needs what is not installed: OpenBLAS, hwloc\n")

    def test_a_project_without_cxx_is_refused_in_one_line(self):
        source = self.outside("without_cxx")
        lists = source / "CMakeLists.txt"
        lists.write_text(lists.read_text(encoding="utf-8").replace("LANGUAGES CXX", "LANGUAGES C"), encoding="utf-8")
        done = self.configure(source)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"\n *tombolo is a C\+\+ library: add CXX to the LANGUAGES of project\(\)\n")

    def test_documentation_is_there(self):
        documentation = self.prefix / "share" / "doc" / "tombolo"
        for name in ("README.md", "LICENSE", "docs/extending.md", "docs/reference.md", "examples/jacobi.cpp"):
            self.assertTrue((documentation / name).is_file(), name)
