"""tombolo tune: what it decides, keeps and shows, who keeps to it, and what is refused."""

import csv
import io
import json
import unittest
from pathlib import Path

import tombolo

PLATFORM = Path(__file__).resolve().parents[2] / "examples/platform.json"
SAID = r"\A([^\n]*\n)*\d+ decisions? (measured|by prediction); [^\n]+\n\Z"


class TestCase(tombolo.TestCase):
    def tune(self, *arguments, ranks=0, status=0):
        """Runs it; it must succeed, and say on stderr what it does and where the decisions went."""
        repeat = ("--least", 2, "--most", 2) if ranks > 1 else ()
        through = ("env", f"TOMBOLO_CACHE={self.folder / 'cache'}")
        result = self.run_here("tune", *arguments, *repeat, ranks=ranks, through=through)
        self.assertEqual(result.status, status, result)
        self.assertRegex(result.err, SAID, result)
        return result

    def predicted(self, *arguments):
        return self.tune(*arguments, "--platform", PLATFORM)

    def kept(self, name="t.json"):
        return json.loads((self.folder / name).read_text())

    def change(self, name="t.json", **members):
        """Forces a decision by hand, the only one in the file."""
        tuning = self.kept(name)
        (decision,) = tuning["decisions"]
        decision.update(members)
        (self.folder / name).write_text(json.dumps(tuning))

    def plan(self, *arguments):
        words = ("plan", *arguments, "--platform", PLATFORM, "--tuning", "t.json")
        return json.loads(self.succeed(*words, "--format", "json").out)


class ByPrediction(TestCase):
    def test_the_same_input_gives_the_same_file_whose_decisions_are_sorted_lines(self):
        words = ("gather,bcast", "--bytes", "64:4K:x8", "--root", "all")
        self.predicted(*words, "-o", "t.json")
        self.predicted(*words, "-o", "again.json")
        text = (self.folder / "t.json").read_text()
        self.assertEqual(text, (self.folder / "again.json").read_text())
        decisions = self.kept()["decisions"]
        self.assertEqual([(d["operation"], d["root"], d["bytes"]) for d in decisions],
                         [(o, r, b) for o in ("bcast", "gatherv") for r in range(4) for b in (64, 512, 4096)])
        self.assertEqual({d["carrier"] for d in decisions}, {"plan"})
        for decision in decisions:
            self.assertNotIn("measured_ps", decision)
            if "trees" not in decision:
                line = [line for line in text.splitlines() if json.dumps(decision) in line]
                self.assertEqual(len(line), 1, decision)

    def test_a_decision_is_no_worse_than_a_choice(self):
        self.predicted("all", "--bytes", "64:64K:x32", "-o", "t.json")
        for operation in ("bcast", "allreduce", "gatherv", "alltoallv"):
            for size in (64, 65536):
                plan = self.plan(operation, "--bytes", size)
                self.assertIs(plan["proved"], True)
                tuned = plan["tuned"]
                self.assertEqual((tuned["bytes"], plan["carrier"]), (size, "plan"))
                self.assertLessEqual(plan["predicted_s"], 1.021 * tuned["otherwise"]["predicted_s"])

    def test_text_csv_and_json(self):
        text = self.predicted("bcast,barrier", "--bytes", "8").out
        for words in ("operation", "carried out by", "bcast", "barrier", "4 ranks", "by prediction alone"):
            self.assertIn(words, text)
        (row,) = csv.DictReader(io.StringIO(self.predicted("bcast", "--bytes", "1K", "--format", "csv").out))
        self.assertEqual((row["op"], row["ranks"], row["root"], row["bytes"], row["measured_s"]), ("bcast", "4", "0", "1024", ""))
        found = json.loads(self.predicted("bcast", "--bytes", "1K", "--format", "json", "--candidates", 2).out)
        (decision,) = found["decisions"]
        names = [c["algorithm"] for c in decision["contenders"]]
        self.assertIn("flat", names)
        self.assertIn(decision["algorithm"], names)
        self.assertLessEqual(len(names), 3)
        self.assertEqual(float(row["predicted_s"]) > 0, True)

    def test_a_decision_that_was_forced_is_taken_near_its_size_alone(self):
        self.predicted("bcast", "--bytes", "64K", "-o", "t.json")
        words = ("plan", "bcast", "--bytes", "64K", "--platform", PLATFORM, "--format", "json")
        chosen = json.loads(self.succeed(*words).out)["algorithm"]
        other = "flat" if chosen != "flat" else "chain"
        tuning = self.kept()
        keep = ("operation", "root", "bytes", "carrier", "predicted_ps")
        tuning["decisions"] = [{k: tuning["decisions"][0][k] for k in keep} | {"algorithm": other}]
        (self.folder / "t.json").write_text(json.dumps(tuning))
        for size in ("64K", "16K", "256K"):
            plan = self.plan("bcast", "--bytes", size)
            self.assertEqual((plan["algorithm"], plan["tuned"]["bytes"]), (other, 65536))
        self.assertEqual(self.plan("bcast", "--bytes", "64K")["tuned"]["otherwise"]["algorithm"], chosen)
        for words in (("--bytes", "1M"), ("--bytes", "8"), ("--bytes", "64K", "--root", 1)):
            self.assertNotIn("tuned", self.plan("bcast", *words))
        text = self.succeed("plan", "bcast", "--bytes", "64K", "--platform", PLATFORM, "--tuning", "t.json").out
        self.assertIn("kept as decided for 65536 B; without that: ", text)

    def test_an_update_leaves_what_was_measured_and_what_it_is_not_about(self):
        self.predicted("bcast", "--bytes", "64", "-o", "t.json")
        self.change(measured_ps=5, native_ps=9, carrier="native")
        before = self.kept()["decisions"]
        result = self.predicted("bcast,barrier", "--bytes", "64", "-o", "t.json", "--update")
        self.assertIn("where 1 that was measured before stays", result.err)
        after = self.kept()["decisions"]
        self.assertEqual([d["operation"] for d in after], ["barrier", "bcast"])
        self.assertEqual(after[1:], before)
        self.predicted("barrier", "-o", "t.json")
        self.assertEqual([d["operation"] for d in self.kept()["decisions"]], ["barrier"])


class ByMeasurement(TestCase):
    def test_measured_decisions_are_the_fastest_and_are_kept_to(self):
        for ranks in (2, 4):
            result = self.tune("bcast,allreduce", "--bytes", "64:4K:x64", "-o", "t.json", "--format", "json", ranks=ranks)
            found = json.loads(result.out)
            self.assertEqual((found["ranks"], found["measured"], len(found["decisions"])), (ranks, True, 4))
            for decision in found["decisions"]:
                measured = {c["algorithm"]: c["measured_s"] for c in decision["contenders"]}
                self.assertGreaterEqual(len(measured), 2)
                fastest = min(*measured.values(), decision["native_s"])
                time = decision["native_s" if decision["carrier"] == "native" else "measured_s"]
                self.assertLessEqual(time, 1.021 * fastest)
            self.assertEqual([d["bytes"] for d in self.kept()["decisions"]], [64, 4096, 64, 4096])

    def bench(self, *arguments):
        words = ("bench", *arguments, "--bytes", "64", "--format", "csv", "--least", 1, "--most", 1)
        result = self.run_here(*words, ranks=2)
        self.assertEqual(result.status, 0, result)
        return {row["impl"]: row["algorithm"] for row in csv.DictReader(io.StringIO(result.out))}

    def test_bench_and_applications_keep_to_a_decision_that_was_forced(self):
        self.tune("bcast", "--bytes", "64", "-o", "t.json", ranks=2)
        for algorithm in ("chain", "binary"):
            self.change(carrier="plan", algorithm=algorithm)
            self.assertEqual(self.bench("bcast", "--tuning", "t.json"), {"native": "native", "tombolo": algorithm})
        self.change(carrier="native")
        self.assertEqual(self.bench("bcast", "--tuning", "t.json", "--check"), {"native": "native", "tombolo": "native"})
        self.assertEqual(self.bench("bcast", "--tuning", "t.json", "--impl", "tombolo"), {"tombolo": "native"})
        self.change(carrier="plan", algorithm="chain", bytes=32 * 32 * 8)
        matmul = ("matmul", "--size", 32, "--shares", "speed", "--report", "r.json")
        result = self.run_here(*matmul, ranks=2, through=("env", "TOMBOLO_TUNING=t.json"))
        self.assertEqual(result.status, 0, result)
        self.assertIn("chain", str(self.report("r.json")))


class Mistakes(TestCase):
    def test_mistakes_are_one_line(self):
        here = ("--platform", PLATFORM)
        (self.folder / "folder").mkdir()
        for words, arguments in [
            (["no --platform", "mpiexec"], ["bcast"]),
            (["there is no operation", "teleport"], ["teleport", *here]),
            (["--root 9 of 4 ranks"], ["bcast", "--root", 9, *here]),
            (["--root rotate"], ["bcast", "--root", "rotate", *here]),
            (["--update requires --output"], ["bcast", *here, "--update"]),
            (["--candidates", "'0'"], ["bcast", *here, "--candidates", 0]),
            (["'warp'"], ["bcast", *here, "--model", "warp"]),
            (["folder"], ["bcast", *here, "-o", "folder"]),
            (["missing.json"], ["bcast", "--platform", "missing.json"]),
        ]:
            with self.subTest(arguments=arguments):
                self.fail_with(words, "tune", *arguments)
        self.fail_with(["--hosts h on 2 ranks"], "tune", "bcast", "--hosts", "h", ranks=2)
        self.fail_with(["for 4 ranks, and this run has 2"], "tune", "bcast", *here, ranks=2)

    def test_times_beyond_those_that_can_be_decide_nothing(self):
        result = self.run_here("tune", "bcast", "--bytes", "7P", "--platform", PLATFORM, "-o", "t.json")
        self.assertRegex(result.err, r"\ntombolo: bcast of [^\n]* more than 9.223e\+06 s, [^\n]*; plan for fewer bytes[^\n]*\n\Z")
        self.assertEqual((result.status, result.out, list(self.folder.iterdir())), (1, "", []))

    def test_files_that_are_no_tuning_for_these_ranks_are_refused_with_one_line(self):
        self.predicted("bcast", "--bytes", "64", "-o", "t.json")
        text = (self.folder / "t.json").read_text()
        (self.folder / "cut.json").write_text(text[:-20])
        (self.folder / "hosts.json").write_text(text.replace(self.kept()["hosts"], "0" * 16))
        (self.folder / "typo.json").write_text(text.replace('"carrier"', '"carier"'))
        plan = ("plan", "bcast", "--platform", PLATFORM, "--tuning")
        for name, words in [
            ("cut.json", ["cut.json", "cut short"]),
            ("hosts.json", ["hosts.json", "other hosts or another order", "0" * 16, "tombolo tune"]),
            ("typo.json", ["typo.json", '"carier"']),
            ("missing.json", ["missing.json"]),
        ]:
            with self.subTest(name=name):
                self.fail_with(words, *plan, name)
                if name != "missing.json":
                    update = ("tune", "bcast", "--platform", PLATFORM, "--update", "-o", name)
                    self.fail_with([*words[:-1], "--update" if name == "hosts.json" else words[-1]], *update)
        self.fail_with(["t.json was tuned for 4 ranks, and here are 2"], "bench", "bcast", "--tuning", "t.json", ranks=2)
        environment = ("env", "TOMBOLO_TUNING=t.json")
        for command in (("matmul", "--size", 8), ("transpose", "--size", 8), ("bench", "bcast")):
            self.fail_with(["t.json was tuned for 4 ranks"], *command, ranks=2, through=environment)
        self.fail_with(["--tuning requires --platform"], "plan", "bcast", "--tuning", "t.json")


if __name__ == "__main__":
    unittest.main()
