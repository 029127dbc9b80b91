"""`tombolo transpose` on simulated platforms."""

import numpy as np

import simulated


class Transpose(simulated.TestCase):
    def test_files_on_many_ranks(self):
        a = np.random.default_rng(3).standard_normal((211, 97))
        np.save(self.folder / "a.npy", a)
        for platform in ("ucd16", "triangle"):
            for collectives in ("native", "tombolo"):
                with self.subTest(platform=platform, collectives=collectives):
                    report = self.report(
                        platform, "transpose", "--in", "a.npy", "--out", "b.npy", "--collectives", collectives)
                    self.assertTrue(report["verified"])
                    self.assertEqual(np.load(self.folder / "b.npy").tobytes(), np.ascontiguousarray(a.T).tobytes())

    def test_all_selectors_with_any_number_of_ranks(self):
        # SimGrid's broadcasts as Intel's library does give wrong values on 5 to 8 ranks.
        for selector, ranks in {"mpich": 3, "ompi": 64, "mvapich2": 5, "impi": 13, "default": 29}.items():
            with self.subTest(selector=selector, ranks=ranks):
                options = ("--selector", selector, "-n", ranks)
                arguments = ("transpose", "--m", 301, "--n", 157, "--collectives", "native")
                self.assertTrue(self.report("grid5000", *arguments, options=options)["verified"])

    def test_phantom_memory_changes_no_time(self):
        for collectives in ("native", "tombolo"):
            arguments = ("transpose", "--m", 901, "--n", 703, "--collectives", collectives)
            held = self.report("ucd16", *arguments)
            phantom = self.report("ucd16", *arguments, "--phantom")
            self.assertEqual((held["verified"], phantom["verified"], phantom["phantom"]), (True, False, True))
            for one, other in zip(held["phases"], phantom["phases"]):
                self.assertAlmostEqual(one["seconds"], other["seconds"], delta=1e-3 * one["seconds"] + 1e-9)

    def test_shares_follow_the_speeds_that_are_declared(self):
        report = self.report("ucd16", "transpose", "--size", 4000, "--shares", "speed", "--phantom")
        packing = [on["seconds"]["pack"] for on in report["processors"]]
        self.assertLess(max(packing), 1.03 * min(packing))

    def test_layouts_on_many_ranks(self):
        a = np.random.default_rng(3).standard_normal((211, 97))
        np.save(self.folder / "a.npy", a)
        for layout, to in (("rows", "blocks"), ("blocks", "columns"), ("blocks", "blocks"), ("rows", "columns")):
            with self.subTest(layout=layout, to=to):
                files = ("--in", "a.npy", "--out", "b.npy")
                report = self.report("triangle", "transpose", *files, "--layout", layout, "--to", to)
                self.assertTrue(report["verified"])
                self.assertEqual(np.load(self.folder / "b.npy").tobytes(), np.ascontiguousarray(a.T).tobytes())

    def test_shares_by_links_are_no_slower_than_by_speed_and_two_runs_alike(self):
        for platform in ("ucd16", "mpichg2"):
            with self.subTest(platform=platform):
                all_hosts = (simulated.SOURCE / f"lab/platforms/{platform}.hosts").read_text().splitlines()
                some = self.folder / f"{platform}.hosts"
                some.write_text("\n".join(all_hosts[:: len(all_hosts) // 16]) + "\n")
                on = {"options": ("--hosts", some)}
                found = self.folder / f"{platform}.json"  # what each run would find out anew
                self.assertEqual(self.simulate(platform, "discover", "-o", found, **on).returncode, 0)
                known = ("--platform", found, "--phantom")
                reports = [
                    self.report(platform, "transpose", "--size", 4000, "--shares", shares, *known, **on)
                    for shares in ("links", "speed", "equal")
                ]
                self.assertLess(reports[0]["seconds"], 1.1 * min(report["seconds"] for report in reports))
        words = ("ucd16", "transpose", "--size", 2000, "--shares", "links", "--phantom")
        self.assertEqual(self.report(*words), self.report(*words))

    def test_errors(self):
        self.fail_with(["missing.npy"], "ucd16", "transpose", "--in", "missing.npy")
        self.fail_with(["--out b.npy", "phantom"], "ucd16", "transpose", "--size", 10, "--phantom", "--out", "b.npy")


if __name__ == "__main__":
    simulated.unittest.main()
