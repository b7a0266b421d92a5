# Makes mean_shift_reference.csv: points about six centres in three columns, and the clusters that scikit-learn's
# MeanShift (flat kernel) finds in them with bandwidth 2.5. Needs numpy and scikit-learn; run in this folder.
import numpy as np
from sklearn.cluster import MeanShift

random = np.random.default_rng(5)
centres = np.array([[0, 0, 0], [9, 1, 0], [2, 10, 1], [10, 10, 8], [0, 3, 11], [18, 5, 4]])
points = (centres[random.integers(len(centres), size=400)] + random.normal(scale=0.8, size=(400, 3))).astype(np.float32)
labels = MeanShift(bandwidth=2.5).fit(points.astype(np.float64)).labels_
with open("mean_shift_reference.csv", "w") as file:
    file.write("x,y,z,label\n")
    for point, label in zip(points, labels):
        file.write(",".join(np.format_float_positional(value, unique=True) for value in point) + f",{label}\n")
