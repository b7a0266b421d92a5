#!/usr/bin/env python3
"""The stress of Glimmer's layouts beside the least that is known, for tables that nothing was tuned on.

    glimmer_best_known.py PROGRAM [PART OF A NAME]

Needs NumPy, SciPy and scikit-learn. The tables are drawn here with a fixed seed, or come with scikit-learn. The least
known is what L-BFGS over all pairs, in double, finds from our own three layouts, the principal axes and three random
layouts. A line for each table: name, rows x columns, least known, where it came from, ours (the worst of seeds 1, 2,
3), their ratio. Takes about an hour on two cores.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from scipy.optimize import minimize
from scipy.spatial.distance import pdist
from sklearn import datasets


def standardized(x):
    deviation = x.std(axis=0)
    return (x - x.mean(axis=0)) / np.where(deviation > 0, deviation, 1)


def on_sphere(draw, rows, columns):
    x = draw.normal(size=(rows, columns))
    return x / np.linalg.norm(x, axis=1)[:, None]


def embeddings(draw, columns):
    topics = draw.normal(size=(12, columns))
    x = topics[draw.integers(0, 12, 1500)] * 0.6 + draw.normal(size=(1500, columns))
    return x / np.linalg.norm(x, axis=1)[:, None]


def tables():
    draw = np.random.default_rng(20261129)
    yield "diabetes", standardized(datasets.load_diabetes(scaled=False).data)
    yield "wine", standardized(datasets.load_wine().data)
    yield "breast-cancer", standardized(datasets.load_breast_cancer().data)
    yield "breast-cancer-raw", datasets.load_breast_cancer().data
    yield "t2", draw.standard_t(2, size=(2000, 5))
    yield "outliers", np.vstack([draw.normal(size=(2994, 4)), draw.normal(size=(6, 4)) * 1e4])
    yield "sphere-6", on_sphere(draw, 2000, 6)
    yield "sphere-11", on_sphere(draw, 2000, 11)
    upper = draw.normal(size=(5, 8)) * 20
    lower = upper[draw.integers(0, 5, 25)] + draw.normal(size=(25, 8)) * 5
    yield "hierarchy", lower[draw.integers(0, 25, 2500)] + draw.normal(size=(2500, 8))
    yield "duplicates", np.repeat(draw.normal(size=(200, 6)), 10, axis=0)
    units = draw.normal(size=(2000, 6))
    units[:, 2] *= 1000
    yield "units", units
    yield "counts", draw.negative_binomial(2, 0.2, size=(2500, 12)).astype(float)
    yield "binary", (draw.random((1500, 30)) < draw.random(30)).astype(float)
    yield "embeddings-384", embeddings(draw, 384)
    yield "embeddings-768", embeddings(draw, 768)
    yield "cube", draw.random((2000, 3))
    t = 1.5 * np.pi * (1 + 2 * draw.random(2000))
    yield "swiss-roll", np.c_[t * np.cos(t), 21 * draw.random(2000), t * np.sin(t)]
    t = np.linspace(0, 20, 1500)
    yield "helix", np.c_[np.cos(t), np.sin(t), 0.1 * t] + draw.normal(size=(1500, 3)) * 0.01
    yield "far", np.vstack([draw.normal(size=(1000, 4)), draw.normal(size=(1000, 4)) + 1e6])
    yield "ratings", draw.integers(1, 6, size=(2000, 8)).astype(float)
    yield "pareto", draw.pareto(1.2, size=(2000, 6))
    yield "ages-incomes", np.c_[
        np.round(draw.normal(45, 15, 3000)),
        np.round(draw.gamma(2, 20000, 3000), -2),
        draw.integers(0, 2, 3000),
        draw.poisson(2, 3000),
    ]
    yield "random-walks", np.cumsum(draw.normal(size=(1500, 64)), axis=1)
    yield "normal-5000", draw.normal(size=(5000, 20)) * np.linspace(0.2, 2, 20)


def ours(program, table, folder):
    """The stress and the layout of each seed."""
    np.save(folder / "x.npy", table)
    found = []
    for seed in (1, 2, 3):
        command = [program, "run", "glimmer", "--data", folder / "x.npy", "--set", "normalize=none", "--backend", "cpu"]
        command += ["--seed", str(seed), "--out", folder / "y.npy", "--report", folder / "r.json"]
        subprocess.run(command, check=True, capture_output=True)
        report = json.loads((folder / "r.json").read_text())
        found.append((report["stress"], np.load(folder / "y.npy")[:, :2].astype(float)))
    return found


def least_from(start, delta, size):
    """The stress at which L-BFGS ends."""
    rows = len(start)
    i, j = np.triu_indices(rows, 1)
    scale = np.sqrt(size / len(delta))

    def value(flat):
        x = flat.reshape(rows, 2)
        between = x[i] - x[j]
        d = np.sqrt((between**2).sum(axis=1) + 1e-30)
        away = d - delta / scale
        pull = (2 * away / d)[:, None] * between
        gradient = np.empty_like(x)
        for c in range(2):
            gradient[:, c] = np.bincount(i, pull[:, c], rows) - np.bincount(j, pull[:, c], rows)
        return (away**2).sum(), gradient.ravel()

    options = {"maxiter": 400, "maxcor": 12}
    return minimize(value, (start / scale).ravel(), jac=True, method="L-BFGS-B", options=options).fun * scale**2 / size


def main():
    program = sys.argv[1]
    part = sys.argv[2] if len(sys.argv) > 2 else ""
    for name, table in tables():
        if part not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            layouts = ours(program, table, pathlib.Path(folder))
        delta = pdist(table)
        size = (delta**2).sum()
        u, s, _ = np.linalg.svd(table - table.mean(axis=0), full_matrices=False)
        draw = np.random.default_rng(1)
        starts = [("ours", y) for _, y in layouts] + [("axes", (u * s)[:, :2])]
        starts += [("random", draw.normal(size=(len(table), 2)) * np.sqrt(size / len(delta)) / 2) for _ in range(3)]
        least, source = min((least_from(y, delta, size), where) for where, y in starts)
        worst = max(stress for stress, _ in layouts)
        least = min([least] + [stress for stress, _ in layouts])
        rows, columns = table.shape
        print(f"{name:18s} {rows} x {columns}  {least:.6g}  {source:6s}  {worst:.6g}  {worst / least:.4f}", flush=True)


if __name__ == "__main__":
    main()
