"""`tombolo predict`: products and transposes on platforms that are not here."""

import csv
import io
import json
import os
from pathlib import Path

import tombolo

SOURCE = Path(os.environ["TOMBOLO_SOURCE"])
SMALL = SOURCE / "examples/platform.json"
GRID = SOURCE / "lab/platforms/mpichg2.xml"
SITES = SOURCE / "lab/platforms/three.xml"
CLOUDS = SOURCE / "lab/platforms/clouds.xml"
TRIANGLE = SOURCE / "lab/platforms/triangle.xml"


class Predict(tombolo.TestCase):
    def predict(self, *arguments):
        return json.loads(self.succeed("predict", *arguments, "--format", "json").out)

    def one(self, *arguments):
        predictions = self.predict(*arguments)["predictions"]
        self.assertEqual(len(predictions), 1)
        return predictions[0]

    def test_one_size(self):
        for held in ("root", "distributed"):
            for algorithm in ("auto", "rows", "columns"):
                with self.subTest(held=held, algorithm=algorithm):
                    found = self.one("matmul", "--platform", SMALL, "--size", 2000, "--held", held,
                                     "--algorithm", algorithm)
                    self.assertEqual(found["shape"], {"m": 2000, "n": 2000, "k": 2000})
                    self.assertAlmostEqual(sum(phase["predicted_s"] for phase in found["phases"]),
                                           found["predicted_s"], delta=1e-9)
                    self.assertGreaterEqual(found["predicted_s"], found["bound_s"])
                    self.assertGreaterEqual(found["predicted_s"], found["full_speed_s"])
                    # 2 n^3 operations at 4 + 4 + 4 + 6.5 Gflop/s
                    self.assertAlmostEqual(found["full_speed_s"], 16e9 / 18.5e9, places=6)
                    self.assertEqual(len(found["processors"]), 4)
                    self.assertEqual(found["clusters_used"], sum(c["used"] > 0 for c in found["clusters"]))
                    unit = "elements" if found["way"].startswith("columns") else "rows"
                    self.assertEqual(sum(p[unit] for p in found["processors"]), 4_000_000 if unit == "elements" else 2000)

    def test_the_fastest_way_is_none_slower_than_the_others(self):
        words = ("matmul", "--platform", CLOUDS, "--size", 2000, "--held", "distributed", "--algorithm")
        found, rows, columns = (self.one(*words, name) for name in ("auto", "rows", "columns"))
        self.assertLessEqual(found["predicted_s"], min(rows["predicted_s"], columns["predicted_s"] / 0.95) + 1e-9)
        in_full = [way["predicted_s"] for way in found["compared"] if not way["left_out"]]
        self.assertEqual(found["predicted_s"], in_full[0])

    def test_clusters_inside_groups_are_looked_at_alone(self):
        found = self.one("matmul", "--platform", CLOUDS, "--size", 2000)
        ways = [way["way"] for way in found["compared"]]
        for part in ('6 ranks of cluster "w1"', '7 ranks of cluster "w0"', '13 ranks of group "west"'):
            self.assertTrue(any(part in way for way in ways), (part, ways))
        self.assertEqual(len(ways), len(set(ways)))

    def test_all_in_one_rank_is_the_work_alone(self):
        platform = {"format": "tombolo platform", "version": 1,
                    "processors": [{"rank": 0, "host": "a", "speed_flops": 2e9}], "hosts": [{"name": "a"}],
                    "levels": {"name": "all", "kind": "cluster", "ranks": [0],
                               "children": [{"name": "a", "kind": "host", "ranks": [0]}]}}
        (self.folder / "one.json").write_text(json.dumps(platform))
        found = self.one("matmul", "--platform", "one.json", "--size", 1000)
        self.assertAlmostEqual(found["predicted_s"], 1, places=6)
        self.assertAlmostEqual(found["bound_s"], 1, places=6)
        self.fail_with(["one.json has no speed of transposing for rank 0 on a", "memory_bytes_per_s"],
                       "predict", "transpose", "--platform", "one.json", "--size", 1000)

    def test_from_which_size_a_second_cluster_pays(self):
        words = ("matmul", "--platform", GRID, "--algorithm", "rows", "--size", "7000,9500")
        text = self.succeed("predict", *words, "--report", "r.json").out
        found = self.report("r.json")
        first, last = found["predictions"]
        self.assertEqual((first["clusters_used"], last["clusters_used"]), (1, 3))
        size = found["steps"][0]["size"]
        self.assertTrue(7000 < size < 9500)
        self.assertEqual(found["steps"][-1]["clusters"], 3)
        self.assertIn("sdsc", found["steps"][0]["names"])
        self.assertRegex(text, rf"From size {size:,} on (a second cluster pays|3 clusters pay): sdsc, then ")
        at = self.one(*words[:-1], size)
        self.assertGreater(at["clusters_used"], 1)
        below = self.one(*words[:-1], size - size // 10)
        self.assertEqual(below["clusters_used"], 1)
        text = self.succeed("predict", *words[:-1], "500,1000").out
        self.assertIn("At size 1,000 no second cluster pays beside sdsc.", text)
        text = self.succeed("predict", *words[:-1], "1000", "--shares", "equal").out
        self.assertNotIn("pay", text)  # all ranks take part, whether that is fast or not

    def test_sizes_as_a_list_and_a_range(self):
        csv_of = self.succeed("predict", "matmul", "--platform", SMALL, "--size", "4000,100:900:x3,300", "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(csv_of.out)))
        self.assertEqual([row["size"] for row in rows], ["100", "300", "900", "4000"])
        csv_of = self.succeed("predict", "matmul", "--platform", TRIANGLE, "--held", "distributed", "--size", "900", "--format", "csv")
        (header, row) = csv.reader(io.StringIO(csv_of.out))  # whose way has names in quotes
        self.assertEqual(len(row), len(header))
        self.assertIn('cluster "', row[-1])
        times = [float(row["predicted_s"]) for row in rows]
        self.assertEqual(times, sorted(times))

    def test_shapes_roots_and_types(self):
        found = self.one("matmul", "--platform", SMALL, "--m", 100, "--n", 200, "--k", 300)
        self.assertEqual(found["shape"], {"m": 100, "n": 200, "k": 300})
        found = self.one("matmul", "--platform", SMALL, "--m", 5000, "--size", 200, "--root", 3)
        self.assertEqual(found["shape"], {"m": 5000, "n": 200, "k": 200})
        report = self.predict("matmul", "--platform", SMALL, "--size", 500, "--dtype", "float32")
        self.assertIn("sgemm was not measured", report["speeds"])

    def test_speeds_of_kernels_come_first(self):
        platform = json.loads(SMALL.read_text())
        platform["kernels"] = {"dgemm": {"unit": "flop", "threads": [1, 1, 1, 1], "speeds": [[[100, 1e9]]] * 4}}
        (self.folder / "with.json").write_text(json.dumps(platform))
        report = self.predict("matmul", "--platform", "with.json", "--size", 1000)
        self.assertIn("kernel dgemm", report["speeds"])
        self.assertAlmostEqual(report["predictions"][0]["full_speed_s"], 0.5, places=6)

    def test_a_transpose(self):
        found = self.one("transpose", "--platform", GRID, "--size", 4000)
        self.assertEqual([phase["name"] for phase in found["phases"]], ["pack", "alltoallv", "unpack"])
        self.assertGreaterEqual(found["predicted_s"], found["bound_s"])
        self.assertEqual(sum(cluster["rows"] for cluster in found["clusters"]), 4000)
        view = self.one("transpose", "--platform", GRID, "--size", 4000, "--layout", "rows", "--to", "columns")
        self.assertEqual((view["way"], view["predicted_s"]), ("view: nothing moves", 0))
        blocks = self.one("transpose", "--platform", GRID, "--m", 900, "--n", 500, "--layout", "blocks", "--grid", "6x8",
                          "--dtype", "complex128")
        self.assertEqual(sum(cluster["elements"] for cluster in blocks["clusters"]), 450_000)

    def test_the_report_and_the_picture(self):
        self.succeed("predict", "matmul", "--platform", SITES, "--algorithm", "rows", "--size", "500:1000", "--report",
                     "all.json", "--plot", "times.svg")
        report = self.report("all.json")
        self.assertEqual([p["size"] for p in report["predictions"]], [500, 1000])
        names = [few["name"] for few in report["on_fewer_clusters"]]
        self.assertTrue(names[0].startswith("1 cluster: "), names)
        picture = (self.folder / "times.svg").read_text()
        for words in ("best of all clusters", "bound", "full speed", *names):
            self.assertIn(words, picture)

    def test_what_is_explained(self):
        text = self.succeed("predict", "matmul", "--platform", SMALL, "--size", 3000, "--algorithm", "auto", "--explain").out
        for words in ("chosen: ", "next best of", "needed GB", "a1", "working s", "memory: "):
            self.assertIn(words, text)

    def test_no_time_is_negative(self):
        text = self.succeed("predict", "matmul", "--platform", SMALL, "--size", "100,200", "--m", 3).out
        self.assertNotIn(" -0.0", text)

    def test_huge_sizes(self):
        found = self.one("matmul", "--platform", SMALL, "--algorithm", "rows", "--size", "3e5")
        self.assertGreater(found["memory_bytes"], 2.1e12)
        self.fail_with(["a matrix of", "2^60"], "predict", "matmul", "--platform", SMALL, "--size", "1e10")
        self.fail_with(["takes more than 100 days", "smaller sizes"], "predict", "matmul", "--platform", SMALL, "--size", "1000000")

    def test_mistakes(self):
        words = ("predict", "matmul", "--platform")
        self.fail_with(["missing.json", "cannot"], *words, "missing.json", "--size", 100)
        self.fail_with(["'0'", "size 0"], *words, SMALL, "--size", 0)
        self.fail_with(["'many' in '100,many' is no size"], *words, SMALL, "--size", "100,many")
        self.fail_with(["'4,' lacks a size"], *words, SMALL, "--size", "4,")
        self.fail_with(["no matrices to multiply; give --size, or --m"], *words, SMALL)
        self.fail_with(["--root 4 with 4 ranks"], *words, SMALL, "--size", 100, "--root", 4)
        self.fail_with(["--size 100 where each dimension is stated"], *words, SMALL, "--size", "100,200", "--m", 3, "--n", 4, "--k", 5)
        self.fail_with(["--plot with one size"], *words, SMALL, "--size", 100, "--plot", "x.svg")
        self.fail_with(["--platform"], "predict", "matmul", "--size", 100)
        self.fail_with(["no application; choose one of matmul, transpose"], "predict")
        self.fail_with(["'product' is not an application; choose one of matmul, transpose"], "predict", "product", "--size", 4)
        platform = json.loads(SMALL.read_text())
        del platform["processors"][2]["speed_flops"]
        (self.folder / "slow.json").write_text(json.dumps(platform))
        self.fail_with(["slow.json has no speed of products of matrices for rank 2 on a2", "speed_flops"],
                       *words, "slow.json", "--size", 100)


if __name__ == "__main__":
    tombolo.unittest.main()
