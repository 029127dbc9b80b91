"""What `tombolo matmul` tells of a run: the text on stdout and the JSON of --report."""

import json
import math
import os

import tombolo


class Report(tombolo.TestCase):
    def run_and_report(self, *options, ranks):
        text = self.succeed("matmul", *options, "--report", "report.json", ranks=ranks).out
        return text, self.report()

    def test_the_fields_and_their_sums(self):
        for ranks, collectives in ((1, "tombolo"), (3, "tombolo"), (8, "native")):
            with self.subTest(ranks=ranks):
                how = ("--algorithm", "rows", "--collectives", collectives)
                _, report = self.run_and_report("--m", 301, "--n", 200, "--k", 100, *how, ranks=ranks)
                self.assertEqual(report["shape"], {"m": 301, "n": 200, "k": 100})
                self.assertEqual((report["algorithm"], report["collectives"]), ("rows", collectives))
                self.assertEqual((report["ranks"], report["verified"]), (ranks, True))
                self.assertEqual(sum(p["rows"] for p in report["processors"]), 301)
                self.assertEqual([p["rank"] for p in report["processors"]], list(range(ranks)))
                self.assertEqual(
                    [p["name"] for p in report["phases"]], ["scatterv A", "bcast B", "compute", "gatherv C"]
                )
                for field in ("seconds", "predicted_s", "bound_s"):
                    phases = [phase[field] for phase in report["phases"]]
                    self.assertTrue(all(0 <= value < 60 for value in phases), phases)
                    self.assertAlmostEqual(sum(phases), report[field], delta=1e-9)
                self.assertGreaterEqual(report["predicted_s"], report["bound_s"])

    def test_what_phases_add_in_panels(self):
        size = ("--m", 401, "--n", 300, "--k", 200)
        _, report = self.run_and_report(*size, "--algorithm", "rows", "--panels", 4, "--trace", "trace.json", ranks=3)
        names = [phase["name"] for phase in report["phases"]]
        measured = [phase["seconds"] for phase in report["phases"]]
        self.assertAlmostEqual(sum(measured), report["seconds"], delta=1e-9)
        # As is predicted: what each action ends later, on the last rank, than all before it.
        ends = {}
        for event in json.loads((self.folder / "trace.json").read_text())["traceEvents"]:
            if event["ph"] == "X":
                ends.setdefault(event["tid"], []).append((event["name"], (event["ts"] + event["dur"]) * 1e-6))
        actions = list(zip(*ends.values()))
        self.assertGreater(len(actions), len(names))
        last = max(end for of_ranks in actions for _, end in of_ranks)
        added, front = dict.fromkeys(names, 0), last - report["seconds"]  # a trace begins with the first action
        for of_ranks in actions:
            end = max(end for _, end in of_ranks)
            added[of_ranks[0][0]] += max(0, end - front)
            front = max(front, end)
        for name, seconds in zip(names, measured):
            self.assertAlmostEqual(added[name], seconds, delta=1e-7)

    def test_threads_times_ranks_stay_within_the_cores(self):
        for ranks in (1, 2, 3):
            with self.subTest(ranks=ranks):
                _, report = self.run_and_report("--size", 50, ranks=ranks)
                cores = max(p["cores"] for p in report["processors"])
                self.assertLessEqual(cores, os.cpu_count())
                self.assertLessEqual(sum(p["threads"] for p in report["processors"]), max(cores, ranks))

    def test_the_text_is_two_tables_and_a_verdict(self):
        shape = ("--m", 5, "--n", 400, "--k", 300)
        text, report = self.run_and_report(*shape, "--shares", "equal", "--algorithm", "rows", ranks=8)
        lines = text.splitlines()
        self.assertEqual(
            lines[0],
            "C = A x B: A 5 x 300, B 300 x 400, float64; rows by equal shares, planned collectives, 8 ranks, root 0",
        )
        phases, ranks = lines[2:8], lines[9:18]
        first_words = [line.split()[0] for line in phases]
        self.assertEqual(first_words, ["phase", "scatterv", "bcast", "compute", "gatherv", "total"])
        self.assertEqual([line.split()[0] for line in ranks], ["rank", *map(str, range(8))])
        # Right-aligned columns end alike: the words "idle" stand under the heading of the last one.
        self.assertEqual({len(line) for line in ranks}, {len(ranks[0])})
        self.assertEqual([line.split()[-1] == "idle" for line in ranks[1:]], [False] * 5 + [True] * 3)
        self.assertTrue(lines[19].startswith("verified: "), text)
        crowded = report["processors"][0]["cores"] < 8
        self.assertEqual(f"platform: {report['platform']}", lines[20])
        self.assertEqual([f"note: {note}" for note in report["notes"]], lines[21:])
        self.assertEqual(any("8 ranks of" in note for note in report["notes"]), crowded)

    def test_all_panels_of_a_move_are_one_line(self):
        text, report = self.run_and_report("--size", 400, "--algorithm", "columns", "--panels", 3, ranks=2)
        self.assertEqual(len(report["phases"]), 3 * 5 + 1)
        lines = text.split("phase", 1)[1].split("total", 1)[0].splitlines()[1:]
        moves = [f"move {m} to {m} in clusters,move {m} in clusters to {m}" for m in "AB"]
        expected = [*",".join(moves).split(","), "compute", "move parts of C to C"]
        self.assertEqual([line.split("  ")[0] for line in lines if line], expected)

    def test_ranks_without_rows_are_idle(self):
        text, report = self.run_and_report("--size", 1, ranks=3)
        self.assertEqual(text.count("idle"), 2)
        self.assertIs(report["verified"], True)

    def test_reference(self):
        text, report = self.run_and_report("--size", 200, "--reference", ranks=3)
        self.assertIn("reference: one process, ", text)
        self.assertGreater(report["reference"]["seconds"], 0)
        self.assertTrue(math.isclose(report["reference"]["flops"] * report["reference"]["seconds"], 2 * 200**3))
