"""The reference pages are made without a warning, and the headers that a program includes say what everything is for."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import source_tree

DOXYGEN = shutil.which("doxygen")
LISTED = re.compile(r"^\| tombolo/(\S+\.hpp) \|", re.MULTILINE)  # in docs/reference.md
INCLUDED = re.compile(r"^#include <tombolo/(\S+)>$", re.MULTILINE)  # in tombolo.hpp
NOT_INCLUDED = ("tombolo.hpp", "command_line.hpp")  # itself, and what takes CLI11
# Of which the name may say it all: data, comparisons, and functions that only return something of their object.
PLAIN = re.compile(r"\(variable\)|operator==|\(\) const( =0)? \(function\)")
STRICT = {"EXTRACT_ALL": "NO", "WARN_AS_ERROR": "NO", "GENERATE_HTML": "NO"}


def listed():
    return LISTED.findall(source_tree.read("docs/reference.md"))


def complaints(done):
    return sorted({line for line in done.stderr.splitlines() if ": warning: " in line or ": error: " in line})


class Reference(unittest.TestCase):
    def setUp(self):
        self.assertTrue(DOXYGEN, "doxygen is missing; run scripts/setup test")
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def run_doxygen(self, root, **settings):
        """By docs/Doxyfile, but for some settings, in a folder with links to the headers of `root` and to its docs/."""
        (self.folder / "tombolo").symlink_to(root / "include" / "tombolo")
        (self.folder / "docs").symlink_to(root / "docs")
        lines = [source_tree.read("docs/Doxyfile"), *(f"{name} = {value}" for name, value in settings.items())]
        environment = dict(os.environ, TOMBOLO_VERSION="0")
        return subprocess.run(
            [DOXYGEN, "-"],
            input="\n".join(lines),
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def undocumented(self, root, headers):
        done = self.run_doxygen(root, INPUT=" ".join(f"tombolo/{header}" for header in headers), **STRICT)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line for line in complaints(done) if not PLAIN.search(line)]

    def test_the_pages_are_made_without_a_warning(self):
        done = self.run_doxygen(source_tree.ROOT)
        self.assertEqual((done.returncode, complaints(done)), (0, []), done.stderr)
        pages = self.folder / "html"
        first = (pages / "index.html").read_text()
        for header in listed():
            with self.subTest(header=header):  # the first page leads to it
                self.assertTrue(re.search(f'href="[^"]+_8hpp.html">tombolo/{header}</a>', first))
        session = (pages / "classtombolo_1_1Session.html").read_text()
        self.assertRegex(session, r"&lt;(<a[^>]*>)?tombolo/session.hpp(</a>)?&gt;")

    def test_all_installed_headers_are_in_them(self):
        done = self.run_doxygen(source_tree.ROOT, GENERATE_HTML="NO", GENERATE_XML="YES")
        self.assertEqual(done.returncode, 0, done.stderr)
        index = (self.folder / "xml" / "index.xml").read_text()
        headers = [path for path in source_tree.code_files() if path.parts[0] == "include"]
        self.assertEqual(sorted(listed()), sorted(path.name for path in headers))
        self.assertEqual(index.count('kind="file"><name>'), len(headers) + 1)  # and docs/reference.md

    def test_headers_that_programs_include_are_documented(self):
        self.assertGreater(len(listed()), 10)
        found = self.undocumented(source_tree.ROOT, listed())
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_one_header_includes_all_that_are_listed(self):
        included = INCLUDED.findall(source_tree.read("include/tombolo/tombolo.hpp"))
        self.assertEqual(sorted([*included, *NOT_INCLUDED]), sorted(listed()))

    def test_what_is_not_documented_is_found(self):
        source = self.folder / "source"
        (source / "include" / "tombolo").mkdir(parents=True)
        (source / "include" / "tombolo" / "a.hpp").write_text(
            "#pragma once\n/// Of tests.\nnamespace tombolo {\n/// A class.\nclass A {\n public:\n"
            "  int size() const;\n  void grow(int by);\n};\nstruct B {\n  int b;\n};\n}\n"
        )
        found = self.undocumented(source, ["a.hpp"])
        self.assertEqual(len(found), 2, found)
        self.assertIn("grow", "".join(found))
        self.assertIn("tombolo::B", "".join(found))

    def test_a_warning_is_an_error(self):
        source = self.folder / "source"
        (source / "docs").mkdir(parents=True)
        (source / "docs" / "reference.md").write_text("# Reference\n")
        (source / "include" / "tombolo").mkdir(parents=True)
        (source / "include" / "tombolo" / "a.hpp").write_text("/// Of a <cluster>.\nclass A {};\n")
        done = self.run_doxygen(source, INPUT="docs/reference.md tombolo")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("cluster", "".join(complaints(done)))
