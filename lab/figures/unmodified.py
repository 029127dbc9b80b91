"""How long programs that know nothing of Tombolo take on simulated platforms, natively and under tombolo-run."""

import subprocess

from programs.listed import SOURCES
from simulations import ROOT, SELECTORS, Refused

PLATFORMS = ("grid5000", "mpichg2")
PROGRAMS = (  # each with what it is given
    ("conjugate gradients", "conjugate_gradients", 120),
    ("k-means", "k_means", 60),
    ("FFT", "fft", 256, 20),
)
COMPUTATION = "4e9"  # operations a second that this machine does, about


def seconds(platform, *words, selector="mpich"):
    """The simulated time of a program, and what it prints."""
    command = (ROOT / "scripts/simulate", "--time", "--computation", COMPUTATION, "--selector", selector, platform, "--", *words)
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise Refused(f"{words} on {platform}: {done.stderr.strip()[-2000:]}")
    return float(done.stderr.partition("simulated time: ")[2].split()[0]), done.stdout


def unmodified(tables):
    """unmodified.md: seconds of whole programs on simulated platforms"""
    yield ("platform", "program", "native calls", "native", "tombolo-run", "platform known", "native / tombolo-run", "native / known")
    for platform in PLATFORMS:
        known = tables.figures.discovered(platform)
        for name, source, *given in PROGRAMS:
            program = tables.scratch / source
            subprocess.run(("smpicc", "-O2", SOURCES / f"{source}.c", "-o", program, "-lm"), check=True)
            native = {selector: seconds(platform, program, *given, selector=selector) for selector in SELECTORS}
            results = {said for _, said in native.values()}
            best = min(native, key=lambda selector: native[selector][0])
            for selector, choices in (("mpich", "MPICH's"), (best, f"the best of five ({best})")):
                first, second = (seconds(platform, "tombolo-run", *options, program, *given, selector=selector)
                                 for options in ((), ("--platform", known)))
                if results | {first[1], second[1]} != {first[1]}:
                    raise Refused(f"{name} on {platform}: its results differ")
                own = native[selector][0]
                yield (platform, name, choices, f"{own:.2f}", f"{first[0]:.2f}", f"{second[0]:.2f}", f"{own / first[0]:.2f}",
                       f"{own / second[0]:.2f}")
