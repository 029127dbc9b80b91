#!/usr/bin/env python3
"""Removes or falsifies each access of each task of the examples and of `tombolo matmul`, one at a time, and says what
comes of it: it does not compile, is refused before it runs, is found by TOMBOLO_CHECK=1, or gives the right result on any
ranks all the same. A wrong result without a word is a failure of the contract of tasks, and of this script.

usage: falsified.py [--build build/release] [--ranks 1,3] [--only NAME]
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ACCESS = re.compile(r"\b(reads|around|whole|writes|updates|combines)\((\w+)\)")
MATMUL = r'''#include <fmt/format.h>

#include <tombolo/session.hpp>

#include "matmul/rows.hpp"

using namespace tombolo;

int main(int argc, char** argv) {
  return run_main(argc, argv, "matmul", [&](Session& session) {
    const GemmShape shape{.m = 90, .n = 7, .k = 11};
    Program program(session, "matmul", {.shares = SharePolicy::speed});
    const auto matrices = matmul::declare_rows<double>(program, shape, 0);
    program.prepare();
    double value = 0;
    for (double& each : program.local(matrices.a)) each = (value += 1);
    for (double& each : program.local(matrices.b)) each = (value -= 3);
    program.run();
    double hash = 0;
    for (const double each : program.local(matrices.c)) hash = 0.75 * hash + each;
    if (session.rank() == 0) fmt::print("{:a}\n", hash);
  });
}
'''
KINDS = ("reads", "around", "whole", "writes", "updates", "combines")


def laplacian(path, side=12):
    entries = []
    for i in range(side):
        for j in range(side):
            k = i * side + j + 1
            entries.append(f"{k} {k} 4")
            if j:
                entries.append(f"{k} {k - 1} -1")
            if i:
                entries.append(f"{k} {k - side} -1")
    n = side * side
    path.write_text(f"%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {len(entries)}\n" + "\n".join(entries) + "\n")


class Subject:
    """A program: its source with the accesses, how it is built, and how its result is told."""

    def __init__(self, name, source, arguments, result, build, folder):
        self.name, self.source, self.arguments, self.result = name, ROOT / source, arguments, result
        self.build, self.folder = build, folder
        commands = json.loads((build / "compile_commands.json").read_text())
        main = "examples/shares.cpp" if name == "matmul" else source
        self.compile = next(c["command"] for c in commands if c["file"].endswith(main))
        self.main = ROOT / main
        target = "example_" + ("shares" if name == "matmul" else name)
        lines = subprocess.run(["ninja", "-C", build, "-t", "commands", target], check=True, capture_output=True, text=True)
        self.link = [line for line in lines.stdout.splitlines() if f"-o bin/{target}" in line][-1]
        self.target = target

    def make(self, text):
        """The program of this text; none where it does not compile."""
        program, made = self.folder / self.name, self.folder / f"{self.name}.o"
        changed = self.folder / "changed" / self.source.name
        changed.parent.mkdir(exist_ok=True)
        changed.write_text(text)
        what = changed
        if self.name == "matmul":
            what = self.folder / "matmul_main.cpp"
            what.write_text(MATMUL + f'#include "{changed}"\n')
        command = self.compile.replace(str(self.main), str(what)).replace("-Werror", "-w")
        command = re.sub(r"-o \S+", f"-o {made} -I{ROOT}/apps -I{ROOT}/examples -O1", command)
        if subprocess.run(command, shell=True, cwd=self.build, capture_output=True, check=False).returncode != 0:
            return None
        link = re.sub(r"\S*/CMakeFiles/\S+\.o", str(made), self.link)
        subprocess.run(link.replace(f"-o bin/{self.target}", f"-o {program}"), shell=True, cwd=self.build, check=True)
        return program

    def run(self, program, ranks, checked):
        environment = dict(os.environ, TOMBOLO_WAIT_IN_KERNEL=str(self.build / "lib/libwait_in_kernel.so"))
        environment["TOMBOLO_CHECK"] = "1" if checked else "0"
        output = self.folder / self.result
        output.unlink(missing_ok=True)
        done = subprocess.run(
            [ROOT / "tests/support/mpirun", str(ranks), program, *self.arguments],
            cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120, check=False,
        )
        told = output.read_bytes() if output.exists() else re.sub(r"seconds \S+", "", done.stdout).encode()
        return done.returncode, done.stderr.strip(), told


def mutants(text):
    for found in ACCESS.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        cut = re.compile(re.escape(found.group(0)) + r",\s*").match(text, found.start())
        if cut:
            yield f"line {line}: {found.group(0)} removed", text[: found.start()] + text[cut.end() :]
        for kind in KINDS:
            if kind != found.group(1):
                yield (f"line {line}: {found.group(0)} as {kind}",
                       text[: found.start()] + f"{kind}({found.group(2)})" + text[found.end() :])


def outcome(subject, text, right, ranks):
    program = subject.make(text)
    if program is None:
        return "does not compile", ""
    for number in ranks:
        status, words, _ = subject.run(program, number, checked=True)
        if status != 0:
            refused = re.search(rf": program {subject.name}: ", words) is not None
            return "refused" if refused else "found by the check", words.splitlines()[0] if words else f"status {status}"
    for number in ranks:
        status, words, told = subject.run(program, number, checked=False)
        if status != 0 or told != right[number]:
            return "WRONG WITHOUT A WORD", words
    return "right on any ranks", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--ranks", default="1,3")
    parser.add_argument("--only", help="one of jacobi, cg, mandelbrot, matmul")
    options = parser.parse_args()
    ranks = [int(number) for number in options.ranks.split(",")]
    all_outcomes = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        laplacian(folder / "a.mtx")
        subprocess.run(
            ["/usr/bin/python3", "-c", "import numpy; numpy.save('in.npy', numpy.arange(1200.).reshape(40, 30) % 17)"],
            cwd=folder, check=True,
        )
        for name, source, arguments, result in (
            ("jacobi", "examples/jacobi.cpp", ["in.npy", "out.npy", "--iterations", "20"], "out.npy"),
            ("cg", "examples/cg.cpp", ["a.mtx", "x.npy", "--iterations", "6", "--tolerance", "0"], "x.npy"),
            ("mandelbrot", "examples/mandelbrot.cpp", ["m.npy", "--width", "60", "--height", "40"], "m.npy"),
            ("matmul", "apps/matmul/rows.cpp", [], "none"),
        ):
            if options.only not in (None, name):
                continue
            subject = Subject(name, source, arguments, result, options.build.resolve(), folder)
            text = subject.source.read_text()
            program = subject.make(text)
            right = {number: subject.run(program, number, checked=False)[2] for number in ranks}
            outcomes = Counter()
            for what, mutant in mutants(text):
                found, words = outcome(subject, mutant, right, ranks)
                outcomes[found] += 1
                print(f"{name}, {what}: {found}{'; ' + words if words else ''}", flush=True)
            all_outcomes += outcomes
            print(f"{name}: {sum(outcomes.values())} falsified: {dict(outcomes)}", flush=True)
    print(f"all: {sum(all_outcomes.values())} falsified: {dict(all_outcomes)}")
    return 1 if all_outcomes["WRONG WITHOUT A WORD"] else 0


if __name__ == "__main__":
    sys.exit(main())
