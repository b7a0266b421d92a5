"""Choosing data: the table of columns, dialogs for files, files that change, and data that are offered."""
import json
import os
import pathlib
import random
import time

from everyday import inked
from window import Window


def table_file(folder, name="table.csv", rows=60):
    """A table with columns of all sorts: distinct names, a quantity, few whole numbers (stars), a constant, a label."""
    path = pathlib.Path(folder) / name
    numbers = random.Random(9)
    lines = ["name,size,stars,same,kind"]
    for i in range(rows):
        lines.append(f"n{i},{numbers.gauss(0, 1):.3f},{numbers.randint(1, 5)},7,{'ab'[i % 2]}")
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def saved_data(window):
    window.states.pop("saved", None)
    window.click("save-session")
    window.wait(lambda: window.states.get("saved", "").endswith(".kinescope.json"), "the session to be written")
    return json.loads(pathlib.Path(window.states["saved"]).read_text())["data"]


def columns_table(program, folder):
    """Columns are ticked and unticked, become the label, and are read as categories."""
    with Window(program, "glimmer", "--data", table_file(folder), screen="1280x1000") as window:
        window.wait_state("dimensions", "3")
        window.wait_id("legend.a")
        window.click("columns")
        for name in ("name", "size", "stars", "same", "kind"):
            window.wait_id("column-row." + name)
        assert "column.name" not in window.ids and "column.kind" not in window.ids, "texts and the label cannot be ticked"
        window.click("column.same")
        window.click("apply-columns")
        window.wait_state("dimensions", "2")
        window.click("column-row.stars")
        window.click("column-type.categories")
        window.wait_state("dimensions", "6")  # size, and a dimension for each number of stars
        assert saved_data(window)["categories"] == ["stars"]
        window.click("column-row.stars")
        window.click("column-type.numbers")
        window.wait_state("dimensions", "2")
        window.click("column-row.stars")
        window.click("column-use.label")
        window.wait_state("dimensions", "1")
        window.wait_id("legend.5")
        data = saved_data(window)
        assert data["label"] == "stars" and data["columns"] == ["size"] and "categories" not in data, data


def open_dialog(program, folder):
    """Without the desktop's file dialog the window shows its own. With it, the file that it returns is opened."""
    path, other = table_file(folder, "first.csv"), table_file(folder, "second.csv", 70)
    os.mkdir(folder + "/deeper")
    third = table_file(folder + "/deeper", "third.csv", 80)
    state, nowhere = folder + "/state", {"PATH": folder}
    with Window(program, "glimmer", "--data", path, state=state, variables=nowhere) as window:
        window.wait_state("points", "60")
        window.click("open-file")
        window.wait_id("file.second.csv")
        window.key("Escape")
        window.wait(lambda: window.ids["file-dialog"][2] == 0, "the dialog to close")
        assert window.states["points"] == "60"
        window.key("ctrl+o")
        window.wait_id("file-dialog")
        time.sleep(0.5)
        window.tool("type", "--delay", 120, "secon")
        window.wait(lambda: window.ids["file.first.csv"][2] == 0, "the others to go")
        window.key("Return")
        window.wait_state("points", "70")
        window.key("ctrl+o")
        window.wait_id("file.deeper")
        window.key("Return")  # folders come first
        window.wait_id("file.third.csv")
        window.click("file.third.csv")
        window.wait_state("points", "80")
        window.key("ctrl+o")
        window.wait_state("file-folder", folder + "/deeper")
        window.click("file-up")
        window.wait_id("file.first.csv")
        window.key("Escape")
    zenity = pathlib.Path(folder) / "zenity"
    for script, points in ((f"#!/bin/sh\necho '{other}'\n", "70"), ("#!/bin/sh\necho nothing\nexit 1\n", "60")):
        zenity.write_text(script)
        zenity.chmod(0o755)
        with Window(program, "glimmer", "--data", path, state=state, variables=nowhere) as window:
            window.wait_state("points", "60")
            window.click("open-file")
            window.wait_state("points", points)
            time.sleep(1)
            assert window.states["points"] == points and window.states["banner"] == "none", window.states
            assert window.ids.get("file-dialog", (0,) * 4)[2] == 0, "there is no second dialog"


def reload(program, folder):
    """A file that has changed is read again when a person requests it, and only then. The choices about it stay."""
    path = table_file(folder)
    with Window(program, "glimmer", "--data", path, "--label", "stars", "--columns", "size,same") as window:
        window.wait_state("points", "60")
        time.sleep(2.5)
        assert window.states["banner"] == "none", window.states["banner"]
        table_file(folder, rows=90)
        window.wait_state("banner", "table.csv has changed")
        assert window.states["points"] == "60"
        window.click("remedy")
        window.wait_state("points", "90")
        window.wait_state("banner", "none")
        data = saved_data(window)
        assert data["label"] == "stars" and data["columns"] == ["size", "same"], data
        table_file(folder, rows=40)
        window.key("F5")
        window.wait_state("points", "40")
        time.sleep(2.5)
        assert window.states["banner"] == "none", window.states["banner"]


def offered_data(program, folder):
    """Offered distances are opened as distances. For a table that looks like distances this is suggested. Other data are read as rows."""
    above = pathlib.Path(__file__).resolve().parents  # the project, or a bundle
    cities = next(file for file in (root / "assets/data/cities.csv" for root in above) if file.exists())
    with Window(program, "glimmer", "--data", "synthetic:simplex,n=50", "--size", "1280x1300", screen="1280x1300") as window:
        window.wait_state("points", "50")
        window.click("made.Cities of Europe")
        window.wait_state("points", "63")
        window.wait_state("parameter.metric", "matrix")
        window.open(table_file(folder))
        window.wait_state("points", "60")
        window.wait_state("parameter.metric", "euclidean")
        window.open(str(cities))
        window.wait_state("points", "63")
        window.wait_state("parameter.metric", "euclidean")
        window.click("suggestion.use-as-distances")
        window.wait_state("parameter.metric", "matrix")
        window.wait(lambda: window.ids["suggestion.use-as-distances"][2] == 0, "nothing to be suggested any more")
        window.wait_state("converged", "yes")
        assert window.states["banner"] == "none", window.states["banner"]
        window.key("3")  # k-means cannot use distances: it reads the file as a table again
        window.wait_state("scene", "k-means")
        window.wait_state("points", "63")


def edges(program, folder):
    """A graph's edges are drawn under its points, and can be hidden."""
    with Window(program, "glimmer", "--data", "synthetic:grid-graph,n=400", "--steps", "10") as window:
        window.wait_state("parameter.metric", "graph")
        window.wait_state("points", "400")
        window.wait_state("converged", "yes")
        box = window.wait_id("picture")
        drawn = inked(window.still(), box)
        window.click("tab.View")
        window.click("edges")
        window.wait_picture(lambda picture: 100 < inked(picture, box) < 0.7 * drawn, f"fewer of {drawn} pixels to be drawn")
        window.states.pop("saved", None)
        window.click("save-session")
        window.wait(lambda: window.states.get("saved", "").endswith(".kinescope.json"), "the session to be written")
        assert json.loads(pathlib.Path(window.states["saved"]).read_text())["view"]["edges"] == "off"
        weighted = pathlib.Path(folder, "weighted.gml")  # lengths or strengths? the name does not say
        lines = [f"edge [ source {node} target {(7 * node + 1) % 40} value {1 + node % 5} ]" for node in range(40)]
        weighted.write_text("\n".join(["graph [", *(f"node [ id {node} ]" for node in range(40)), *lines, "]"]))
        window.open(str(weighted))
        window.click("suggestion.take-as-lengths")
        window.wait(lambda: window.ids["suggestion.take-as-lengths"][2] == 0, "nothing to be suggested any more")


CASES = (edges, columns_table, open_dialog, reload, offered_data)
