#!/usr/bin/env python3
"""Writes k_means_reference.csv beside this file: labels and inertia of scikit-learn's Lloyd iteration, run to its fixed
point in double precision from rows 0, N/K, 2N/K, ... of the data as centroids.

    python3 k_means_reference.py FOLDER_OF_THE_PUBLISHED_DATA

Each line: name, clusters, inertia, labels as one text of letters (a = 0)."""
import os
import sys

import numpy as np
from sklearn.cluster import KMeans


def made(points, columns, clusters):
    """The same numbers as k_means_cases.hpp makes: a linear congruential generator, so that both can."""
    state, values = 12345, np.empty((points, columns), dtype=np.float32)
    for i in range(points):
        for c in range(columns):
            state = (state * 1103515245 + 12345) % 2**31
            values[i, c] = np.float32((i % clusters) * (7 + 3 * c) % 29) + np.float32(state / 2**31)
    return values


def published(folder, name):
    return np.genfromtxt(os.path.join(folder, name), delimiter=",", skip_header=1)[:, :-1].astype(np.float32)


folder = sys.argv[1]
cases = [("iris", published(folder, "iris.csv"), 3), ("digits", published(folder, "digits.csv"), 10),
         ("made", made(1500, 3, 9), 12)]
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "k_means_reference.csv"), "w") as out:
    out.write("name,clusters,inertia,labels\n")
    for name, values, clusters in cases:
        start = values[[k * len(values) // clusters for k in range(clusters)]].astype(np.float64)
        fit = KMeans(clusters, init=start, n_init=1, algorithm="lloyd", tol=0, max_iter=1000).fit(values.astype(np.float64))
        labels = "".join(chr(ord("a") + label) for label in fit.labels_)
        out.write(f"{name},{clusters},{fit.inertia_!r},{labels}\n")
