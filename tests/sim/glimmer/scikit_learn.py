"""Prints the figures that rivals_test.cpp expects, as scikit-learn finds them (1.9.1, NumPy 2.4.6, on 2026-11-23)."""
import numpy
from sklearn.isotonic import IsotonicRegression
from sklearn.manifold import smacof


def drawn(points, columns):
    state, numbers = 12345, []
    for _ in range(points * columns):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        numbers.append((state >> 40) / 2**24)
    return numpy.array(numbers).reshape(points, columns)


rows, start = drawn(40, 5), drawn(40, 7)[:, 5:]
delta = numpy.linalg.norm(rows[:, None] - rows[None], axis=-1)
for steps in (1, 10, 100):
    layout, stress = smacof(delta, n_components=2, init=start, n_init=1, max_iter=steps, eps=0)
    print("smacof,", steps, "steps:", 2 * stress / (delta**2).sum())
layout, _ = smacof(delta, metric=False, n_components=2, init=start, n_init=1, max_iter=2000, eps=1e-12)
upper = numpy.triu_indices(40, 1)
found = numpy.linalg.norm(layout[:, None] - layout[None], axis=-1)[upper]
fitted = IsotonicRegression().fit_transform(delta[upper], found)
print("nonmetric, stress-1:", numpy.sqrt(((found - fitted) ** 2).sum() / (found**2).sum()))
