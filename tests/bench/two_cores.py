#!/usr/bin/env python3
"""Times this program beside others that do the same work on the processor, in turn, with two threads.

    python3 two_cores.py PROGRAM [--environment FOLDER] [--rounds N] [--only NAME,...] [--csv FILE]

The others are scikit-learn, faiss, SuperKMeans, pandas, polars, SciPy and NumPy. With --environment they are installed
from PyPI into a virtual environment in FOLDER, once, and the script runs there. Prints a table with a row for each work:
the median seconds of this program and of each other one, and the ratio of ours to the best of theirs (below 1: ahead).
Exits with 77 where the others are missing.

k-means: seconds an iteration, from the same start (SuperKMeans chooses its own; faiss stops by itself: its iterations
are counted). Reading: of ours the whole process `kinescope data`, which also looks for what is odd in the data, of
theirs the call. A sheet of tissue: a plain loop, compiled here with g++ -O3 -march=native -fopenmp."""
import argparse
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

PACKAGES = ["numpy", "scipy", "scikit-learn", "faiss-cpu", "superkmeans", "pandas", "polars", "pyarrow"]
THREADS = 2
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ[variable] = str(THREADS)

PLAIN_SHEET = r"""
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>
int main(int, char** words) {
  const long n = std::atol(words[1]), steps = std::atol(words[2]);
  const float a = 0.01f, gamma = 2, epsilon = 0.01f, dt = 0.05f, diffusion = dt / 0.25f;
  std::vector<float> v(n * n), w(n * n), next_v(n * n), next_w(n * n);
  for (long i = 0; i < n * n; ++i) v[i] = i % n < n / 8 ? 1.0f : 0.0f;
  const auto began = std::chrono::steady_clock::now();
  for (long step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(static)
    for (long y = 0; y < n; ++y) {
      const float* below = &v[(y > 0 ? y - 1 : 1) * n];
      const float* above = &v[(y < n - 1 ? y + 1 : n - 2) * n];
      const float *here = &v[y * n], *recovery = &w[y * n];
      float *to_v = &next_v[y * n], *to_w = &next_w[y * n];
      const auto node = [&](long x, float left, float right) {
        const float at = here[x];
        to_v[x] = at + diffusion * (left + right + below[x] + above[x] - 4 * at) + dt * (at * (1 - at) * (at - a) - recovery[x]);
        to_w[x] = recovery[x] + dt * epsilon * (at - gamma * recovery[x]);
      };
      node(0, here[1], here[1]);
      for (long x = 1; x < n - 1; ++x) node(x, here[x - 1], here[x + 1]);
      node(n - 1, here[n - 2], here[n - 2]);
    }
    std::swap(v, next_v);
    std::swap(w, next_w);
  }
  std::printf("%g %g\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(), double(v[n]));
}
"""


def timed(call):
    begin = time.perf_counter()
    result = call()
    return time.perf_counter() - begin, result


class Bench:
    def __init__(self, program, folder, rounds):
        self.program, self.folder, self.rounds = program, pathlib.Path(folder), rounds

    def report(self, *words):
        """Runs the program to its end; returns its report."""
        path = self.folder / "report.json"
        subprocess.run([self.program, "run", *words, "--backend", "cpu", "--threads", str(THREADS), "--report", str(path),
                        "--trace", str(self.folder / "trace.json")], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return json.loads(path.read_text())

    def in_turn(self, work, ways):
        """The row of some work. `ways`: name → a call that returns seconds (an iteration, a step, or in all)."""
        seconds = {name: [] for name in ways}
        for _ in range(self.rounds):
            for name, way in ways.items():
                seconds[name].append(way())
        medians = {name: statistics.median(of) for name, of in seconds.items()}
        best = min((name for name in medians if name != "kinescope"), key=medians.get)
        return {"work": work, **{name: f"{median:.4g}" for name, median in medians.items()},
                "best": best, "ratio": f"{medians['kinescope'] / medians[best]:.2f}"}

    # k-means

    def k_means(self, name, points, clusters, iterations):
        import faiss
        import numpy as np
        from sklearn.cluster import KMeans
        from superkmeans import SuperKMeans
        start = points[np.random.default_rng(2).choice(len(points), clusters, replace=False)].copy()
        np.save(self.folder / "points.npy", points)
        np.savetxt(self.folder / "start.csv", start, delimiter=",", fmt="%.9g")

        def ours():
            told = self.report("k-means", "--data", str(self.folder / "points.npy"), "--set", f"clusters={clusters}",
                               "--set", f"iterations={iterations}", "--set", "tolerance=0",
                               "--set", f"start={self.folder / 'start.csv'}")
            return told["seconds"] / told["iterations"]

        def scikit_learn(algorithm):
            means = KMeans(clusters, init=start, n_init=1, algorithm=algorithm, max_iter=iterations, tol=0)
            seconds, _ = timed(lambda: means.fit(points))
            return seconds / means.n_iter_

        def of_faiss():
            faiss.omp_set_num_threads(THREADS)
            means = faiss.Kmeans(points.shape[1], clusters, niter=iterations, min_points_per_centroid=1,
                                 max_points_per_centroid=len(points))
            seconds, _ = timed(lambda: means.train(points, init_centroids=start))
            return seconds / len(means.iteration_stats)

        def super_k_means():
            means = SuperKMeans(n_clusters=clusters, dimensionality=points.shape[1], iters=iterations, n_threads=THREADS,
                                hierarchical=False, sampling_fraction=1.0, max_points_per_cluster=1 << 30,
                                early_termination=False, tol=0.0)
            seconds, _ = timed(lambda: means.train(points))
            return seconds / max(1, len(means.iteration_stats))

        return self.in_turn(f"k-means {name}, K = {clusters}, {iterations} iterations",
                            {"kinescope": ours, "scikit-learn": lambda: scikit_learn("lloyd"),
                             "elkan": lambda: scikit_learn("elkan"), "faiss": of_faiss, "superkmeans": super_k_means})

    def k_means_rows(self):
        import numpy as np
        random = np.random.default_rng(1)

        def blobs(count, columns, clusters, noise=4.0):
            centres = 4 * random.standard_normal((clusters, columns), dtype=np.float32)
            return centres[random.integers(0, clusters, count)] + noise * random.standard_normal((count, columns), dtype=np.float32)

        noise = random.standard_normal((100_000, 128), dtype=np.float32)
        yield self.k_means("10^6 × 2", blobs(1_000_000, 2, 8), 8, 20)
        yield self.k_means("10^6 × 8", blobs(1_000_000, 8, 16), 16, 20)
        yield self.k_means("10^5 × 128, blobs", blobs(100_000, 128, 256), 256, 20)
        yield self.k_means("10^5 × 128, noise", noise, 256, 20)
        yield self.k_means("10^5 × 64, blobs", blobs(100_000, 64, 1024), 1024, 10)
        yield self.k_means("10^5 × 64, blobs", blobs(100_000, 64, 1024), 10_000, 3)
        yield self.k_means("20,000 × 768, blobs", blobs(20_000, 768, 256), 256, 20)

    # Waves

    def sheet_rows(self):
        source, plain = self.folder / "sheet.cpp", self.folder / "sheet"
        source.write_text(PLAIN_SHEET)
        subprocess.run(["g++", "-O3", "-march=native", "-fopenmp", str(source), "-o", str(plain)], check=True)
        for nodes, time_units in ((128, 500), (256, 300), (512, 200), (1024, 50), (2048, 20), (4096, 5)):
            def ours():
                told = self.report("fitzhugh-nagumo", "--set", "dimensions=2", "--set", f"nodes={nodes}", "--set", f"end_time={time_units}")
                return told["seconds"] / told["steps"]

            def loop():
                steps = 20 * time_units
                said = subprocess.run([str(plain), str(nodes), str(steps)], check=True, capture_output=True, text=True).stdout
                return float(said.split()[0]) / steps

            yield self.in_turn(f"a step of a sheet, {nodes}²", {"kinescope": ours, "plain loop": loop})

    # Reading

    def reading(self, work, path, others):
        def ours():
            return timed(lambda: subprocess.run([self.program, "data", str(path)], check=True, stdout=subprocess.DEVNULL,
                                                stderr=subprocess.DEVNULL))[0]
        return self.in_turn(work, {"kinescope": ours, **{name: lambda call=call: timed(call)[0] for name, call in others.items()}})

    def reading_rows(self):
        import numpy as np
        import pandas
        import polars
        import scipy.io
        import scipy.sparse
        random = np.random.default_rng(3)
        table = self.folder / "table.csv"
        polars.DataFrame({f"c{k}": random.standard_normal(1_000_000) for k in range(12)}).write_csv(table)
        yield self.reading("CSV, 10^6 × 12, all digits", table,
                           {"pandas": lambda: pandas.read_csv(table), "polars": lambda: polars.read_csv(table)})
        polars.DataFrame({f"c{k}": random.standard_normal(1_000_000).round(3) for k in range(12)}).write_csv(table)
        yield self.reading("CSV, 10^6 × 12, three decimals", table,
                           {"pandas": lambda: pandas.read_csv(table), "polars": lambda: polars.read_csv(table)})
        rows = self.folder / "rows.npy"
        np.save(rows, random.standard_normal((1_000_000, 256), dtype=np.float32))
        yield self.reading(".npy, 1 GB of float32", rows, {"NumPy": lambda: np.load(rows)})
        np.save(rows, random.standard_normal((500_000, 128)))
        yield self.reading(".npy, 0.5 GB of float64", rows, {"NumPy": lambda: np.load(rows)})
        rows.unlink()
        matrix = self.folder / "graph.mtx"
        nodes = random.integers(0, 200_000, (2, 2_000_000))
        scipy.io.mmwrite(matrix, scipy.sparse.coo_array((random.random(2_000_000).round(4) + 0.1, nodes), (200_000, 200_000)).tocsr())
        yield self.reading("Matrix Market, 2·10^6 entries", matrix, {"SciPy": lambda: scipy.io.mmread(matrix)})
        edges = self.folder / "graph.edges"
        np.savetxt(edges, nodes.T, fmt="%d")
        yield self.reading("edge list, 2·10^6 lines", edges,
                           {"polars": lambda: polars.read_csv(edges, separator=" ", has_header=False),
                            "pandas": lambda: pandas.read_csv(edges, sep=" ", header=None)})


def enter(environment):
    """Continues in the virtual environment, which is made first if need be."""
    python = pathlib.Path(environment).resolve() / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        subprocess.run([str(python), "-m", "pip", "-q", "install", *PACKAGES], check=True)
    words = [word for word in sys.argv[1:] if word != environment and word != "--environment"]
    os.execv(python, [str(python), os.path.abspath(__file__), *words])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--environment")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="k_means,sheet,reading")
    parser.add_argument("--csv")
    options = parser.parse_args()
    parts = options.only.split(",")
    if unknown := set(parts) - {"k_means", "sheet", "reading"}:
        parser.error(f"--only: there is no {', '.join(sorted(unknown))}")
    if options.environment:
        enter(options.environment)
    try:
        import faiss, numpy, pandas, polars, scipy, sklearn, superkmeans  # noqa: F401, E401
    except ImportError as missing:
        print("skipped:", missing)
        return 77
    program = str(pathlib.Path(options.program).resolve(strict=True))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(program, folder, options.rounds)
        for part in parts:
            for row in getattr(bench, f"{part}_rows")():
                rows.append(row)
                others = ", ".join(f"{name} {value}" for name, value in row.items() if name not in ("work", "kinescope", "best", "ratio"))
                print(f"{row['work']:50} {row['kinescope']:>9} s   {row['ratio']:>5} of {row['best']}   ({others})", flush=True)
    if options.csv:
        names = list(dict.fromkeys(name for row in rows for name in row))
        with open(options.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
