"""The table of rows: a row that is found is kept and flown to; bars select rows, of which sessions, undo and files know."""
import csv
import json
import pathlib
import random
import time

from undoing import saved_session
from window import Window


def trees_file(folder, rows=400):
    """Heights in metres, kinds, and names of which one occurs once; the last column is skewed."""
    numbers = random.Random(2)
    path = pathlib.Path(folder) / "trees.csv"
    kinds = ["oak", "lime", "elm"]
    table = [(f"Tree {i:03d}" if i != 317 else "The Old One", kinds[i % 3], f"{numbers.gauss(10 + 10 * (i % 3), 1):.2f}",
              f"{numbers.paretovariate(1):.3f}") for i in range(rows)]
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([("name", "kind", "height", "age"), *table])
    return str(path), table


def in_sight(window):
    return list(map(int, window.states["rows.in-sight"].split()))


def kept(window):
    """What a session would keep of the view."""
    return json.loads(window.states["step.state"])["view"]


def filters(window, count):
    window.wait(lambda: len(json.loads(kept(window).get("filters", "[]"))) == count, f"{count} filters")
    return json.loads(kept(window)["filters"])


def saved_table(window, button):
    window.states.pop("saved", None)
    window.click(button)
    window.wait(lambda: window.states.get("saved", "").endswith(".csv"), "the table to be written")
    with open(pathlib.Path(window.folder.name, window.states["saved"]), newline="") as file:
        return list(csv.DictReader(file))


def rows(program, folder):
    path, table = trees_file(folder)
    heights = [float(row[2]) for row in table]
    with Window(program, "glimmer", "--data", path, "--label", "kind", "--steps", "10", screen="1280x1000") as window:
        window.wait_state("converged", "yes")
        # Far into one corner, so that the row that is looked for is out of sight.
        x, y, w, h = window.wait_id("picture")
        window.move(x + 20, y + 20)
        for _ in range(20):
            window.tool("click", 4)
        time.sleep(1)
        window.key("ctrl+f")
        window.tool("type", "--delay", "100", "old o")
        window.wait_state("rows", "1")
        assert in_sight(window) == [317], window.states["rows.in-sight"]
        camera = kept(window)["camera"]
        window.click("row.317")
        window.wait_state("rows.kept", "317")
        window.wait(lambda: kept(window).get("camera", camera) != camera, "the camera to go there")
        assert kept(window)["row"] == "317", window.states["step.state"]
        # It stays in sight among all rows.
        window.click("find-row")
        window.key("ctrl+a", "BackSpace")
        window.wait_state("rows", "400")
        window.wait(lambda: 317 in in_sight(window), "the kept row to be scrolled to")
        window.click("rows.column.height")
        window.wait(lambda: 317 in in_sight(window), "the kept row in another order")
        seen = [heights[row] for row in in_sight(window)]
        assert seen == sorted(seen), seen
        # A drag over the bars selects a range, a click on a bar a category.
        window.click("columns")
        window.drag("column-bars.height", 0.3, 0.97)
        window.wait(lambda: window.states["selected"] not in ("0", "400"), "the rows in the range")
        window.wait_state("step.name", "Filters")
        chosen = filters(window, 1)[0]
        inside = [i for i, height in enumerate(heights) if chosen["low"] <= height <= chosen["high"]]
        assert chosen["column"] == "height" and window.states["selected"] == str(len(inside)), (chosen, window.states["selected"])
        window.click("column-bars.kind", (1.5 / 8, 0.5))  # the second of three bars, each an eighth wide
        window.wait(lambda: int(window.states["selected"]) < len(inside), "the rows of one kind")
        kind = filters(window, 2)[1]["texts"]
        both = [i for i in inside if table[i][1] in kind]
        assert len(kind) == 1 and window.states["selected"] == str(len(both)), (kind, window.states["selected"], len(both))
        window.click("rows.Selected")
        window.wait_state("rows", str(len(both)))
        window.click("rows.Differences")
        window.wait(lambda: "kind=" in window.states.get("differences", ""), "the differences")
        found = dict(one.split("=") for one in window.states["differences"].split())
        assert abs(float(found["height"])) > abs(float(found["age"])), found
        # Sessions keep the filters; undo takes one back, and the button of the other removes it.
        assert json.loads(json.loads(saved_session(window).read_text())["view"]["filters"])[1]["texts"] == kind
        window.key("ctrl+z")
        window.wait_state("selected", str(len(inside)))
        window.key("ctrl+shift+z")
        window.wait_state("selected", str(len(both)))
        window.click("filter.kind")
        window.wait_state("selected", str(len(inside)))
        window.click("tab.Selection")
        saved = saved_table(window, "save-table")
        assert [int(row["selected"]) for row in saved] == [int(i in inside) for i in range(400)]
        assert [row["name"] for row in saved] == [row[0] for row in table]
        assert [int(row["row"]) - 1 for row in saved_table(window, "save-selection")] == inside
        window.key("Escape")
        window.wait_state("selected", "0")
        # A search shows the panels if they are hidden.
        window.key("Tab")
        window.wait_state("panels", "hidden")
        window.key("ctrl+f")
        window.wait_state("panels", "shown")
        window.tool("type", "--delay", "100", "OLD")
        window.wait_state("rows", "1")


CASES = (rows,)
