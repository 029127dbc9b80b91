"""`tombolo discover`: what it finds on this host, where it keeps it, who uses that, and what can go wrong."""

import json
import os
import unittest
from pathlib import Path

import tombolo

CPUS = sorted(os.sched_getaffinity(0))
# Each rank on a hardware thread of its own, in turn, as mpiexec -bind-to would; more ranks than threads go around.
BOUND = ("bash", "-c", f'cpus=({" ".join(map(str, CPUS))}); '
         'exec taskset -c ${cpus[PMI_RANK % ${#cpus[@]}]} "$@"', "bash")
SYSTEM = Path("/sys/devices/system")

# Products of more than 128 rows are not computed and take so long that a kernel is not measured at the sizes behind.
SLEEPY_BLAS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
#define SLEEPY(name, factor) \
  void name(int order, int ta, int tb, int m, int n, int k, factor alpha, const void* a, int lda, const void* b, \
            int ldb, factor beta, void* c, int ldc) { \
    typedef void gemm(int, int, int, int, int, int, factor, const void*, int, const void*, int, factor, void*, int); \
    if (m > 128) { \
      usleep(70000); \
    } else { \
      ((gemm*)dlsym(RTLD_NEXT, #name))(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc); \
    } \
  }
SLEEPY(cblas_sgemm, float)
SLEEPY(cblas_dgemm, double)
SLEEPY(cblas_cgemm, const void*)
SLEEPY(cblas_zgemm, const void*)
"""


def shared_by(cpu):
    """The package, memory node, last-level cache and core of a hardware thread, as the kernel names them."""
    topology = SYSTEM / f"cpu/cpu{cpu}/topology"
    package, core = ((topology / name).read_text().strip() for name in ("physical_package_id", "core_id"))
    caches = SYSTEM.glob(f"cpu/cpu{cpu}/cache/index*")
    last = max(caches, key=lambda cache: int((cache / "level").read_text()), default=None)
    sharing = (last / "shared_cpu_list").read_text().strip() if last else ""
    nodes = tuple(SYSTEM.glob(f"node/node*/cpu{cpu}"))
    return [("package", package), ("node", nodes), ("cache", package, sharing), ("core", package, core)]


def groups_of(shared):
    """Sets of ranks that share something which not all of them do."""
    found = set()
    for objects in zip(*shared):
        for one in set(objects):
            ranks = tuple(rank for rank, other in enumerate(objects) if other == one)
            if 1 < len(ranks) < len(shared):
                found.add(ranks)
    return found


def levels_inside(level):
    """The sets of ranks of all levels below this one that hold several ranks."""
    for child in level["children"]:
        if len(child["ranks"]) > 1:
            yield tuple(child["ranks"])
        yield from levels_inside(child)


class Discover(tombolo.TestCase):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"

    def through(self, cache=None, levels=None, bound=False):
        """Starts tombolo with this cache folder, these stated levels (a list: by rank) and bound to cores."""
        words = ["env", f"TOMBOLO_CACHE={self.cache if cache is None else cache}"]
        if levels is not None:
            texts = " ".join(f"'{level}'" for level in levels)
            words += ["bash", "-c", f'texts=({texts}); TOMBOLO_LEVELS=${{texts[PMI_RANK]}} exec "$@"', "bash"]
        return (*words, *(BOUND if bound else ()))

    def discover(self, *arguments, ranks=2, through=None):
        """Runs it; it must succeed with stages and where it keeps the file on stderr. Returns what it said."""
        words = ("discover", "--budget", 0.2, "--threads", 1, *arguments)
        result = self.run_here(*words, ranks=ranks, through=self.through() if through is None else through)
        self.assertEqual((result.status, result.out), (0, ""), result)
        lines = result.err.splitlines()
        for line in lines[:-1]:
            self.assertRegex(line, r"\A *\d+\.\d\d s  \w[^\n]*\Z", result)
        self.assertRegex(lines[-1], rf"\A{ranks} ranks? on 1 host in 1 logical cluster; ")
        return lines[-1]

    def discovered(self, *arguments, **how):
        words = self.discover("-o", "found.json", *arguments, **how)
        self.assertTrue(words.endswith("; kept in found.json"), words)
        return json.loads((self.folder / "found.json").read_text())

    def model(self, *arguments, ranks=2, through=None):
        """Multiplies; returns the model that the collectives were planned by."""
        words = ("matmul", "--size", 64, "--report", "report.json", *arguments)
        result = self.run_here(*words, ranks=ranks, through=self.through() if through is None else through)
        self.assertEqual((result.status, result.err), (0, ""), result)
        return self.report()["model"]

    def check_levels(self, ranks, bound):
        platform = self.discovered(ranks=ranks, through=self.through(bound=bound))
        self.assertEqual([on["rank"] for on in platform["processors"]], list(range(ranks)))
        self.assertEqual(len({on["host"] for on in platform["processors"]}), 1)
        for on in platform["processors"]:
            sizes, speeds = zip(*on["speeds_flops"])
            self.assertEqual((list(sizes), on["speed_flops"]), (sorted(set(sizes)), speeds[-1]))
            self.assertGreater(min(speeds), 0)
        self.assertEqual(platform["levels"]["kind"], "cluster")
        (host,) = platform["levels"]["children"]
        self.assertEqual((host["kind"], host["ranks"]), ("host", list(range(ranks))))
        self.assertGreater(platform["hosts"][0]["memory_bytes_per_s"], 0)
        if ranks > 1:
            self.assertGreater(host["latency_ps"], 0)
            self.assertGreater(host["rate_bytes_per_s"], 0)
        # Ranks that may run anywhere share everything.
        shared = [shared_by(CPUS[rank % len(CPUS)]) for rank in range(ranks)] if bound else []
        self.assertEqual(set(levels_inside(host)), groups_of(shared))
        shown = self.succeed("show", "found.json").out
        self.assertIn(f"{ranks} rank", shown)
        self.assertNotIn("kernels", platform)
        self.assertNotIn("kernel ", shown)

    def test_levels_inside_a_host_are_those_that_its_kernel_names(self):
        for ranks, bound in ((1, False), (2, True), (4, True), (3, False)):
            with self.subTest(ranks=ranks, bound=bound):
                self.check_levels(ranks, bound)

    def test_what_is_stated_comes_out(self):
        def names(level):
            return {level["name"]} | set().union(*map(names, level["children"]))

        found = self.discovered(through=self.through(levels=["orsay/c1", "orsay/c1"]))
        self.assertIn("orsay/c1", names(found["levels"]))
        (self.folder / "levels").write_text("# one host\ngrenoble/c21: 0-1\n")
        found = self.discovered("--levels", "levels", through=self.through(levels=["orsay/c1", "lyon"]))
        self.assertIn("grenoble/c21", names(found["levels"]))

    def test_mistakes_in_what_is_stated(self):
        for words, levels in [(["ranks 0 and 1", "orsay and lyon"], ["orsay", "lyon"]),
                              (["rank 0", "orsay//c1"], ["orsay//c1", ""])]:
            with self.subTest(levels=levels):
                self.refuse(words, through=self.through(levels=levels))
        latin = ("env", "TOMBOLO_LEVELS=" + os.fsdecode(b"\xff"))
        said = self.refuse(["rank 0: ", '"\\xff"', "UTF-8"], "-o", "found.json", through=latin)
        self.assertNotIn("speeds of processors", said.err)  # it has not measured before
        (self.folder / "folder").mkdir()
        for number, (text, words) in enumerate([
            ("orsay: 7\n", ["line 1", "7"]),
            ("\norsay: nobody*\n", ["line 2", "nobody"]),
            ("orsay\n", ["line 1"]),
            ("a: 0\nb: 1\n", ["line 2"]),
            ("a/: 0\n", ["line 1"]),
        ]):
            with self.subTest(text=text):
                (self.folder / f"levels{number}").write_text(text)
                self.refuse(words, "--levels", f"levels{number}")
        self.refuse(["none", "No such file"], "--levels", "none")
        self.refuse(["folder", "directory"], "--levels", "folder")

    def test_speeds_of_kernels_are_stored_and_shown_and_others_refused(self):
        units = {"cgemm": "flop", "copy": "B", "dgemm": "flop", "sgemm": "flop", "stencil": "flop", "zgemm": "flop"}
        for ranks, asked, names in ((1, "all", sorted(units)), (3, "copy,copy", ["copy"])):
            with self.subTest(ranks=ranks):
                through = self.preloading(SLEEPY_BLAS) if asked == "all" else ()
                kernels = self.discovered("--kernels", asked, ranks=ranks, through=(*self.through(), *through))["kernels"]
                self.assertEqual(list(kernels), names)
                self.assertEqual({name: kernel["unit"] for name, kernel in kernels.items()},
                                 {name: units[name] for name in names})
                for kernel in kernels.values():
                    self.assertEqual((kernel["threads"], len(kernel["speeds"])), ([1] * ranks, ranks))
                    self.assertEqual((kernel["version"], len(kernel["quota_millicores"])), ("", ranks))
                    self.assertRegex(kernel["measured"], r"\A20\d\d-\d\d-\d\d\Z")
                    self.assertEqual(kernel["sizes"], sorted(set(kernel["sizes"])))
                    for points in kernel["speeds"]:
                        sizes, speeds = zip(*points)
                        self.assertEqual(list(sizes), sorted(set(sizes)))
                        self.assertGreater(min(speeds), 0)
                text = self.succeed("show", "found.json").out
                if "stencil" in names:
                    self.assertRegex(text, rf"(?m)^stencil +64 +{ranks} +[\d.]+ [MG]flop/s")
                self.assertRegex(text, rf"(?m)^copy +16384 +{ranks} +[\d.]+ [MGT]B/s.* {kernels['copy']['measured']}$")
        platform = json.loads((self.folder / "found.json").read_text())
        platform["kernels"]["copy"]["threads"] = [1, 1]
        (self.folder / "found.json").write_text(json.dumps(platform))
        self.fail_with(["kernels", "copy", "2 ranks", "has 3"], "show", "found.json")

    def refuse(self, words, *arguments, through=None, ranks=2):
        through = self.through() if through is None else through
        return self.fail_with(words, "discover", *arguments, ranks=ranks, through=through)

    def test_mistakes_in_options(self):
        for words, arguments in [
            (["--budget", "0"], ["--budget", 0]),
            (["--budget", "soon"], ["--budget", "soon"]),
            (["--budget", "nan"], ["--budget", "nan"]),
            (["--precision", "0"], ["--precision", 0]),
            (["--bound", "-1"], ["--bound", -1]),
            (["--threads", "'0'"], ["--threads", 0]),
            (["--output", "''"], ["-o", ""]),
            (["--levels", "''"], ["--levels", ""]),
            (["--size", "--help"], ["--size", 5]),
            (["--kernels", "'nothing'", "all, cgemm, copy, dgemm, sgemm, stencil, zgemm"], ["--kernels", "nothing"]),
            (["--kernels", "'nothing'"], ["--kernels", "stencil,nothing"]),
            (["--kernels", "''"], ["--kernels", ""]),
        ]:
            with self.subTest(arguments=arguments):
                self.refuse(words, *arguments, ranks=0)

    def test_levels_with_control_characters(self):
        for text in (b"a\0b: 0\n", b"a: c\0*\n", b"a\x1b[2J: 0-1\n", b"\xc2\x9b: 0\n"):
            (self.folder / "levels").write_bytes(text)
            self.refuse(["levels, line 1: ", "control character"], "--levels", "levels")
        through = self.through(levels=["a\x1b[2J", "a"])
        self.refuse(["rank 0: ", '"a\\x1b[2J" has a control character'], through=through)

    def test_outputs_that_cannot_be_written(self):
        (self.folder / "folder").mkdir()
        self.refuse(["none/p.json", "does not exist", "mkdir -p none"], "-o", "none/p.json")
        self.refuse(["folder", "directory"], "-o", "folder")

    def test_what_is_kept_is_used_by_later_runs(self):
        words = self.discover()
        (kept,) = self.cache.iterdir()
        self.assertTrue(words.endswith(f"; kept in {kept}"), words)
        platform = json.loads(kept.read_text())
        self.assertEqual(self.succeed("show", kept).out, self.succeed("show", kept).out)
        # Figures that no machine has show whose they are.
        host = platform["levels"]["children"][0]
        host["latency_ps"], host["rate_bytes_per_s"] = 123_000_000, 4_560_000_000
        kept.write_text(json.dumps(platform))
        self.assertIn("123 us + bytes / 4.56 GB/s", self.model())
        kept.rename(self.folder / "p.json")
        self.assertIn("123 us + bytes / 4.56 GB/s", self.model("--platform", "p.json"))

        # Without it, or where it is broken, each run measures for itself, and keeps that where it can.
        self.assertTrue(all(file.name.endswith(".plans.json") for file in self.cache.iterdir()))
        kept.write_text("{")
        self.assertNotIn("123 us", self.model())
        self.assertEqual(json.loads(kept.read_text())["format"], platform["format"])
        self.assertNotIn("123 us", self.model(through=self.through(cache="/dev/null/cache")))
        nowhere = ("env", "-u", "TOMBOLO_CACHE", "-u", "XDG_CACHE_HOME", "-u", "HOME")
        self.assertNotIn("123 us", self.model(through=nowhere))

        for command in ("matmul", "transpose"):
            self.fail_with(["p.json", "2 ranks", "has 3", "tombolo discover"],
                           command, "--size", 64, "--platform", "p.json", ranks=3, through=self.through())

    def test_without_a_cache_folder_it_says_so(self):
        nowhere = ("env", "-u", "TOMBOLO_CACHE", "-u", "XDG_CACHE_HOME", "-u", "HOME")
        self.assertIn("kept nowhere", self.discover(ranks=1, through=nowhere))


if __name__ == "__main__":
    unittest.main()
