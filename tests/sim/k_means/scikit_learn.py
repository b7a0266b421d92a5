#!/usr/bin/env python3
"""Compares where k-means ends with scikit-learn's Lloyd iteration (1.9.1 when this was written): the same data, start,
tolerance and number of iterations, for starts from which a run easily ends too early.

    python3 scikit_learn.py PROGRAM

Prints a line for each run. Exits with 1 if an inertia is more than 1 % above scikit-learn's or a run has not converged,
and with 77 if scikit-learn is missing."""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from sklearn.cluster import KMeans
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

CLUSTERS = 8


def cauchy(points):
    """The same numbers as cauchy() in k_means_cases.hpp."""
    state, values = 12345, []
    for _ in range(2 * points):
        state = (state * 1103515245 + 12345) % 2**31
        values.append(math.tan(math.pi * ((state + 0.5) / 2**31 - 0.5)))
    return np.array(values, dtype=np.float32).reshape(points, 2)


def gaussians(points):
    random = np.random.default_rng(3)
    means = random.uniform(0, 20, (CLUSTERS, 2))
    return (means[np.arange(points) % CLUSTERS] + random.normal(0, 0.6, (points, 2))).astype(np.float32)


def cases():
    points = gaussians(3000)
    start = points[: CLUSTERS].copy()
    start[-1] = 1000
    yield "one far start centroid", points, start
    points = cauchy(3000)
    for seed in range(12):
        rows = np.random.default_rng(seed).choice(len(points), CLUSTERS, replace=False)
        yield f"Cauchy, start {seed}", points, points[rows]


def ours(program, folder, points, start):
    np.save(folder / "points.npy", points)
    np.savetxt(folder / "start.csv", start, delimiter=",", fmt="%.9g")
    run = subprocess.run([program, "run", "k-means", "--backend", "cpu", "--data", folder / "points.npy",
                          "--set", f"clusters={CLUSTERS}", "--set", f"start={folder / 'start.csv'}",
                          "--set", "iterations=300", "--report", folder / "report.json"], capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    return json.loads((folder / "report.json").read_text())


def main():
    program, above = str(pathlib.Path(sys.argv[1]).resolve(strict=True)), 0
    with tempfile.TemporaryDirectory() as name:
        for what, points, start in cases():
            told = ours(program, pathlib.Path(name), points, start)
            theirs = KMeans(CLUSTERS, init=start.astype(np.float64), n_init=1, algorithm="lloyd", tol=1e-4,
                            max_iter=300).fit(points.astype(np.float64))
            ratio = told["inertia"] / theirs.inertia_
            above += ratio > 1.01 or not told["converged"]
            print(f"{what}: inertia {told['inertia']:.6g} after {told['iterations']} iterations, "
                  f"scikit-learn {theirs.inertia_:.6g} after {theirs.n_iter_}, ratio {ratio:.6f}")
    sys.exit(1 if above else 0)


if __name__ == "__main__":
    main()
