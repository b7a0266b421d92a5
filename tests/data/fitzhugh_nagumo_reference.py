"""Reference figures for the FitzHugh-Nagumo tests: an independent stiff solver on the same 401 nodes.

The divergent impulse (a = 0.01, gamma = 2, epsilon = 0.01, dx = 0.5, no flux through ghost nodes) semi-discretised in
space and integrated by SciPy's Radau IIA of order 5 with tight tolerances. Writes fitzhugh_nagumo_reference.csv
(x, and v and w at t = 30 and 100) beside this file. Run once: python3 fitzhugh_nagumo_reference.py
"""
import os

import numpy as np
from scipy.integrate import solve_ivp
from scipy.sparse import lil_matrix

a, gamma, epsilon, nodes, dx = 0.01, 2.0, 0.01, 401, 0.5
x = dx * np.arange(nodes)


def rate(_, state):
    v, w = state[:nodes], state[nodes:]
    padded = np.concatenate(([v[1]], v, [v[-2]]))
    diffusion = (padded[2:] - 2 * v + padded[:-2]) / dx**2
    return np.concatenate((diffusion + v * (1 - v) * (v - a) - w, epsilon * (v - gamma * w)))


pattern = lil_matrix((2 * nodes, 2 * nodes))
for i in range(nodes):
    for j in (i - 1, i, i + 1):
        if 0 <= j < nodes:
            pattern[i, j] = 1
    pattern[i, nodes + i] = pattern[nodes + i, i] = pattern[nodes + i, nodes + i] = 1

start = np.concatenate((np.exp(-((x - 100) ** 2) / 10), np.zeros(nodes)))
times = [30.0, 100.0]
solution = solve_ivp(rate, (0, times[-1]), start, method="Radau", t_eval=times, rtol=1e-10, atol=1e-12, jac_sparsity=pattern)
columns = [x] + [solution.y[k * nodes : (k + 1) * nodes, t] for t in range(len(times)) for k in range(2)]
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fitzhugh_nagumo_reference.csv")
np.savetxt(path, np.column_stack(columns), delimiter=",", header="x,v30,w30,v100,w100", comments="", fmt="%.12g")
