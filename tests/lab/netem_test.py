"""Links by the kernel's netem, where it has that: the same as by the relay."""

import sys
import unittest
import unittest.mock

import measured_test

from emulation import measured
from emulation.netem import Netem


def setUpModule():
    measured_test.setUpModule()
    if not Netem.available():
        why = "this kernel has no netem, htb or u32"
        print(f"skipped: {why}", file=sys.stderr)
        raise unittest.SkipTest(why)


class MeasuredWithNetem(measured_test.Measured):
    shaper = "netem"

    def setUp(self):
        super().setUp()
        # A rate that links share is kept by htb, and lower than described where timers are late.
        tolerant = unittest.mock.patch.object(measured, "PART_OFF", 0.25)
        tolerant.start()
        self.addCleanup(tolerant.stop)

    def test_statistics_count_what_passed(self):
        self.up(self.two)
        self.grid("check")
        for link in self.status()["links"]:
            self.assertGreater(link["frames"], 100)
            self.assertGreater(link["bytes"], 1000 * link["frames"] / 4)


if __name__ == "__main__":
    unittest.main()
