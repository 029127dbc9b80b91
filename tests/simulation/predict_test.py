"""`tombolo predict` predicts what a run on the same platform predicts of itself."""

import json

import simulated


class Predict(simulated.TestCase):
    def test_the_same_as_a_run(self):
        for platform in ("ucd16", "three"):
            path = simulated.SOURCE / "lab/platforms" / platform
            self.succeed(platform, "show", f"{path}.xml", "--hosts", f"{path}.hosts", "--format", "json", "-o",
                         f"{platform}.json", options=("-n", 1))
            runs = (("matmul", "--m", 900, "--n", 2000, "--k", 700, "--root", 3, "--algorithm", "auto"),
                    ("transpose", "--m", 1000, "--n", 3000, "--layout", "columns", "--shares", "speed"),
                    ("matmul", "--size", 1500),
                    ("matmul", "--size", 1500, "--held", "distributed", "--dtype", "float32"),
                    ("matmul", "--size", 1000, "--shares", "equal", "--collectives", "native"),
                    ("transpose", "--size", 3000))
            for command, *words in runs if platform == "ucd16" else runs[:2]:
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

    def test_a_transpose_runs_on_one_core(self):
        hosts = "".join(f'<host id="h{number}" speed="2Gf" core="{cores}"/>' for number, cores in enumerate((8, 2, 1)))
        between = "".join(f'<route src="h{a}" dst="h{b}"><link_ctn id="line"/></route>' for a, b in ((0, 1), (0, 2), (1, 2)))
        (self.folder / "cores.xml").write_text(
            '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1">'
            f'<zone id="z" routing="Full">{hosts}<link id="line" bandwidth="10GBps" latency="5us"/>{between}</zone></platform>')
        (self.folder / "cores.hosts").write_text("h0\nh1\nh2\n")
        xml = self.folder / "cores.xml"
        self.assertEqual(self.simulate(xml, "discover", "-o", "cores.json").returncode, 0)
        words = ("transpose", "--size", 2000, "--shares", "speed", "--platform", "cores.json")
        told = self.succeed(xml, "predict", *words, "--format", "json", options=("-n", 1))
        run = self.report(xml, *words, "--phantom")
        self.assertAlmostEqual(json.loads(told)["predictions"][0]["predicted_s"] / run["predicted_s"], 1, delta=0.01)

    def test_exchanges_over_a_backbone_that_both_directions_share(self):
        (self.folder / "bus.xml").write_text(
            '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1">'
            '<cluster id="b" prefix="b-" suffix="" radical="0-7" speed="2Gf" bw="125MBps" lat="20us" bb_bw="125MBps" '
            'bb_lat="0"/></platform>')
        (self.folder / "bus.hosts").write_text("".join(f"b-{host}\n" for host in range(8)))
        xml = self.folder / "bus.xml"
        self.assertEqual(self.simulate(xml, "discover", "-o", "bus.json").returncode, 0)
        run = self.report(xml, "transpose", "--size", 1500, "--platform", "bus.json", "--phantom")
        self.assertAlmostEqual(run["predicted_s"] / run["seconds"], 1, delta=0.05)  # acknowledgements would double it


if __name__ == "__main__":
    simulated.unittest.main()
