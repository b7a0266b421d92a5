#!/usr/bin/env python3
"""k-means, mean shift and waves beside the best that is known, for data that nothing was tuned on.

    best_known.py PROGRAM [PART OF A NAME]

Needs NumPy, SciPy and scikit-learn. The data are drawn here with fixed seeds, or come with scikit-learn. The best known
of k-means is the least inertia of scikit-learn's KMeans from 50 starts and of ours; of mean shift the groups that a set
was made of; of waves the same equation by LSODA in double on two finer grids. A line for each set: name, size,
best known, ours (the worst of seeds 1, 2, 3), and their ratio;
for k-means also the ratio of scikit-learn from one start, the worst of three. Takes about ten minutes on two cores.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from scipy.integrate import solve_ivp
from sklearn import datasets
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score


def groups(draw, count, columns, rows, spread, size=None):
    """Normally distributed groups around places in a cube of side 10; the rows and the group of each."""
    centres = draw.random((count, columns)) * 10
    member = draw.choice(count, rows, p=size)
    return centres[member] + draw.normal(size=(rows, columns)) * spread, member


def tables():
    """For k-means: name, rows, number of clusters."""
    draw = np.random.default_rng(20261130)
    yield "wine", datasets.load_wine().data, 3
    yield "breast-cancer", datasets.load_breast_cancer().data, 5
    yield "digits", datasets.load_digits().data, 10
    yield "photograph", datasets.load_sample_image("flower.jpg")[::4, ::4].reshape(-1, 3).astype(float), 16
    yield "30 groups", groups(draw, 30, 6, 6000, 0.7)[0], 30
    yield "unequal groups", groups(draw, 8, 3, 5000, 0.6, np.arange(1, 9) / 36)[0], 8
    yield "far from zero", groups(draw, 6, 4, 3000, 0.5)[0] + 1e6, 6
    yield "cube", draw.random((4000, 5)), 25
    yield "heavy tails", draw.standard_t(1.5, size=(3000, 4)), 12
    yield "log-normal", draw.lognormal(0, 1.5, size=(4000, 5)), 10
    yield "outliers", np.vstack([groups(draw, 5, 4, 2990, 0.6)[0], draw.normal(size=(10, 4)) * 1e3]), 8
    yield "ratings", draw.integers(1, 6, size=(3000, 6)).astype(float), 12
    yield "counts", draw.poisson(3, size=(4000, 8)).astype(float), 15
    yield "duplicates", np.repeat(draw.normal(size=(100, 3)), 20, axis=0), 40
    yield "128 columns", groups(draw, 20, 128, 3000, 2.0)[0], 20
    yield "units", draw.normal(size=(3000, 4)) * [1, 1e3, 1e-3, 10], 9


def grouped():
    """For mean shift: name, rows, the group of each."""
    for seed in range(1, 4):
        draw = np.random.default_rng(seed + 20261200)
        count = 2 + 2 * seed
        places = np.array([[7 * (k % 3), 7 * (k // 3)] for k in range(count)], float)
        member = draw.integers(0, count, 1500)
        x = places[member] + draw.normal(size=(1500, 2))
        yield f"{count} groups", x, member
        yield f"{count} groups, rounded to 0.1", np.round(x, 1), member
        yield f"{count} groups, whole numbers", np.round(x), member
        wide = np.c_[x, draw.normal(size=(1500, 2))]
        yield f"{count} groups, 4 columns", wide, member
        yield f"{count} groups, 10^5 from zero", x + 1e5, member


# For waves: name, the equation and the end, tolerances.
WAVES = [
    ("impulse", ["end_time=60"], (1e-2, 1e-3, 1e-4, 1e-5)),
    ("a = 0.1, gamma = 1", ["end_time=60", "a=0.1", "gamma=1"], (1e-2, 1e-3, 1e-4)),
    ("epsilon = 0.004, 501 nodes", ["end_time=100", "epsilon=0.004", "nodes=501"], (1e-2, 1e-3)),
]


def run(program, folder, simulation, settings, more=()):
    command = [program, "run", simulation, "--backend", "cpu", "--report", folder / "r.json", *more]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, check=True, capture_output=True)
    return json.loads((folder / "r.json").read_text())


def inertia(x, labels):
    return sum(((x[labels == k] - x[labels == k].mean(axis=0)) ** 2).sum() for k in np.unique(labels))


def compare_k_means(program, folder, name, x, clusters):
    np.save(folder / "x.npy", x)
    of_seeds = []
    for seed in (1, 2, 3):
        run(program, folder, "k-means", [f"clusters={clusters}", "normalize=none"],
            ["--data", folder / "x.npy", "--seed", str(seed), "--out", folder / "y.npy"])
        of_seeds.append(inertia(x, np.load(folder / "y.npy")[:, 0].astype(int)))
    theirs = KMeans(clusters, n_init=50, max_iter=1000, tol=0, random_state=1).fit(x)
    singles = [inertia(x, KMeans(clusters, n_init=1, random_state=seed).fit_predict(x)) for seed in (1, 2, 3)]
    least, worst = min(of_seeds + singles + [inertia(x, theirs.labels_)]), max(of_seeds)
    print(f"k-means | {name} | {len(x):,} × {x.shape[1]}, K = {clusters} | {least:.5g} | {worst:.5g} "
          f"| {worst / least:.3f} | {max(singles) / least:.3f}", flush=True)


def compare_mean_shift(program, folder, name, x, member):
    np.save(folder / "x.npy", x)
    found = []
    for seed in (1, 2, 3):
        report = run(program, folder, "mean-shift", [],
                     ["--data", folder / "x.npy", "--seed", str(seed), "--out", folder / "y.npy"])
        labels = np.load(folder / "y.npy")[:, -1]
        found.append((adjusted_rand_score(member, labels), report["clusters"]))
    worst, clusters = min(found)
    count = len(np.unique(member))
    print(f"mean shift | {name} | {len(x):,} × {x.shape[1]} | {count} clusters | {clusters} clusters, adjusted Rand index "
          f"{worst:.3f} | {clusters / count:.3g}", flush=True)


def by_lsoda(program, folder, settings, finer):
    """v at the end of a run, at the program's nodes, from a grid so many times finer; the initial state is the
    program's on that grid."""
    told = run(program, folder, "fitzhugh-nagumo", settings + ["scheme=explicit"])
    nodes, dx = told["history"]["columns"], told["dx"]
    fine = [s for s in settings if not s.startswith("nodes")] + [f"nodes={(nodes - 1) * finer + 1}", f"dx={dx / finer!r}"]
    run(program, folder, "fitzhugh-nagumo", fine + ["scheme=explicit", "end_time=0.001"], ["--history", folder / "h.npy"])
    v = np.load(folder / "h.npy")[0].astype(float)
    a, epsilon, gamma = (told["parameters"][name] for name in ("a", "epsilon", "gamma"))

    def slope(_, y):
        v, w = y[0::2], y[1::2]
        wide = np.r_[v[1], v, v[-2]]
        out = np.empty_like(y)
        out[0::2] = (wide[:-2] - 2 * v + wide[2:]) * (finer / dx) ** 2 + v * (1 - v) * (v - a) - w
        out[1::2] = epsilon * (v - gamma * w)
        return out

    y = np.zeros(2 * len(v))
    y[0::2] = v
    found = solve_ivp(slope, (0, told["time"]), y, "LSODA", rtol=1e-9, atol=1e-11, lband=2, uband=2, t_eval=[told["time"]])
    return found.y[0::2, -1][::finer]


def compare_waves(program, folder, name, settings, tolerances):
    coarse, fine = (by_lsoda(program, folder, settings, finer) for finer in (4, 8))
    exact = fine + (fine - coarse) / 3  # the grids' errors are of second order
    for tolerance in tolerances:
        run(program, folder, "fitzhugh-nagumo",
            settings + ["scheme=adaptive", f"tolerance={tolerance}"],
            ["--out", folder / "y.npy"])
        error = np.sqrt(np.mean((np.load(folder / "y.npy")[:, 1] - exact) ** 2))
        print(f"waves | {name} | {len(exact)} nodes | tolerance {tolerance:g} | rms error {error:.2g} "
              f"| {error / tolerance:.2f}", flush=True)


def main():
    program, part = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    with tempfile.TemporaryDirectory() as name_of_folder:
        folder = pathlib.Path(name_of_folder)
        for name, x, clusters in tables():
            if part in name:
                compare_k_means(program, folder, name, x, clusters)
        for name, x, member in grouped():
            if part in name:
                compare_mean_shift(program, folder, name, x, member)
        for name, settings, tolerances in WAVES:
            if part in name:
                compare_waves(program, folder, name, settings, tolerances)


if __name__ == "__main__":
    main()
