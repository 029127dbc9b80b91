"""What `tombolo transpose` tells of a run: the text on stdout and the JSON of --report."""

import json

import tombolo

PHASES = ["pack", "alltoallv", "unpack"]


class Report(tombolo.TestCase):
    def run_and_report(self, *options, ranks):
        text = self.succeed("transpose", *options, "--report", "report.json", ranks=ranks).out
        return text, self.report()

    def test_the_fields_and_their_sums(self):
        for ranks, collectives in ((1, "tombolo"), (3, "tombolo"), (8, "native")):
            with self.subTest(ranks=ranks):
                _, report = self.run_and_report("--m", 301, "--n", 200, "--collectives", collectives, ranks=ranks)
                self.assertEqual((report["shape"], report["dtype"]), ({"m": 301, "n": 200}, "float64"))
                self.assertEqual((report["algorithm"], report["collectives"]), ("alltoallv", collectives))
                self.assertEqual((report["ranks"], report["verified"], report["phantom"]), (ranks, True, False))
                self.assertNotIn("root", report)
                self.assertEqual([p["name"] for p in report["phases"]], PHASES)
                for field in ("seconds", "predicted_s", "bound_s"):
                    phases = [phase[field] for phase in report["phases"]]
                    self.assertTrue(all(0 <= value < 60 for value in phases), phases)
                    self.assertAlmostEqual(sum(phases), report[field], delta=1e-9)
                self.assertGreaterEqual(report["predicted_s"], report["bound_s"])
                self.assertGreater(report["transpose_bytes_per_s"], 0)
                processors = report["processors"]
                self.assertEqual([p["rank"] for p in processors], list(range(ranks)))
                self.assertEqual(sum(p["rows"] for p in processors), 301)
                self.assertTrue(all(p["threads"] == 1 and p["speed_bytes_per_s"] > 0 for p in processors))

    def test_on_one_host_the_exchange_is_left_to_mpi(self):
        _, report = self.run_and_report("--size", 100, "--shares", "equal", ranks=3)
        exchange = report["phases"][1]
        self.assertRegex(exchange["how"], "^native, taken as ")
        self.assertGreater(exchange["predicted_s"], 0)
        _, report = self.run_and_report("--size", 100, "--collectives", "native", ranks=3)
        self.assertEqual(report["phases"][1]["how"], "native, taken as direct")

    def test_the_text_is_two_tables_and_a_verdict(self):
        text, report = self.run_and_report("--m", 5, "--n", 400, "--shares", "equal", ranks=8)
        lines = text.splitlines()
        self.assertEqual(
            lines[0],
            "B = A^T: A 5 x 400, float64, by rows, B by rows; rows by equal shares, planned collectives, 8 ranks",
        )
        phases, ranks = lines[2:7], lines[8:17]
        self.assertEqual([line.split()[0] for line in phases], ["phase", *PHASES, "total"])
        self.assertRegex(phases[-1], r" GB/s while transposing$")
        self.assertEqual([line.split()[0] for line in ranks], ["rank", *map(str, range(8))])
        self.assertEqual({len(line) for line in ranks}, {len(ranks[0])})
        self.assertRegex(lines[18], r"^verified: A and B hold the same elements, bit for bit, .* \(hash [0-9a-f]{16}\)$")
        self.assertEqual(f"platform: {report['platform']}", lines[19])
        notes = [f"note: {note}" for note in report["notes"]]
        self.assertEqual(notes, lines[20:-2])
        self.assertEqual(lines[-2:], ["shares: equal", f"stayed on their rank: {report['layout']['stayed']} of 2000 elements"])

    def test_ranks_without_rows_are_idle(self):
        text, report = self.run_and_report("--m", 2, "--n", 2, "--shares", "equal", ranks=3)
        self.assertEqual([line.split()[-1] == "idle" for line in text.splitlines()[9:12]], [False, False, True])
        text, report = self.run_and_report("--m", 2, "--n", 1, "--shares", "equal", ranks=3)
        self.assertEqual(text.count("idle"), 3)  # a column's elements are sent from where they are
        text, report = self.run_and_report("--size", 1, ranks=3)
        self.assertEqual(text.count("idle"), 3)  # the one element is where it is to be
        self.assertIn("\nview: nothing moves\n", text)
        self.assertEqual(report["phases"][1]["bound_s"], 0)

    def test_a_trace_has_what_every_rank_did(self):
        for ranks in (1, 3):
            with self.subTest(ranks=ranks):
                self.succeed("transpose", "--m", 301, "--n", 200, "--trace", "trace.json", ranks=ranks)
                events = json.loads((self.folder / "trace.json").read_text())["traceEvents"]
                done = [(event["tid"], event["name"]) for event in events if event["ph"] == "X"]
                tasks = ("pack A", "transpose A to B", "unpack B")
                self.assertEqual(sorted(done), [(rank, task) for rank in range(ranks) for task in tasks])
