"""Programs that know nothing of Tombolo run on simulated platforms under tombolo-run, and print what they print natively."""

import json
import re
import subprocess

import simulated

PROGRAMS = {"conjugate_gradients": (40,), "k_means": (12,), "fft": (64, 6)}


class Unmodified(simulated.TestCase):
    def built(self, name, compiler="smpicc"):
        program = self.folder / name
        source = simulated.SOURCE / f"lab/programs/mpi/{name}.c"
        subprocess.run((compiler, "-O1", source, "-o", program, "-lm"), check=True)
        return program

    def planned(self, platform, ranks, program, *arguments):
        """Its output, under tombolo-run."""
        words = ("--quiet", "--report", "report.json", program, *arguments)
        return self.succeed(platform, *words, program="tombolo-run", options=("-n", ranks))

    def test_results_are_equal(self):
        for name, arguments in PROGRAMS.items():
            program = self.built(name)
            for platform, ranks in (("ucd16", 1), ("ucd16", 7), ("mpichg2", 19)):
                with self.subTest(name=name, platform=platform, ranks=ranks):
                    native = self.succeed(platform, *arguments, program=program, options=("-n", ranks))
                    self.assertEqual(self.planned(platform, ranks, program, *arguments), native)
                    self.assertNotIn("wrong", native)
                    calls = [row for of in json.loads((self.folder / "report.json").read_text())["communicators"]
                             for row in of["calls"]]
                    planned = sum(row["planned"] for row in calls)
                    if ranks == 1 or platform == "mpichg2":
                        self.assertEqual(planned > 0, ranks > 1, calls)
                    (self.folder / "report.json").unlink()

    def test_a_platform_that_is_known(self):
        program = self.built("k_means")
        few = ("-n", 18)
        found = self.simulate("mpichg2", "discover", "-o", "known.json", options=few)
        self.assertEqual(found.returncode, 0, found)
        said = self.simulate("mpichg2", "--platform", "known.json", program, 5, program="tombolo-run", options=few)
        self.assertEqual(said.returncode, 0, said)
        known = (self.folder / "known.json").resolve()
        self.assertEqual(said.stderr, f"tombolo: plans collectives of 18 ranks; platform: {known}\n")

    def test_the_time_of_computation(self):
        program = self.built("k_means")

        def seconds(*options):
            done = self.simulate("ucd16", 5, program=program, options=("--time", *options))
            self.assertEqual(done.returncode, 0, done)
            said = re.fullmatch(r"scripts/simulate: simulated time: ([0-9.]+) s\n", done.stderr)
            self.assertTrue(said, done)
            return float(said[1])

        # A machine of so many operations a second has made thousands of them in no time.
        self.assertGreater(seconds("--computation", "1e15"), 100 * seconds())
        self.fail_with(["'fast'", "4e9"], "ucd16", program=program, options=("--computation", "fast"))

    def test_programs_of_the_other_kind(self):
        real = self.built("k_means", "mpicc.mpich")
        done = self.simulate("ucd16", real, program="tombolo-run")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"\Atombolo-run: \S+ was not built for simulation; build it by [^\n]+\n\Z")
        done = subprocess.run((simulated.SOURCE / "scripts/run", self.built("k_means")), capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"\Atombolo-run: \S+ was built for simulation; run it by tombolo-simulate [^\n]+\n\Z")


if __name__ == "__main__":
    simulated.unittest.main()
