"""scripts/compare: reports side by side."""

import json
import subprocess
from pathlib import Path

import tombolo

COMPARE = Path(tombolo.os.environ["TOMBOLO_SOURCE"]) / "scripts/compare"


class Compare(tombolo.TestCase):
    def compare(self, *words, **how):
        return subprocess.run([COMPARE, *words], cwd=self.folder, text=True, capture_output=True, check=False, **how)

    def refuse(self, words, *arguments):
        done = self.compare(*arguments)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Ascripts/compare: [^\n]+; [^\n]+\n\Z")
        self.assertIn(words, done.stderr)

    def write(self, name, seconds, shape=(1,), verified=True):
        report = {"seconds": seconds, "predicted_s": 1, "bound_s": 0.5, "verified": verified, "shape": shape}
        report["phases"] = [{"group": "move", "seconds": seconds / 2}]
        (self.folder / name).write_text(json.dumps(report))

    def test_medians_and_gains(self):
        for name, seconds in (("a", 4), ("b", 8), ("c", 6), ("d", 0.003)):
            self.write(name, seconds, verified=name != "d")
        done = self.compare("as before=a", "as before=b", "as before=c", "new=d")
        lines = [line.split() for line in done.stdout.splitlines()]
        self.assertEqual(lines[1], ["as", "before", "6.000", "1.000", "0.5000", "3.000", "yes", "1.00", "x"])
        self.assertEqual(lines[2], ["new", "0.003000", "1.000", "0.5000", "0.001500", "NO", "2000.00", "x"])

    def test_speeds_of_a_product(self):
        self.write("a", 4, shape={"m": 10, "n": 20, "k": 50})
        report = json.loads((self.folder / "a").read_text())
        report["processors"] = [{"speed_flops": speed} for speed in (1e9, 3e9)]
        (self.folder / "a").write_text(json.dumps(report))
        self.assertEqual(self.compare("one=a").stdout.splitlines()[-1],
                         "speeds: 2 ranks, 1 to 3 Gflop/s, together 4; computing alone takes 5e-06 s on all, 6.67e-06 s on "
                         "the fastest")

    def test_reports_of_real_runs(self):
        for kind in ("native", "tombolo"):
            self.succeed("transpose", "--size", 50, "--collectives", kind, "--report", f"{kind}.json", ranks=2)
        done = self.compare("native=native.json", "planned=tombolo.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("alltoallv", done.stdout)

    def test_other_algorithms_have_no_phases_in_common(self):
        for name, *how in (("rows", "--panels", 1), ("panels", "--panels", 2), ("columns", "--algorithm", "columns")):
            how = ("--algorithm", "rows", *how) if name != "columns" else how
            self.succeed("matmul", "--size", 400, *how, "--report", f"{name}.json", ranks=2)
        self.assertIn("gatherv C", self.compare("one=rows.json", "two=panels.json").stdout)
        done = self.compare("rows=rows.json", "columns=columns.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout.splitlines()[0], r"^ *seconds  predicted +bound +verified +gain$")
        moves = self.compare("columns=columns.json").stdout.splitlines()[0]
        self.assertEqual(moves.count("compute"), 1)

    def test_mistakes(self):
        self.write("a", 1)
        self.write("other", 1, shape=(2,))
        (self.folder / "empty.json").write_text('{"phases": []}')
        (self.folder / "text").write_text("no json")
        self.refuse("LABEL=REPORT.json", "a")
        self.refuse("cannot read", "x=missing")
        self.refuse("not a report", "x=empty.json")
        self.refuse("not a report", "x=text")
        for text in ("[" * 100_000, '{"seconds": ' * 100_000, "9" * 5000, '{"seconds": 1e999}'):
            (self.folder / "text").write_text(text)
            self.refuse("not a report", "x=text")
        for change in ({"seconds": 10**400}, {"predicted_s": float("nan")}, {"phases": [{"group": 5, "seconds": 1}]},
                       {"phases": [{"group": "\x1b[2J", "seconds": 1}]}, {"phases": {"a": 1}}):
            self.write("wrong", 1)
            report = json.loads((self.folder / "wrong").read_text())
            (self.folder / "wrong").write_text(json.dumps({**report, **change}))
            self.refuse("not a report", "x=wrong")
        self.refuse("different problems", "x=a", "y=other")
        self.refuse("required")


if __name__ == "__main__":
    tombolo.unittest.main()
