"""The tables that scripts/tables makes have their places in the documentation, and say when they were made."""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "lab")]
from figures.tables import TABLES, page_of


class Documented(unittest.TestCase):
    def test_each_has_one_place_and_was_made(self):
        for name in TABLES:
            text = (ROOT / "docs" / page_of(name)[0]).read_text()
            made = rf"<!-- table {name} -->\n(\|.*\n)+\nMade by `scripts/tables {name}` on \d{{4}}-\d\d-\d\d at commit [0-9a-f]{{7,}}"
            with self.subTest(table=name):
                self.assertEqual(len(re.findall(made, text)), 1)

    def test_no_place_is_of_a_table_that_nobody_makes(self):
        for page in (ROOT / "docs").glob("*.md"):
            for name in re.findall(r"<!-- table (\w+) -->", page.read_text()):
                self.assertIn(name, TABLES, page.name)
                self.assertEqual(page_of(name)[0], page.name)


if __name__ == "__main__":
    unittest.main()
