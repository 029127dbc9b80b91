"""`tombolo models`: what it prints and keeps of the thresholds of linear scatters and gathers."""

import json
import unittest

import modelling

SMALLEST, LARGEST = 256, 256 << 10
HOCKNEY = ("--models", "hockney", "--estimate-only")
LMO = ("--models", "lmo", "--estimate-only")
LOOKING = "looking for thresholds in "


class Thresholds(modelling.TestCase):
    def stored(self, name="kept.json"):
        return json.loads((self.folder / name).read_text()).get("thresholds")

    def check_one(self, found, ranks):
        """What was found is chance, but not what it looks like."""
        self.assertEqual(found["ranks"], ranks)
        self.assertLessEqual(set(found), {"scope", "ranks", "scatter", "gather"})
        sizes = [found["scatter"]["serial_above_bytes"]] if "scatter" in found else []
        if "gather" in found:
            sizes += [found["gather"]["small_bytes"], found["gather"]["large_bytes"]]
            self.assertLessEqual(*sizes[-2:])
            self.assertGreaterEqual(found["gather"]["escalation_ps"], 0)
        for size in sizes:
            self.assertTrue(SMALLEST <= size <= LARGEST, found)
        return sizes

    def table(self, text):
        """The words of its two lines."""
        self.assertIn("Thresholds: linear scatters go one after the other above S", text)
        head, line = text[text.index("Thresholds:"):].split("\n\n")[1].splitlines()[:2]
        self.assertEqual(head.split(), ["cluster", "ranks", "S", "M1", "M2", "escalation", "kappa", "1", "kappa", "2"])
        return line.split()

    def test_they_are_looked_for_kept_shown_and_not_looked_for_again(self):
        first = self.models(*HOCKNEY, "-o", "kept.json", ranks=3)
        self.assertIn(LOOKING, first.err)
        (found,) = self.stored()
        sizes = self.check_one(found, 3)
        self.assertNotIn("kappa", json.dumps(found))  # which need an LMO model
        words = self.table(first.out)
        self.assertEqual(words[:2], [found["scope"], "3"])
        missing = 2 - ("scatter" in found) - ("gather" in found)
        self.assertEqual(" ".join(words).count("no break found"), missing)
        for size in sizes:
            self.assertIn(f"{size} B", " ".join(words))
        self.assertEqual(self.table(self.succeed("models", "--platform", "kept.json").out), words)

        # The model that comes later adds what it says to them.
        again = self.models(*LMO, "--platform", "kept.json", "-o", "kept.json", "--format", "json", ranks=3)
        self.assertNotIn(LOOKING, again.err)
        (more,) = self.stored()
        self.assertEqual(json.loads(again.out)["thresholds"], [more])
        kappas = {name for name in more.get("gather", {}) if "kappa" in name}
        expected = {"small_kappa_ps_per_megabyte", "large_kappa_ps_per_megabyte"} if "gather" in found else set()
        self.assertEqual(kappas, expected)
        for name in kappas:
            del more["gather"][name]
        self.assertEqual(more, found)

        anew = self.models(*HOCKNEY, "--anew", "--platform", "kept.json", "-o", "kept.json", ranks=3)
        self.assertIn(LOOKING, anew.err)
        self.check_one(self.stored()[0], 3)

    def test_they_may_be_left_out_and_two_ranks_have_none(self):
        result = self.models(*HOCKNEY, "--no-thresholds", "-o", "kept.json")
        self.assertNotIn("Thresholds", result.out)
        self.assertIsNone(self.stored())
        result = self.models(*HOCKNEY, "--platform", "kept.json", "-o", "kept.json")
        self.assertNotIn(LOOKING, result.err)
        self.assertIn("Thresholds: none looked for, as they take three ranks and more\n", result.out)
        self.assertEqual(self.stored(), [])

        # What is wrong with them is said before anything is measured.
        platform = json.loads((self.folder / "kept.json").read_text())
        platform["thresholds"] = [{"scope": "all", "ranks": 1}]
        (self.folder / "bad.json").write_text(json.dumps(platform))
        for ranks in (0, 2):
            self.fail_with(['"thresholds"', "[0].ranks"], "models", *HOCKNEY, "--platform", "bad.json", ranks=ranks)
        platform["models"] = []
        (self.folder / "bad.json").write_text(json.dumps(platform))
        self.fail_with(['"models"', "no object"], "models", *HOCKNEY, "--platform", "bad.json", ranks=2)


if __name__ == "__main__":
    unittest.main()
