"""tombolo tune on simulated platforms: the same file every time, no slower than what is chosen or native."""

import csv
import io
import json
import unittest

from simulated import TestCase

CASES = ("bcast,allreduce,gather", "--bytes", "64:64K:x32")


class Tune(TestCase):
    def tune(self, name):
        done = self.simulate("grid5000-cyclic", "tune", *CASES, "-o", name, "--format", "json", options=("-n", "13"))
        self.assertEqual(done.returncode, 0, done)
        return (self.folder / name).read_text(), json.loads(done.stdout)

    def bench(self, *words):
        done = self.simulate("grid5000-cyclic", "bench", *CASES, "--format", "csv", *words, options=("-n", "13"))
        self.assertEqual(done.returncode, 0, done)
        rows = csv.DictReader(io.StringIO(done.stdout))
        return {(row["op"], int(row["bytes"]), row["impl"]): row for row in rows}

    def test_two_runs_decide_the_same_and_what_is_decided_is_the_fastest(self):
        text, found = self.tune("t.json")
        self.assertEqual(text, self.tune("t.json")[0])
        tuned = self.bench("--tuning", "t.json")
        chosen = self.bench()
        self.assertEqual(len(found["decisions"]), 9)
        for decision in found["decisions"]:
            where = (decision["op"], decision["bytes"])
            ours = tuned[(*where, "tombolo")]
            native = decision["carrier"] == "native"
            self.assertEqual(ours["algorithm"], "native" if native else decision["algorithm"])
            time = float(ours["median_s"])
            self.assertLessEqual(time, 1.03 * float(tuned[(*where, "native")]["median_s"]), where)
            self.assertLessEqual(time, 1.05 * float(chosen[(*where, "tombolo")]["median_s"]), where)


if __name__ == "__main__":
    unittest.main()
