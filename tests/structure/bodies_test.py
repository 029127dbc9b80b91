"""Bodies, rules and arrays that do not suit what is declared do not compile, and the compiler says in words why."""

import json
import os
import re
import shlex
import subprocess
import unittest
from pathlib import Path

BUILD = Path(os.environ["TOMBOLO_BIN"]).parent
LIKE = "tests/framework/mpi/program/"  # whose headers and settings a program has

BEGIN = """#include <tombolo/program.hpp>
using namespace tombolo;
using View1 = View<double, 1>;
using Const1 = View<const double, 1>;
struct Pair { int a, b; };
"""
# A function for some statements, which to the compiler are those of a file of this name.
FUNCTION = """namespace {name} {{
void declare(Program& program) {{
  const Domain rows = program.domain("rows", 9);
  const auto a = program.array<double>("a", {{9}}, Distributed::over(rows));
  const auto b = program.array<double>("b", {{9}}, Distributed::over(rows));
  const auto n = program.partial<double>("n", Reduce::max);
  const auto m = program.partial<double>("m", Reduce::sum);
  const Cost cost{{.kernel = "dgemm", .operations = 1}};
  (void)b, (void)n, (void)m, (void)cost;
#line 1 "{name}"
  {statements}
}}
}}
"""

BODY = "the body must take its first argument (a const Range&, of a task a Collectives&) and then one view"
PARTS = "a task takes accesses (reads, around, whole, writes, updates, combines) and, last, its body"
RULE = "the rule must take the values in their order and return a bool"


def compute(parts):
    return f'program.compute("work", rows, cost, {parts});'


RIGHT = [
    compute("reads(a), writes(b), [](const Range&, Const1, View1) {}"),
    compute("reads(a), updates(b), combines(n), [](const Range&, auto, auto, double&) {}"),
    compute("[](const Range&) {}"),
    'program.task("own", {}, [](Collectives&) {});',
    'program.repeat("loop", 3, [] {}, until(n, [](double) { return true; }));',
    "program.fill(a, 1);",
]
WRONG = {
    "a view too few": (compute("reads(a), writes(b), [](const Range&, Const1) {}"), BODY),
    "a view too many": (compute("reads(a), [](const Range&, Const1, View1) {}"), BODY),
    "another order": (compute("reads(a), writes(b), [](const Range&, View1, Const1) {}"), BODY),
    "what is read may change": (compute("reads(a), writes(b), [](const Range&, View1, View1) {}"), BODY),
    "a number that is read may change": (compute("whole(n), [](const Range&, double&) {}"), BODY),
    "an accumulator by value": (
        compute("combines(n), [](const Range&, double) {}"),
        "the body must take a number that it combines() by reference: double&",
    ),
    "one of two accumulators by value": (
        compute("combines(n), reads(a), combines(m), [](const Range&, double&, auto, auto) {}"),
        "the body must take a number that it combines() by reference: double&",
    ),
    "no range": (compute("reads(a), [](Const1) {}"), BODY),
    "no collectives": ('program.task("own", {}, reads(a), [](const Range&, Const1) {});', BODY),
    "each_of_mine": ("program.each_of_mine(rows, reads(a), [](const Range&, View1) {});", BODY),
    "no body": (compute("reads(a), writes(b)"), PARTS),
    "nothing": ('program.compute("work", rows, cost);', PARTS),
    "an array without an access": (compute("a, [](const Range&, Const1) {}"), PARTS),
    "items of a number": (compute("reads(n), [](const Range&, double) {}"), "a number has no items: whole() reads it"),
    "a rule of nothing": ("until(n, [](double) {});", RULE),
    "a rule of a range": ("until(n, [](const Range&) { return true; });", RULE),
    "a rule of an access": ("until(whole(n), [](double) { return true; });", "until() takes numbers, partial values or"),
    "structures": ('program.array<Pair>("p", {9}, Distributed::over(rows));', "elements are numbers: make an array of"),
    "too many dimensions": (
        'program.array<double>("p", {1, 1, 1, 1, 1}, Distributed::at(0));',
        "an array has one to four dimensions",
    ),
    "too many dimensions of a domain": ('program.domain("d", {1, 1, 1, 1});', "a domain has one to three dimensions"),
}


def compiler():
    """The command that compiles a test of programs, up to the file."""
    for entry in json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8")):
        if LIKE in entry["file"] or "test_framework_mpi" in entry["command"]:
            words = shlex.split(entry["command"])
            settings = [word for word in words if word.startswith(("-I", "-D", "-std="))]
            system = [words[at + 1] for at, word in enumerate(words) if word == "-isystem"]
            return [words[0], *settings, *(f"-isystem{folder}" for folder in system)]
    raise LookupError(f"no command for {LIKE} in {BUILD}/compile_commands.json")


class Bodies(unittest.TestCase):
    def compile(self, *bodies):
        """How the compiler took them all, and why it refuses each, by its number."""
        functions = [FUNCTION.format(name=f"body_{at}", statements=body) for at, body in enumerate(bodies)]
        text = BEGIN + "".join(functions)
        command = [*compiler(), "-fsyntax-only", "-x", "c++", "-"]
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=250, check=False)
        complaints = dict.fromkeys(range(len(bodies)), "")
        at = None
        for line in done.stderr.splitlines():
            if found := re.match(r"body_(\d+):1:\d+: +required from here$", line):
                at = int(found[1])
            elif re.search(r": In (instantiation|function|substitution) ", line):
                at = None
            elif " error: " in line and at is not None:
                complaints[at] += line + "\n"
        return done, complaints

    def test_what_suits_compiles(self):
        done, _ = self.compile(*RIGHT)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_does_not_suit_says_why(self):
        # All at once, which takes a tenth of the time; one that does compile lacks its complaint. The right ones have none.
        done, complaints = self.compile(*(statement for statement, _ in WRONG.values()), *RIGHT)
        self.assertNotEqual(done.returncode, 0)
        for (what, (_, words)), said in zip(WRONG.items(), complaints.values()):
            with self.subTest(what):
                self.assertRegex(said, "static assertion failed.*" + re.escape(words), done.stderr)
        self.assertEqual(list(complaints.values())[len(WRONG) :], [""] * len(RIGHT))


if __name__ == "__main__":
    unittest.main()
