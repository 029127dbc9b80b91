"""The blocks of the documentation that are marked `sh grid` work as printed, one page's after the other.

They use the grid of the default name, so they are skipped where that one is up.
"""

import os
import sys
import unittest
from pathlib import Path

import grids

os.environ["TOMBOLO_EXAMPLES"] = "grid"
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs"))
import examples_test


def setUpModule():
    if Path("/run/tombolo-grid/grid").exists():
        grids.skip("a grid is up that belongs to somebody")
    grids.skip_unless_possible()
    os.environ.update(grids.environment())


class Examples(unittest.TestCase):
    test_every_page = examples_test.Examples.test_every_page

    def tearDown(self):
        grids.grid("down")

    def test_there_are_some(self):
        self.assertTrue(any(list(examples_test.blocks(page.read_text())) for page in examples_test.PAGES))


if __name__ == "__main__":
    unittest.main()
