"""What the tests of `tombolo models` beside this file have in common."""

import tombolo


class TestCase(tombolo.TestCase):
    def through(self):
        return ("env", f"TOMBOLO_CACHE={self.folder / 'cache'}")

    def models(self, *arguments, ranks=2):
        """Runs it; it must succeed, and say on stderr what it does and where it kept what it found."""
        result = self.run_here("models", *arguments, ranks=ranks, through=self.through())
        self.assertEqual(result.status, 0, result)
        for line in result.err.splitlines()[:-1]:
            self.assertRegex(line, r"\A *\d+ s left  (estimating \S+|looking for thresholds in \S+|timing collectives in \S+|"
                                   r"comparing [^\n]+?)( \(\d of \d\))?(: \d+ (of \d+|experiments))?\Z", result)
        self.assertRegex(result.err, rf"\A([^\n]*\n)*(1 model|\d models) of {ranks} ranks; [^\n]+\n\Z", result)
        return result
