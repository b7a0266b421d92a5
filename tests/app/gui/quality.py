"""What shows where a layout is wrong: colours of each point's stress, nearest rows, the Shepard diagram, both stress curves."""
import math
import pathlib
import random
import time

from window import BLUE, ORANGE, Window, count


def named_file(folder, points=120, columns=6):
    """Rows with names, in two classes; too many dimensions for a layout without stress."""
    path = pathlib.Path(folder) / "named.csv"
    numbers = random.Random(9)
    rows = [[numbers.gauss(4 * (i % 2), 1) for _ in range(columns)] for i in range(points)]
    lines = [",".join(["name", *(f"c{k}" for k in range(columns)), "kind"])]
    for i, row in enumerate(rows):
        lines.append(",".join([f"item-{i:03d}", *(f"{value:.4f}" for value in row), "even" if i % 2 == 0 else "odd"]))
    path.write_text("\n".join(lines) + "\n")
    return str(path), [[float(f"{value:.4f}") for value in row] for row in rows]


def open_named(program, path, *more):
    return Window(program, "glimmer", "--data", path, "--label", "kind", "--columns", "c0,c1,c2,c3,c4,c5", *more)


def ticks(window):
    return [float(tick.strip("≤≥ ").replace(",", "")) for tick in window.states.get("legend.ticks", "").replace("≤ ", "").replace("≥ ", "").split()]


def stress_of_points(program, folder):
    """The colours of each point's stress have a legend with numbers, follow a new run, and are in the row's card."""
    path, _ = named_file(folder)
    with open_named(program, path, "--steps", "10") as window:
        window.wait_state("converged", "yes")
        window.click("colour-by")
        window.click("colour-by.Stress of each point")
        window.wait(lambda: len(ticks(window)) == 3, "the legend's three numbers")
        low, middle, high = ticks(window)
        assert 0 < low < middle < high < 1, (low, middle, high)
        time.sleep(1)
        box = window.wait_id("picture")
        left = (box[0], box[1], box[2] - 220, box[3])
        picture = window.picture()
        assert count(picture, left, ORANGE) == 0 and count(picture, left, BLUE) == 0, "no class is to be seen"
        colours = {c for c, n in picture.colours(left).items() if max(c) - min(c) > 60 and n > 5}
        assert len(colours) > 10, "points have many colours"
        # Three dimensions leave less stress.
        window.click("parameter.output_dimensions.3")
        window.wait_state("parameter.output_dimensions", "3")
        window.wait_state("converged", "yes")
        window.wait(lambda: len(ticks(window)) == 3 and ticks(window)[1] < 0.8 * middle, "the smaller stress of three dimensions")


def nearest_rows(program, folder):
    """A click on a point lists its true nearest rows by name, and draws lines to them; Esc clears this."""
    path, rows = named_file(folder)
    with open_named(program, path, "--steps", "10") as window:
        window.wait_state("converged", "yes")
        box, legend = window.wait_id("picture"), window.wait_id("legend.odd")
        picture = window.still()
        spot = next((x, y) for y in range(box[1] + 40, box[1] + box[3] - 60) for x in range(box[0] + 20, legend[0] - 40)
                    if picture.pixel(x, y) in (ORANGE, BLUE) and picture.pixel(x + 1, y + 1) in (ORANGE, BLUE))
        window.move(spot[0] + 1, spot[1] + 1)
        window.wait(lambda: "hover" in window.states, "the row under the mouse")
        row = int(window.states["hover"])
        drawn, ink = (box[0], box[1], box[2] - 240, box[3]), (0xe6, 0xe8, 0xec)
        before = count(window.still(), drawn, ink)
        window.press()
        window.wait(lambda: len(window.states.get("nearest", "").split()) == 12, "the list of twelve rows")
        expected = sorted((math.dist(rows[row], other), i) for i, other in enumerate(rows) if i != row)[:12]
        assert [i for _, i in expected] == list(map(int, window.states["nearest"].split()))
        assert window.states["nearest.names"].split("|") == [f"item-{i:03d}" for _, i in expected]
        window.wait_id("nearest")
        window.wait_picture(lambda after: count(after, drawn, ink) > before + 100, f"lines to the nearest rows: {before} pixels of ink before")
        window.key("Escape")
        window.wait(lambda: window.ids["nearest"][2] == 0, "the list to go")


def shepard(program, folder):
    """The Shepard diagram beside the curve shows all pairs, in both themes, and makes room for the frame times."""
    path, _ = named_file(folder)
    with open_named(program, path, "--steps", "10") as window:
        window.wait_state("converged", "yes")
        window.click("corner.Shepard")
        window.wait_state("shepard", str(120 * 119 // 2))
        window.click("tab.View")
        for look in ("Light", "Dark"):
            window.click("theme." + look)
            window.wait_state("theme", look.lower())
            vivid = sum(n for c, n in window.still("shepard").colours(window.wait_id("shepard")).items() if max(c) - min(c) > 60)
            x, y, w, h = window.wait_id("shepard")
            assert 0.02 * w * h < vivid < 0.9 * w * h, f"pairs are to be seen, and not everywhere: {vivid} of {w * h} pixels"
        window.click("corner.Frame times")
        window.wait(lambda: window.ids["shepard"][2] == 0, "the plot to make room")


def both_stresses(program, folder):
    """If the figure of merit is the sparse stress, the stress of all pairs is measured too; otherwise there is one curve."""
    path, _ = named_file(folder)
    with open_named(program, path, "--steps", "10", "--set", "algorithm=glimmer-2007") as window:
        window.wait_state("converged", "yes")
        window.wait(lambda: "Stress, all pairs " in window.states.get("figures", ""), "the stress of all pairs")

        def ratio():
            first, second = window.states["figures"].split(" | ")
            assert first.startswith("Sparse stress "), first
            return float(first.split()[-1]) / float(second.split()[-1])
        window.wait(lambda: 0.2 < ratio() < 2, "the stress of the layout at its end")
    with open_named(program, path, "--steps", "10") as window:
        window.wait_state("converged", "yes")
        assert window.states["figures"].startswith("Stress, all pairs ") and "|" not in window.states["figures"], window.states["figures"]


CASES = (stress_of_points, nearest_rows, shepard, both_stresses)
