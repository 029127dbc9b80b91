"""The Debian package holds what cmake --install installs, says what it needs, and is as good to build with."""

import re
import unittest
from pathlib import Path

import projects
import scripts
from projects import BUILD, cached

ROOT = Path(__file__).resolve().parents[2]


def set_up(kind):
    """The packages of that kind that scripts/setup installs."""
    text = (ROOT / "scripts" / "setup").read_text(encoding="utf-8")
    return re.search(rf"^{kind}_packages=\((.*?)\)", text, re.MULTILINE | re.DOTALL).group(1).split()


class Package(scripts.Scripts, projects.Projects):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cpack = Path(cls.cmake).with_name("cpack")
        cls.must(cpack, "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder / "packages")
        (cls.package,) = (cls.folder / "packages").glob("*.deb")
        cls.must("dpkg", "-x", cls.package, cls.folder / "unpacked")
        cls.prefix = cls.folder / "unpacked" / "usr"

    def field(self, name):
        return self.must("dpkg-deb", "-f", self.package, name).strip()

    def names(self, field):
        """Those of the packages that the field lists, without versions."""
        return {word.split()[0] for word in self.field(field).split(",")}

    def test_a_project_builds_with_it_and_runs(self):
        source = self.outside("outside")
        self.build(source)
        self.check_squares(source / "build" / "squares")

    def test_it_needs_what_its_parts_need(self):
        needs = self.names("Depends")
        # The commands' libraries, found in them; starting them; compiling and linking with the headers and libraries.
        for package in ("libc6", "libmpich12", "libfmt9", "mpich", "libmpich-dev", "libfmt-dev", "python3"):
            self.assertIn(package, needs)
        libraries = {package for package in set_up("run") if package.endswith("-dev")}
        of_the_build = {"libcli11-dev", "nlohmann-json3-dev", "libsuitesparse-dev"}  # the last one of an example
        self.assertEqual({package for package in needs if package.endswith("-dev")}, libraries - of_the_build)
        self.assertLessEqual(self.names("Recommends") | self.names("Suggests"), set(set_up("run") + set_up("simulate")))

    def test_what_it_says_of_itself(self):
        version = cached("CMAKE_PROJECT_VERSION")
        architecture = self.must("dpkg", "--print-architecture").strip()
        self.assertEqual(self.package.name, f"tombolo_{version}-1_{architecture}.deb")
        self.assertEqual(self.field("Package"), "tombolo")
        self.assertEqual(self.field("Version"), f"{version}-1")
        self.assertEqual(self.field("Architecture"), architecture)
        self.assertRegex(self.field("Maintainer"), r"^[\w ]+ <\S+@\S+>$")
        description = self.field("Description")
        self.assertGreater(description.count("\n"), 3)
        self.assertLessEqual(max(map(len, description.split("\n"))), 80)

    def test_it_holds_command_libraries_headers_and_documentation(self):
        unpacked = self.folder / "unpacked"
        self.assertEqual([path.name for path in unpacked.iterdir()], ["usr"])
        self.assertIn(cached("CMAKE_PROJECT_VERSION"), self.must(self.prefix / "bin" / "tombolo", "--version"))
        installed = {str(path.relative_to(self.prefix)) for path in self.prefix.rglob("*") if path.is_file()}
        for name in ("libtombolo_framework_mpi.a", "pkgconfig/tombolo.pc", "cmake/tombolo/tomboloConfig.cmake"):
            self.assertTrue(any(path.startswith("lib/") and path.endswith(f"/{name}") for path in installed), name)
        self.assertIn("include/tombolo/session.hpp", installed)
        self.assertIn("share/doc/tombolo/README.md", installed)
        license = (ROOT / "LICENSE").read_text(encoding="utf-8")
        self.assertEqual((self.prefix / "share/doc/tombolo/copyright").read_text(encoding="utf-8"), license)

    def test_its_scripts_work_where_it_is_unpacked(self):
        self.check_descriptions()
        self.check_words()
        self.check_a_grid()
