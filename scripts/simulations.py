"""Runs commands on simulated platforms, for the scripts beside this file."""

import csv
import json
import subprocess

from ending import Refused
from places import ROOT

SELECTORS = ("default", "mpich", "ompi", "mvapich2", "impi")


def simulate(platform, *words, options=(), program="tombolo"):
    """What the program says there; options are those of scripts/simulate. Refused if it fails."""
    command = [ROOT / "scripts/simulate", *options, platform, "--", program, *words]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        how = " ".join(map(str, options))
        said = " ".join(map(str, words))
        raise Refused(f"{said} on {platform}{', ' if how else ''}{how}: {done.stderr.strip()[-2000:]}")
    return done.stdout


def rows(text):
    """The lines of a CSV."""
    return list(csv.DictReader(text.splitlines()))


def with_models(platform, models, file, change=None, options=()):
    """Writes the platform, as it is discovered there, with estimates of these models; returns the file.

    `change` takes what was discovered and returns what it is to be taken for. Discovery comes first: what tombolo
    models finds by itself in a second lacks the rates of long links."""
    run = lambda *words: simulate(platform, *words, options=options)
    run("discover", "-o", file)
    if change:
        file.write_text(json.dumps(change(json.loads(file.read_text()))))
    run("models", "--estimate-only", "--no-thresholds", "--models", models, "--platform", file, "-o", file)
    return file
