"""No command writes a file over another that it reads or writes, and what a link leads to is written, not the link."""

import itertools
import json
import os

import numpy as np

import tombolo

DIFFERENT = "are the same file; give them different names"
PLATFORM = str(tombolo.Path(__file__).parents[2] / "examples/platform.json")


class SameFiles(tombolo.TestCase):
    def setUp(self):
        super().setUp()
        self.save("a.npy", np.ones((6, 6))), self.save("b.npy", np.ones((6, 6)))
        for name in ("p.json", "t.json", "levels", "hosts", "x.xml"):
            (self.folder / name).write_text(f"the only {name}")
        (self.folder / "again.json").symlink_to("p.json")
        os.link(self.folder / "p.json", self.folder / "hard.json")
        (self.folder / "nothing").symlink_to("out")
        (self.folder / "folder").symlink_to(".")

    def test_inputs_and_outputs(self):
        files = ("matmul", "--a", "a.npy", "--b", "b.npy")
        small = ("--size", 5)
        turns = itertools.cycle((3, 3, 1))
        for one, other, words in [
            ("--a a.npy", "--report a.npy", [*files, "--report", "a.npy"]),
            ("--b b.npy", "--trace ./b.npy", [*files, "--trace", "./b.npy"]),
            ("--c x", "--trace x", ["matmul", *small, "--c", "x", "--trace", "x"]),
            ("--c x", "--report ./x", ["matmul", *small, "--c", "x", "--report", "./x"]),
            ("--c nothing", "--report out", ["matmul", *small, "--c", "nothing", "--report", "out"]),
            ("--c folder/new", "--trace new", ["matmul", *small, "--c", "folder/new", "--trace", "new"]),
            ("--trace x", "--report x", ["matmul", *small, "--trace", "x", "--report", "x"]),
            ("--platform p.json", "--report p.json", ["matmul", *small, "--platform", "p.json", "--report", "p.json"]),
            ("--platform p.json", "--report again.json",
             ["matmul", *small, "--platform", "p.json", "--report", "again.json"]),
            ("--platform p.json", "--trace hard.json",
             ["matmul", *small, "--platform", "p.json", "--trace", "hard.json"]),
            ("--tuning t.json", "--report t.json", ["transpose", *small, "--tuning", "t.json", "--report", "t.json"]),
            ("--in a.npy", "--trace a.npy", ["transpose", "--in", "a.npy", "--trace", "a.npy"]),
            ("--out b", "--trace b", ["transpose", "--in", "a.npy", "--out", "b", "--trace", "b"]),
            ("--levels levels", "--output levels", ["discover", "--levels", "levels", "-o", "levels"]),
            ("--platform p.json", "--plots p.json", ["bench", "bcast", "--platform", "p.json", "--plots", "p.json"]),
            ("--output new", "--plots new", ["models", "-o", "new", "--plots", "new"]),
        ]:
            ranks = next(turns)
            with self.subTest(words=words, ranks=ranks):
                result = self.fail_with([one, other, DIFFERENT], *words, ranks=ranks)
                self.assertEqual(result.err.count("\n"), 1)
        for one, other, words in [
            ("--platform p.json", "--output p.json", ["tune", "--platform", "p.json", "-o", "p.json"]),
            ("--hosts hosts", "--output hosts", ["tune", "--platform", "x.xml", "--hosts", "hosts", "-o", "hosts"]),
            ("file p.json", "--output p.json", ["show", "p.json", "-o", "p.json"]),
            ("--hosts hosts", "--output hosts", ["show", "x.xml", "--hosts", "hosts", "-o", "hosts"]),
        ]:
            with self.subTest(words=words):
                self.fail_with([one, other, DIFFERENT], *words)
        for name in ("p.json", "t.json", "levels", "hosts", "x.xml"):
            self.assertEqual((self.folder / name).read_text(), f"the only {name}")

    def test_where_outputs_lie_until_they_are_finished(self):
        (self.folder / "a.npy").rename(self.folder / "b.npy.partial")
        (self.folder / "t.json").rename(self.folder / "b.npy.partial.journal")
        for one, words in [
            ("--in b.npy.partial", ["transpose", "--in", "b.npy.partial", "--out", "folder/b.npy"]),
            ("--a ./b.npy.partial", ["matmul", "--a", "./b.npy.partial", "--b", "b.npy.partial", "--c", "b.npy", "--resume"]),
            ("--report x.partial", ["matmul", "--size", 5, "--c", "x", "--report", "x.partial", "--resume"]),
            ("--trace x.partial.journal", ["matmul", "--size", 5, "--c", "x", "--trace", "x.partial.journal"]),
            ("--tuning b.npy.partial.journal",
             ["transpose", "--size", 5, "--tuning", "b.npy.partial.journal", "--out", "b.npy"]),
        ]:
            with self.subTest(words=words):
                result = self.fail_with([f"{one} is where ", " is kept until it is finished; give one of them another name"],
                                        *words, ranks=2)
                self.assertEqual(result.err.count("\n"), 1)
        np.testing.assert_array_equal(self.load("b.npy.partial"), np.ones((6, 6)))

    def test_the_tuning_of_the_environment(self):
        through = ("env", "TOMBOLO_TUNING=t.json")
        self.fail_with(["TOMBOLO_TUNING t.json and --report t.json", DIFFERENT], "matmul", "--size", 5, "--report",
                       "t.json", through=through)

    def test_a_platform_may_take_its_models(self):
        for name in ("p.json", "again.json", "hard.json"):
            self.fail_with(["p.json is neither a platform file"], "models", "--platform", "p.json", "-o", name)


class Links(tombolo.TestCase):
    def test_what_a_link_leads_to_is_written(self):
        (self.folder / "there").mkdir()
        (self.folder / "there/old").write_text("old")
        for name in ("old", "new"):
            (self.folder / f"to-{name}").symlink_to(f"there/{name}")
        (self.folder / "to-a-link").symlink_to("to-new")
        for link, target in ("to-old", "old"), ("to-a-link", "new"):
            with self.subTest(link=link):
                self.succeed("transpose", "--size", 5, "--out", link, ranks=2)
                self.assertTrue((self.folder / link).is_symlink())
                written = self.folder / "there" / target
                self.assertEqual(np.load(written).shape, (5, 5))
                self.succeed("show", PLATFORM, "--format", "json", "-o", link)
                self.assertTrue((self.folder / link).is_symlink())
                self.assertEqual(json.loads(written.read_text())["format"], "tombolo platform")
                written.unlink()
                self.assertEqual(list((self.folder / "there").iterdir()), [])

    def test_links_that_lead_nowhere(self):
        (self.folder / "away").symlink_to("none/out")
        (self.folder / "round").symlink_to("round")
        self.fail_with(["cannot write", "the folder none does not exist"], "show", PLATFORM, "-o", "away")
        self.fail_with(["cannot write round", "Too many levels", "check the path"], "show", PLATFORM, "-o", "round")
