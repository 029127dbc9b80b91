"""On a simulated platform models can be held to what they claim: the multiport is right, the poly-model knows who is."""

import json

import simulated

OPTIONS = ("--ops", "bcast,gatherv", "--bytes", "64:64K:x16", "-o", "found.json", "--format", "json")


class Models(simulated.TestCase):
    def alone(self, *arguments):
        """The command outside of a simulation, with one rank on one host of the platform."""
        return self.succeed("ucd16", *arguments, options=("-n", 1))

    def test_the_best_model_is_found_and_used(self):
        done = self.simulate("ucd16", "models", *OPTIONS)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("timing collectives in", done.stderr)
        found = json.loads(done.stdout)
        errors = found["errors"]
        self.assertLess(errors["multiport"]["median"], 0.02)
        self.assertLess(errors["multiport"]["worst"], 0.2)
        self.assertLess(errors["poly"]["median"], 0.05)
        self.assertGreater(errors["hockney"]["median"], 0.1)  # else this would tell nothing
        self.assertEqual({(choice["op"], choice["bytes"]) for choice in found["choices"]},
                         {(op, size) for op in ("bcast", "gatherv") for size in (64, 1024, 16384)})

        plan = ("plan", "bcast", "--bytes", "1K", "--platform", "found.json", "--format", "json")
        (choice,) = [one for one in found["choices"] if (one["op"], one["bytes"]) == ("bcast", 1024)]
        planned = json.loads(self.alone(*plan))
        self.assertEqual(planned["ranks"], 16)
        # What is taken there may be in other segments.
        self.assertLessEqual(planned["predicted_s"], choice["predicted_s"] * 1.02)
        self.assertEqual(json.loads(self.alone(*plan, "--model", "plogp"))["model"], "plogp")
        self.assertEqual(json.loads(self.alone("models", "--platform", "found.json", *OPTIONS[:4], "--format", "json"))
                         ["choices"], found["choices"])


if __name__ == "__main__":
    simulated.unittest.main()
