"""`tombolo plan`: every plan is proved and no faster than the bound, and every mistake has its line."""

import itertools
import json

import tombolo

OPERATIONS = ("barrier", "bcast", "reduce", "scatterv", "gatherv", "alltoallv")


class Plan(tombolo.TestCase):
    def plan(self, *arguments):
        return json.loads(self.succeed("plan", *arguments, "--format", "json").out)

    def test_every_operation_is_proved_and_keeps_the_bound(self):
        # Each operation with each size once, each number of ranks with other sizes from operation to operation.
        turns = itertools.cycle(((1, 0), (2, 1), (7, 3), (16, 15), (5, 2)))
        for (operation, size), (ranks, root) in zip(itertools.product(OPERATIONS, ("0", "1", "64K", "1000001")), turns):
            with self.subTest(operation=operation, ranks=ranks, root=root, size=size):
                plan = self.plan(operation, "--ranks", ranks, "--root", root, "--bytes", size)
                self.assertIs(plan["proved"], True)
                self.assertGreaterEqual(plan["predicted_s"], plan["bound_s"])
                self.assertEqual((plan["operation"], plan["ranks"]), (operation, ranks))
                rivals = [rival["predicted_s"] for rival in plan["rivals"]]
                self.assertEqual(rivals, sorted(rivals))
                self.assertLessEqual(plan["predicted_s"], 1.01 * min([plan["predicted_s"], *rivals]))
                if ranks > 1 and (operation == "barrier" or size != "0"):
                    self.assertGreater(plan["bound_s"], 0)

    def test_every_algorithm_by_name(self):
        for operation in OPERATIONS:
            best = self.plan(operation, "--ranks", 6, "--bytes", 5000)
            for name in {best["algorithm"], *(rival["algorithm"] for rival in best["rivals"])}:
                with self.subTest(operation=operation, algorithm=name):
                    words = (operation, "--ranks", 6, "--bytes", 5000, "--algorithm", name)
                    plan = self.plan(*words, "--segment", "1K", "--window", 2)
                    self.assertEqual((plan["algorithm"], plan["proved"], plan["window"]), (name, True, 2))

    def test_a_throttled_gather_by_name(self):
        plan = self.plan("gatherv", "--ranks", 6, "--bytes", 5000, "--algorithm", "throttled", "--window", 2)
        self.assertEqual((plan["proved"], plan["messages"]), (True, 5 + 3))  # three wait for the root

    def test_a_mapping_and_a_schedule_by_name(self):
        words = ("scatterv", "--bytes", 5000, "--algorithm", "binomial", "--ranks", 6, "--root", 2, "--mapping")
        times = {mapping: self.plan(*words, mapping) for mapping in ("good", "pessimal", "ranks")}
        self.assertEqual({plan["proved"] for plan in times.values()}, {True})
        platform = tombolo.Path(tombolo.os.environ["TOMBOLO_SOURCE"]) / "examples/platform.json"
        mapped = ("bcast", "--bytes", "1M", "--algorithm", "mapped", "--platform", platform, "--schedule")
        self.assertIs(self.plan(*mapped, "ecef-la")["proved"], True)
        text = self.succeed("plan", *mapped, "flat over chain", "--segment", "64K").out
        self.assertIn("mapped, segments of 65536 B, tree: flat over chain", text)
        text = self.succeed("plan", *mapped, "flat over binomial over binomial").out
        self.assertIn("tree: flat over binomial over binomial", text)
        self.fail_with(["4 levels of groups on a platform of", "for each level"],
                       "plan", *mapped, "flat over flat over flat over flat over chain")

    def test_the_text(self):
        text = self.succeed("plan", "bcast", "--ranks", 4, "--bytes", "64K").out
        for words in ("bcast of 65536", "over 4 ranks", "predicted", "bound", "proved", "rivals"):
            self.assertIn(words, text)
        self.assertIn("rank 2: ", self.succeed("plan", "bcast", "--ranks", 4, "--rank", 2).out)

    def test_sizes_are_read_as_people_write_them(self):
        def link_bytes(size):
            return self.plan("bcast", "--ranks", 2, "--bytes", size)["link_bytes"]

        for size, count in [("1000", 1000), ("2e3", 2000), ("1K", 1024), ("1kB", 1024), ("1.5e1MiB", 15 << 20)]:
            with self.subTest(size=size):
                self.assertEqual(link_bytes(size), count)

    def test_mistakes(self):
        for words, arguments in [
            (["operation", "--help"], []),
            (["'dance'", "barrier, bcast"], ["dance"]),
            (["'dance'", "flat, binomial"], ["bcast", "--algorithm", "dance"]),
            (["--ranks", "'0'"], ["bcast", "--ranks", 0]),
            (["--ranks", "'-3'"], ["bcast", "--ranks", -3]),
            (["--ranks", "'1000000000000'"], ["bcast", "--ranks", 10**12]),
            (["--ranks", "'x'"], ["bcast", "--ranks", "x"]),
            (["--root 8", "0 to 7"], ["bcast", "--root", 8]),
            (["--root", "'-1'"], ["bcast", "--root", -1]),
            (["--root 9", "0 to 7"], ["barrier", "--root", 9]),
            (["--rank 8", "0 to 7"], ["bcast", "--rank", 8]),
            (["--rank", "'-2'"], ["bcast", "--rank", -2]),
            (["--bytes", "'-5'"], ["bcast", "--bytes", -5]),
            (["--bytes", "'5Q'"], ["bcast", "--bytes", "5Q"]),
            (["--bytes", "'K'"], ["bcast", "--bytes", "K"]),
            (["--bytes", "9" * 30], ["bcast", "--bytes", "9" * 30]),
            (["--bytes", "2^56"], ["bcast", "--bytes", "1000P"]),
            (["--segment requires --algorithm"], ["bcast", "--segment", "4K"]),
            (["--segment", "'-1'"], ["bcast", "--algorithm", "chain", "--segment", -1]),
            (["--window", "'-1'"], ["bcast", "--algorithm", "chain", "--window", -1]),
            (["--mapping requires --algorithm"], ["bcast", "--mapping", "good"]),
            (["--mapping", "'best'", "good, pessimal, ranks"], ["bcast", "--algorithm", "flat", "--mapping", "best"]),
            (["'ring'", "mapping"], ["allgatherv", "--algorithm", "ring", "--mapping", "good"]),
            (["--no-detours requires --platform"], ["bcast", "--no-detours"]),
            (["--schedule requires --algorithm"], ["bcast", "--schedule", "ecef"]),
            (["no schedule 'milk'", "ecef-LAT"], ["bcast", "--algorithm", "mapped", "--schedule", "milk"]),
            (["but one"], ["bcast", "--algorithm", "mapped", "--schedule", "ecef"]),
            (["follows no schedule"], ["bcast", "--algorithm", "chain", "--schedule", "ecef"]),
            (["--latency -1", "microseconds"], ["bcast", "--latency", -1]),
            (["--rate 0", "MB/s"], ["bcast", "--rate", 0]),
            (["--rate nan", "MB/s"], ["bcast", "--rate", "nan"]),
            (["--format", "'xml'", "json, text"], ["bcast", "--format", "xml"]),
            (["--delay 5", "chain of bcast", "does not heed"], ["bcast", "--algorithm", "chain", "--delay", 5]),
            (["--radix 5", "chain of bcast", "does not heed"], ["bcast", "--algorithm", "chain", "--radix", 5]),
            (["more than 9.223e+06 s", "fewer bytes"], ["bcast", "--bytes", "2P", "--ranks", 16]),
            (["more than 9.223e+06 s", "fewer bytes"], ["bcast", "--bytes", "2P", "--algorithm", "flat"]),
        ]:
            with self.subTest(arguments=arguments):
                self.fail_with(words, "plan", *arguments)

    def test_plans_of_too_many_steps_are_shown_without_a_proof(self):
        for arguments in (
            ["bcast", "--algorithm", "chain", "--bytes", "1G", "--segment", 1],
            ["alltoallv", "--ranks", 10000, "--bytes", 1000],
            ["alltoallv", "--ranks", 65536, "--bytes", 0],
        ):
            with self.subTest(arguments=arguments):
                self.assertIn("not proved here", self.succeed("plan", *arguments).out)
                plan = json.loads(self.succeed("plan", *arguments, "--format", "json").out)
                self.assertFalse(plan["proved"])
                self.assertIsNone(plan["messages"])
                self.assertGreaterEqual(plan["predicted_s"], plan["bound_s"])

    def test_what_is_not_predicted_has_no_time(self):
        words = ("plan", "alltoallv", "--ranks", 300, "--bytes", "1K")
        self.assertIn("not predicted          pairwise", self.succeed(*words).out)
        rivals = json.loads(self.succeed(*words, "--format", "json").out)["rivals"]
        self.assertEqual([rival["predicted_s"] for rival in rivals if rival["algorithm"] == "pairwise"], [None])

    def test_a_plan_of_many_messages_has_no_timeline(self):
        for ranks, words in ((16, "s sends, r receives"), (400, "no timeline, as 159600 messages take long to simulate")):
            with self.subTest(ranks=ranks):
                shown = self.succeed("plan", "alltoallv", "--ranks", ranks, "--bytes", 8, "--algorithm", "direct").out
                self.assertIn(words, shown)
                self.assertIn(" messages, ", shown)
                self.assertNotIn("NOT PROVED", shown)

    def test_five_thousand_ranks(self):
        self.assertIs(self.plan("bcast", "--ranks", 5000, "--bytes", "64K")["proved"], True)

    def test_thousands_of_ranks(self):
        for operation in ("reduce", "allreduce"):
            with self.subTest(operation=operation):
                self.assertIs(self.plan(operation, "--ranks", 1500, "--bytes", "64K")["proved"], True)


class Command(tombolo.TestCase):
    def test_help_goes_to_stdout_once(self):
        for ranks in (0, 3):
            for arguments in (["--help"], ["-h"], ["matmul", "--help"], ["plan", "--help"]):
                with self.subTest(arguments=arguments, ranks=ranks):
                    self.assertEqual(self.succeed(*arguments, ranks=ranks).out.count("Usage: tombolo"), 1)
            self.assertRegex(self.succeed("--version", ranks=ranks).out, r"\A\d+\.\d+\.\d+\n\Z")

    def test_errors_are_told_once(self):
        for ranks in (0, 3):
            self.fail_with(["no command", "matmul, transpose, predict, plan"], ranks=ranks)
            self.fail_with(["'dance'", "matmul, transpose, predict, plan"], "dance", ranks=ranks)
            self.fail_with(["'--dance'", "matmul, transpose, predict, plan"], "--dance", ranks=ranks)
            self.fail_with(["'dance'", "bcast"], "plan", "dance", ranks=ranks)
            self.fail_with(["--ranks", "'0'"], "plan", "bcast", "--ranks", 0, ranks=ranks)

    def test_a_plan_is_shown_once(self):
        out = self.succeed("plan", "barrier", "--format", "json", ranks=3).out
        self.assertEqual(json.loads(out)["operation"], "barrier")
