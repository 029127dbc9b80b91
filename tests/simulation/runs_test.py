"""Simulated runs: verified where data is held, the same digits every time, with or without data."""

import itertools

import simulated


class Runs(simulated.TestCase):
    def test_the_same_digits_on_two_runs(self):
        for platform, ranks, collectives in (("mpichg2", 20, "tombolo"), ("ucd16", 16, "native")):
            words = (platform, "matmul", "--size", 500, "--phantom", "--collectives", collectives)
            one, other = (self.succeed(*words, options=("-n", ranks)) for _ in range(2))
            self.assertEqual(one, other)

    def test_all_collectives_and_types_are_verified(self):
        native = zip(simulated.SELECTORS, itertools.cycle(("float64", "float32")))
        runs = [((), "tombolo", "float64"), ((), "tombolo", "float32"),
                *((("--selector", selector), "native", dtype) for selector, dtype in native)]
        for options, collectives, dtype in runs:
            with self.subTest(options=options, dtype=dtype):
                report = self.report(
                    "ucd16", "matmul", "--m", 301, "--k", 203, "--n", 407, "--root", 7, "--dtype", dtype,
                    "--collectives", collectives, options=options)
                self.assertTrue(report["verified"])
                self.assertFalse(report["phantom"])

    def test_selectors_differ(self):
        seconds = set()
        for selector in simulated.SELECTORS:
            arguments = ("matmul", "--size", 1000, "--phantom", "--collectives", "native")
            seconds.add(self.report("uniform64", *arguments, options=("--selector", selector, "-n", 13))["seconds"])
        self.assertGreater(len(seconds), 2)

    def test_phantom_memory_changes_no_time(self):
        for collectives in ("native", "tombolo"):
            arguments = ("matmul", "--m", 700, "--k", 900, "--n", 500, "--collectives", collectives)
            held = self.report("ucd16", *arguments)
            phantom = self.report("ucd16", *arguments, "--phantom")
            self.assertEqual((held["verified"], held["phantom"]), (True, False))
            self.assertEqual((phantom["verified"], phantom["phantom"]), (False, True))
            for one, other in zip(held["phases"], phantom["phases"]):
                self.assertAlmostEqual(one["seconds"], other["seconds"], delta=1e-3 * one["seconds"] + 1e-9)

    def test_what_does_not_fit_becomes_phantom(self):
        # 20,000 squared is 3.2 GB, which 78 ranks would hold 78 times; four GB of address space are enough.
        within = ("prlimit", f"--data={4 << 30}")
        arguments = ("matmul", "--size", 20000, "--collectives", "native", "--algorithm", "rows")
        text = self.succeed("grid5000", *arguments, through=within)
        self.assertIn("phantom: no data was held", text)

    def test_messages_beyond_what_simgrid_can_count(self):
        # A vector of 4.5 GB goes down a tree in whole.
        sizes = ("--m", 2, "--k", 25000, "--n", 22500)
        how = ("--phantom", "--shares", "speed", "--algorithm", "rows")
        report = self.report("uniform64", "matmul", *sizes, *how, options=("-n", 2))
        self.assertTrue(report["phantom"])
        self.assertGreater(report["phases"][1]["seconds"], 4.5e9 / 1.25e9)

    def test_the_reference_runs_at_the_speed_of_the_root(self):
        report = self.report("ucd16", "matmul", "--size", 300, "--reference", "--root", 8)
        self.assertAlmostEqual(report["reference"]["flops"] / 3.0e9, 1, delta=1e-6)


if __name__ == "__main__":
    simulated.unittest.main()
