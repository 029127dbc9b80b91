"""Files are named alike, and headers are included once."""

import re
import unittest
from pathlib import Path

import source_tree

CODE_NAME = re.compile(r"[a-z][a-z0-9_]*\.(c|h|cpp|hpp)")


def complaints(path, text):
    """What is wrong with a file: one line each."""
    if path.suffix in source_tree.CODE and not CODE_NAME.fullmatch(path.name):
        yield f"{path}: file names are lower case with underscores"
    if path.suffix in (".h", ".hpp") and not re.search(r"^#pragma once$", text, re.MULTILINE):
        yield f"{path}: no #pragma once"


def checked_files():
    kinds = source_tree.CODE + source_tree.SCRIPTS
    return [path for path in source_tree.files() if path.suffix in kinds or path.parts[0] in ("scripts", ".ci")]


class Files(unittest.TestCase):
    def test_every_file_is_well_named(self):
        found = [line for path in checked_files() for line in complaints(path, source_tree.read(path))]
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_violations_are_found(self):
        for name, text in [
            ("models/HockneyModel.cpp", ""),
            ("models/a-b.hpp", "#pragma once\n"),
            ("models/a.hpp", "int a;\n"),
        ]:
            with self.subTest(name=name):
                self.assertEqual(len(list(complaints(Path(name), text))), 1)

    def test_good_files_pass(self):
        self.assertEqual(list(complaints(Path("models/a.hpp"), "#pragma once\nint a;\n")), [])
