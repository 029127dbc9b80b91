"""The picture of the rooms shows the includes of today."""

import importlib.machinery
import importlib.util
import unittest

import source_tree


def rooms_script():
    loader = importlib.machinery.SourceFileLoader("rooms", str(source_tree.ROOT / "scripts/rooms"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("rooms", loader))
    loader.exec_module(module)
    return module


class Rooms(unittest.TestCase):
    def setUp(self):
        self.script = rooms_script()

    def test_the_picture_has_every_arrow(self):
        picture = (source_tree.ROOT / "docs/rooms.svg").read_text(encoding="utf-8")
        for layer, rooms in self.script.ROOMS.items():
            arrows = self.script.arrows(layer)
            self.assertGreater(len(arrows), len(rooms) - 2)  # there is something to see
            for start, end in arrows:
                self.assertIn(f"<title>{start} includes {end}: ", picture, "run scripts/rooms")


if __name__ == "__main__":
    unittest.main()
