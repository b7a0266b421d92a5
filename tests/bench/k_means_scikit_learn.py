#!/usr/bin/env python3
"""Times this program's k-means and scikit-learn's in turn, on the same data, from the same start, with the same number
of iterations and two threads.

    python3 k_means_scikit_learn.py PROGRAM [ROUNDS]

Prints a table: data, seconds of both (median and least of the rounds), the ratio of the least, and by how much the
inertias differ. Exits with 77 where scikit-learn is missing."""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

THREADS = 2
os.environ["OMP_NUM_THREADS"] = str(THREADS)
try:
    import numpy as np
    from sklearn.cluster import KMeans
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

# points, columns, clusters, iterations
CASES = [(1_000_000, 2, 128, 20), (100_000, 128, 2, 50), (100_000, 2, 2, 10)]


def made(points, columns):
    """Uniform numbers in a box. k-means converges slowly on them: all iterations but the last ones move points."""
    return np.random.default_rng(1).random((points, columns), dtype=np.float32)


def ours(program, folder, clusters, iterations):
    report = folder / "report.json"
    subprocess.run([program, "run", "k-means", "--backend", "cpu", "--threads", str(THREADS),
                    "--data", str(folder / "points.npy"), "--set", f"clusters={clusters}",
                    "--set", f"iterations={iterations}", "--set", "tolerance=0",
                    "--set", f"start={folder / 'start.csv'}", "--report", str(report),
                    "--out", str(folder / "labels.npy")], check=True, stdout=subprocess.DEVNULL)
    told = json.loads(report.read_text())
    assert told["iterations"] == iterations, told["iterations"]
    return told["seconds"], told["inertia"]


def theirs(points, start, clusters, iterations):
    means = KMeans(clusters, init=start, n_init=1, algorithm="lloyd", max_iter=iterations, tol=0)
    begin = time.perf_counter()
    means.fit(points)
    seconds = time.perf_counter() - begin
    assert means.n_iter_ == iterations, f"{means.n_iter_} iterations: it had converged"
    return seconds, means.inertia_


def main():
    program, rounds = str(pathlib.Path(sys.argv[1]).resolve(strict=True)), int(sys.argv[2]) if len(sys.argv) > 2 else 5
    print("points,columns,clusters,iterations,ours_median,ours_least,theirs_median,theirs_least,ratio_of_least,inertia")
    for count, columns, clusters, iterations in CASES:
        points = made(count, columns)
        start = points[[k * count // clusters for k in range(clusters)]]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            np.save(folder / "points.npy", points)
            np.savetxt(folder / "start.csv", start, delimiter=",", fmt="%.9g")
            # The reference is computed in double precision: with float32, scikit-learn's sums of so many points keep
            # only four digits.
            _, reference = theirs(points.astype(np.float64), start.astype(np.float64), clusters, iterations)
            seconds = {"ours": [], "theirs": []}
            for _ in range(rounds + 1):
                took, inertia = ours(program, folder, clusters, iterations)
                seconds["ours"].append(took)
                took, _ = theirs(points, start, clusters, iterations)
                seconds["theirs"].append(took)
        timed = {who: took[1:] for who, took in seconds.items()}  # the first round warms up
        difference = abs(inertia - reference) / reference
        assert difference < 1e-5, difference
        figures = [f(timed[who]) for who in ("ours", "theirs") for f in (statistics.median, min)]
        print(count, columns, clusters, iterations, *(f"{figure:.4f}" for figure in figures),
              f"{figures[1] / figures[3]:.3f}", f"{difference:.1e}", sep=",", flush=True)


if __name__ == "__main__":
    main()
