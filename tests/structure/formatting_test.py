"""Every C and C++ file is as clang-format would leave it."""

import shutil
import subprocess
import unittest

import source_tree

CLANG_FORMAT = shutil.which("clang-format-16")  # another version formats differently


def check(arguments, text=None):
    command = [CLANG_FORMAT, "--dry-run", "-Werror", "--style=file", *arguments]
    return subprocess.run(command, cwd=source_tree.ROOT, input=text, capture_output=True, text=True)


class Formatting(unittest.TestCase):
    def setUp(self):
        self.assertTrue(CLANG_FORMAT, "clang-format-16 is missing; run scripts/setup test")

    def test_every_file_is_formatted(self):
        done = check([str(path) for path in source_tree.code_files()])
        wrong = sorted({line.split(":")[0] for line in done.stderr.splitlines() if " error: " in line})
        self.assertEqual(done.returncode, 0, f"run clang-format-16 -i {' '.join(wrong)}\n{done.stderr[:2000]}")

    def test_a_badly_formatted_file_is_found(self):
        for text, status in [("int  a ;\n", 1), ("int a;\n", 0)]:
            with self.subTest(text=text):
                self.assertEqual(check(["--assume-filename=models/a.cpp"], text).returncode, status)
