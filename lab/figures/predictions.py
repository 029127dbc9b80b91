"""`tombolo predict` beside the simulated runs that it predicts."""

import json
import subprocess

from figures.emulated import TOMBOLO
from simulations import Refused

PRODUCT, IN_PARTS, TRANSPOSE = ("matmul",), ("matmul", "--held", "distributed"), ("transpose",)
RUNS = {  # platforms: runs and their sizes
    "ucd16": ((PRODUCT, (1000, 4000)), (IN_PARTS, (1000, 4000)), (TRANSPOSE, (4000, 16000))),
    "mpichg2": ((PRODUCT, (1000, 4000)), (IN_PARTS, (1000, 4000)), (TRANSPOSE, (4000, 16000))),
    "grid5000": ((IN_PARTS, (4000,)), (TRANSPOSE, (4000, 16000))),
}


def predicted(*words):
    done = subprocess.run(list(map(str, (TOMBOLO, "predict", *words, "--format", "json"))), capture_output=True, text=True)
    if done.returncode:
        raise Refused(done.stderr.strip())
    return json.loads(done.stdout)["predictions"][0]["predicted_s"]


def predictions(tables):
    """predict.md: seconds of simulated runs, and what tombolo predict says of them by what tombolo discover has measured there"""
    yield "platform", "run", "size", "simulated", "predicted", "error"
    for platform, runs in RUNS.items():
        measured = tables.figures.discovered(platform)
        for run, sizes in runs:
            for size in sizes:
                words = (*run, "--size", size, "--platform", measured)
                taken = tables.figures.report(f"{platform}, {' '.join(run)} of {size}", platform, *words, "--phantom")["seconds"]
                told = predicted(*words)
                yield platform, " ".join(run), size, f"{taken:.4g}", f"{told:.4g}", f"{told / taken - 1:+.1%}"
