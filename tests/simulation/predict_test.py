"""`tombolo predict` predicts what a run on the same platform predicts of itself."""

import json

import simulated


class Predict(simulated.TestCase):
    def test_the_same_as_a_run(self):
        for platform in ("ucd16", "three"):
            path = simulated.SOURCE / "lab/platforms" / platform
            self.succeed(platform, "show", f"{path}.xml", "--hosts", f"{path}.hosts", "--format", "json", "-o",
                         f"{platform}.json", options=("-n", 1))
            for command, *words in (
                    ("matmul", "--size", 1500),
                    ("matmul", "--m", 900, "--n", 2000, "--k", 700, "--root", 3, "--algorithm", "auto"),
                    ("matmul", "--size", 1500, "--held", "distributed", "--dtype", "float32"),
                    ("matmul", "--size", 1000, "--shares", "equal", "--collectives", "native"),
                    ("transpose", "--size", 3000),
                    ("transpose", "--m", 1000, "--n", 3000, "--layout", "columns", "--shares", "speed")):
                with self.subTest(platform=platform, command=command, words=words):
                    words = (command, *words, "--platform", f"{platform}.json")
                    run = self.report(platform, *words, "--phantom")
                    told = self.succeed(platform, "predict", *words, "--format", "json", options=("-n", 1))
                    predicted = json.loads(told)["predictions"][0]
                    # A run measures speeds, in simulated picoseconds, after which a share may differ by a row.
                    near = 0.01 if command == "transpose" else 1e-5
                    self.assertAlmostEqual(predicted["predicted_s"] / run["predicted_s"], 1, delta=near)
                    bound = min(run["bound_s"], run["predicted_s"])
                    self.assertAlmostEqual(predicted["bound_s"] / bound, 1, delta=near)
                    self.assertEqual([phase["name"] for phase in predicted["phases"]],
                                     [phase["name"] for phase in run["phases"]])


if __name__ == "__main__":
    simulated.unittest.main()
