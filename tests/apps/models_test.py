"""`tombolo models`: what it prints, what it keeps and who uses that, and what can go wrong."""

import csv
import io
import json
import unittest

import modelling

MODELS = ["hockney", "logp", "loggp", "plogp", "hockney-pairs", "lmo", "lmo-extended", "multiport"]
COLUMNS = ["model", "cluster", "op", "algorithm", "segment", "ranks", "root", "bytes", "predicted_s", "measured_s", "use"]
SMALL = ("--bytes", "64:1K:x4", "--ops", "bcast,scatterv")
# Gaps (LogP, LogGP, pLogP) take long where ranks share cores with other programs; tests/simulation has them.
QUICK = ["hockney", "hockney-pairs", "lmo", "lmo-extended", "multiport"]
CHEAP = ("--models", "hockney,lmo", *SMALL)


class Models(modelling.TestCase):
    def discovered(self, ranks=2):
        result = self.run_here("discover", "--budget", 0.2, "--threads", 1, "-o", "p.json", ranks=ranks)
        self.assertEqual(result.status, 0, result)

    def check_samples(self, samples, ranks):
        self.assertEqual({sample["op"] for sample in samples}, {"bcast", "scatterv"})
        for sample in samples:
            self.assertLessEqual(2, int(sample["ranks"]))
            self.assertLessEqual(int(sample["ranks"]), ranks)
            self.assertGreater(float(sample["measured_s"]), 0)

    def test_models_as_csv_and_then_from_the_file_without_ranks(self):
        result = self.models("--models", ",".join(QUICK), *SMALL, "--format", "csv", "-o", "kept.json")
        self.assertTrue(result.err.endswith("5 models of 2 ranks; kept in kept.json\n"), result)
        # The discovery has estimated the fifth.
        self.assertIn("estimating lmo-extended (4 of 4)\n", result.err)
        table = csv.DictReader(io.StringIO(result.out))
        rows = list(table)
        self.assertEqual(table.fieldnames, COLUMNS)
        self.check_samples(rows, 2)
        self.assertEqual({row["model"] for row in rows}, {*QUICK, "poly"})
        judged = [row for row in rows if row["use"] == "judge"]
        self.assertEqual({row["bytes"] for row in judged}, {"64", "256", "1024"})
        self.assertEqual({row["root"] for row in judged}, {"1"})
        self.assertEqual({row["bytes"] for row in rows if row["use"] == "fit"}, {"128", "512"})

        text = self.succeed("models", "--platform", "kept.json", *SMALL).out
        for words in (*QUICK, "What estimating the models cost", "Which model is believed", "bcast", "scatterv"):
            self.assertIn(words, text)
        self.assertNotIn("How far", text)  # nothing was timed
        plan = ("plan", "bcast", "--bytes", 256, "--platform", "kept.json", "--format", "json")
        believed = json.loads(self.succeed(*plan).out)["model"]
        self.assertIn(believed, QUICK)
        for model in QUICK:
            self.assertEqual(json.loads(self.succeed(*plan, "--model", model).out)["model"], model)

        # What is known is not measured again, unless that is asked for.
        again = self.models(*CHEAP, "--platform", "kept.json", "-o", "kept.json", "--format", "json")
        self.assertNotIn("estimating", again.err)
        self.assertEqual(set(json.loads(again.out)["costs"]), set(QUICK))
        anew = self.models(*CHEAP, "--platform", "kept.json", "-o", "kept.json", "--anew", "--estimate-only")
        self.assertIn("estimating lmo (2 of 2)", anew.err)
        self.assertNotIn("timing", anew.err)

    def test_three_ranks_as_json_and_as_pictures(self):
        self.discovered(ranks=3)
        result = self.models(*CHEAP, "--platform", "p.json", "--format", "json", "--plots", "pictures", ranks=3)
        self.assertTrue(result.err.endswith("not kept; give --output p.json\n"), result)
        found = json.loads(result.out)
        members = ["costs", "thresholds", "contention", "errors", "rankings", "choices", "judged", "fitted"]
        self.assertEqual(list(found), members)
        self.check_samples(found["judged"] + found["fitted"], 3)
        self.assertEqual({sample["ranks"] for sample in found["judged"]}, {3})
        self.assertEqual({sample["ranks"] for sample in found["fitted"]}, {2})
        for model in ("hockney", "lmo"):
            self.assertGreater(found["costs"][model]["measurements"], 0)
            self.assertEqual(found["errors"][model]["samples"], len(found["judged"]))
            self.assertLessEqual(found["errors"][model]["median"], found["errors"][model]["worst"])
            self.assertLessEqual(found["rankings"][model]["right"], found["rankings"][model]["contests"])
        self.assertEqual({(choice["op"], choice["bytes"]) for choice in found["choices"]},
                         {(op, size) for op in ("bcast", "scatterv") for size in (64, 256, 1024)})
        cluster = found["judged"][0]["cluster"]
        pictures = {picture.name: picture.read_text() for picture in (self.folder / "pictures").iterdir()}
        self.assertEqual(set(pictures), {f"{cluster}-bcast.svg", f"{cluster}-scatterv.svg"})
        for picture in pictures.values():
            self.assertIn("</svg>", picture)
            for words in ("hockney", "lmo", "poly", "measured", "binomial"):
                self.assertIn(words, picture)

    def test_without_a_file_it_is_kept_for_these_hosts(self):
        first = self.models(*CHEAP, "--estimate-only")
        self.assertIn(str(self.folder / "cache"), first.err)
        self.assertIn("estimating hockney (1 of 2)", first.err)
        second = self.models("--models", "hockney,hockney-pairs", *SMALL)
        self.assertIn("estimating hockney-pairs\n", second.err)
        self.assertIn("timing collectives in", second.err)
        for words in ("hockney", "lmo", "hockney-pairs", "poly", "How far predictions are", "right choices"):
            self.assertIn(words, second.out)
        # What was chosen for other operations stays.
        self.models("--models", "hockney", "--ops", "gatherv", "--bytes", 64)
        (kept,) = (self.folder / "cache").rglob("*.json")
        operations = {entry["operation"] for entry in json.loads(kept.read_text())["poly"]}
        self.assertEqual(operations, {"bcast", "scatterv", "gatherv"})

    def test_a_budget_leaves_collectives_out_and_says_so(self):
        result = self.run_here("models", "--models", "hockney", "--bytes", "64:16M:x4", "--budget", 1, ranks=2,
                               through=self.through())
        self.assertEqual(result.status, 0, result)
        self.assertRegex(result.err, r"\n\d+ collectives left out, for lack of time; give a longer --budget\n", result)
        # On a busy machine the estimates alone may take the budget; what was estimated is there all the same.
        self.assertIn("What estimating the models cost", result.out)

    def test_mistakes(self):
        self.discovered()
        platform = (self.folder / "p.json").read_text()
        host = json.loads(platform)["hosts"][0]["name"]
        (self.folder / "elsewhere.json").write_text(platform.replace(f'"{host}"', '"elsewhere"'))
        bare = json.loads(platform)
        del bare["models"]
        (self.folder / "bare.json").write_text(json.dumps(bare))
        for words, ranks, arguments in [
            (["'plop'", "hockney, logp"], 0, ["--models", "plop"]),
            (["'dance'", "bcast"], 0, ["--ops", "bcast,dance"]),
            (["'4'", "x2"], 0, ["--bytes", "64:1K:4"]),
            (["'1K:64'", "begins above"], 0, ["--bytes", "1K:64"]),
            (["'x'", "LOW:HIGH"], 0, ["--bytes", "x"]),
            (["'0:64'", "never leaves 0"], 0, ["--bytes", "0:64"]),
            (["'xml'", "csv, json, text"], 0, ["--format", "xml"]),
            (["one rank", "mpiexec"], 0, []),
            (["nothing.json"], 0, ["--platform", "nothing.json"]),
            (["--budget", "0.5"], 0, ["--budget", "0.5"]),
            (["bare.json knows nothing of models", "--output"], 0, ["--platform", "bare.json"]),
            (["--plots pictures", "--estimate-only"], 2, ["--plots", "pictures", "--estimate-only"]),
            (["nowhere"], 2, ["-o", "nowhere/models.json"]),
            (["p.json/pictures"], 2, ["--plots", "p.json/pictures"]),
            (["elsewhere"], 2, ["--platform", "elsewhere.json"]),
            ([" GB for its ranks and has "], 2, ["--models", "hockney", "--ops", "bcast", "--bytes", "1T"]),
            ([" GB for its ranks and has "], 2, ["--platform", "p.json", "--bytes", "64:1P:x1024"]),
            (["p.json", "2", "3"], 3, ["--platform", "p.json"]),
        ]:
            with self.subTest(arguments=arguments):
                self.fail_with(words, "models", *arguments, ranks=ranks)
        for model in MODELS:
            words = ("plan", "bcast", "--platform", "bare.json", "--model", model)
            self.fail_with([f"no estimate of the model {model}"], *words)
        self.fail_with(["'plop'"], "plan", "bcast", "--platform", "p.json", "--model", "plop")
        self.fail_with(["--model", "--platform"], "plan", "bcast", "--model", "plogp")

    def test_help_names_what_there_is(self):
        text = self.succeed("models", "--help").out
        for words in (*MODELS, "alltoallv", "--anew", "--plots", "64:4M:x4"):
            self.assertIn(words, " ".join(text.split()))


if __name__ == "__main__":
    unittest.main()
