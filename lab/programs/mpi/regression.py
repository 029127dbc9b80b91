"""Logistic regression by gradients: numpy buffers by allreduce, settings and scores by pickles."""

import sys

import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
rounds, features = int(sys.argv[1]), int(sys.argv[2])
settings = world.bcast({"rate": 0.125, "rounds": rounds, "names": [f"f{i}" for i in range(features)]}
                       if world.rank == 0 else None)
random = np.random.default_rng(world.rank)
# Dyadic fractions: sums are exact in any order.
x = random.integers(-8, 8, (400, features)) / 8.0
y = (x[:, 0] + x[:, 1] > 0).astype(float)
weights = np.zeros(features)
total = np.empty(features)
for turn in range(settings["rounds"]):
    guess = np.round(1 / (1 + np.exp(-x @ weights)) * 1024) / 1024
    gradient = x.T @ (guess - y)
    world.Allreduce(gradient, total, MPI.SUM)
    weights -= np.round(settings["rate"] / 400 / world.size * total * 2**20) / 2**20
    if turn % 10 == 0:
        scores = world.allgather({"rank": world.rank, "right": int(np.sum((guess > 0.5) == (y > 0.5)))})
        if world.rank == 0:
            print(turn, sum(score["right"] for score in scores))
everything = world.gather(weights.tobytes(), root=0)
if world.rank == 0:
    print("alike" if len(set(everything)) == 1 else "not alike", repr(weights[:3].tolist()))
