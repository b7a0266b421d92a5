"""Cases of opening data: what is suggested, what stays from scene to scene, and what must not prevent a window from opening."""
import json
import pathlib
import random
import time

from window import Window


def lacking_file(folder, complete=10):
    """60 numbered rows of three columns. Only every `complete`-th row has all values; one column is in the thousands."""
    path = pathlib.Path(folder) / "lacking.csv"
    numbers = random.Random(3)
    rows = ["row,small,large,more"]
    for i in range(60):
        cells = [f"{numbers.gauss(0, 1):.3f}", f"{numbers.gauss(0, 1000):.1f}", f"{numbers.gauss(0, 1):.3f}"]
        if i % complete:
            cells[i % 3] = "?"
        rows.append(",".join([str(i + 1)] + cells))
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def suggestions(program, folder):
    """A click fills missing values, leaves a counter out, or standardizes. What was clicked is no longer suggested."""
    with Window(program, "glimmer", "--data", lacking_file(folder), "--set", "normalize=none") as window:
        window.wait_state("points", "6")
        window.click("suggestion.fill-missing")
        window.wait_state("points", "60")
        window.click("suggestion.leave-out-counters")
        window.wait(lambda: window.ids.get("suggestion.leave-out-counters", (0, 0, 0, 0))[2] == 0, "the counter to be left out")
        window.click("suggestion.standardize")
        window.wait_state("parameter.normalize", "zscore")
        window.wait(lambda: window.ids["suggestion.standardize"][2] == 0, "nothing to be standardized any more")
        window.wait_state("points", "60")


def birds_file(folder, name="birds.csv", unit=1000):
    """Three species of different measures, one of which is in small units; the sex is the last column."""
    numbers = random.Random(5)
    rows = ["species,bill,wing,mass,sex"]
    for i in range(60):
        sizes = [numbers.gauss(3 * (i % 3), 1) for _ in range(3)]
        rows.append(f"{'abc'[i % 3]},{sizes[0]:.2f},{sizes[1]:.2f},{unit * sizes[2]:.1f},{'fm'[i // 3 % 2]}")
    path = pathlib.Path(folder) / name
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def saved_session(window):
    window.states.pop("saved", None)
    window.click("save-session")
    window.wait(lambda: window.states.get("saved", "").endswith(".kinescope.json"), "the session to be written")
    return json.loads(pathlib.Path(window.folder.name, window.states["saved"]).read_text())


def first_picture(program, folder):
    """A table with different units is standardized and says so in the picture, where a click leads back. A file's choice is not the next one's."""
    with Window(program, "glimmer", "--data", birds_file(folder)) as window:
        window.wait_state("normalize-used", "zscore")
        window.wait_id("legend.c")  # three species
        assert window.states["parameter.normalize"] == "auto", window.states
        assert saved_session(window)["parameters"]["normalize"] == "zscore"
        window.key("2")
        window.wait_state("scene", "mean-shift")
        window.wait_state("normalize-used", "zscore")
        window.key("1")
        window.wait_state("scene", "glimmer")
        window.click("use-raw-values")
        window.wait_state("normalize-used", "none")
        window.wait(lambda: window.ids["use-raw-values"][2] == 0, "nothing more to be said about scales")
        window.wait_id("suggestion.standardize")
        assert saved_session(window)["parameters"]["normalize"] == "none"
        window.open(birds_file(folder, "others.csv"))
        window.wait_state("normalize-used", "zscore")
        window.wait_state("parameter.normalize", "auto")
        window.open(birds_file(folder, "alike.csv", unit=1))
        window.wait(lambda: window.states["data"].endswith("alike.csv"), "the third file")
        window.wait_state("normalize-used", "none")
        assert "suggestion.standardize" not in window.ids or window.ids["suggestion.standardize"][2] == 0


def command_lines_choice(program, folder):
    """What --set says about normalizing holds for the file of the command line, and for that file read again."""
    with Window(program, "k-means", "--data", birds_file(folder), "--set", "normalize=none") as window:
        window.wait_state("normalize-used", "none")
        window.key("F5")
        time.sleep(1)
        assert window.states["normalize-used"] == "none"
        window.open(birds_file(folder, "others.csv"))
        window.wait_state("normalize-used", "zscore")


def as_it_is_read(program, folder):
    """The file's panel stays in sight, shows the first rows, and reads the file another way by a click."""
    path = pathlib.Path(folder) / "numbers.csv"
    path.write_text("".join(f"{i * i % 17},{i * 5 % 13},{i % 3}.5\n" for i in range(60)))
    with Window(program, "glimmer", "--data", str(path)) as window:
        window.wait_state("points", "60")
        window.wait_state("reading", "closed")  # nothing is doubtful
        window.click("columns")
        window.wait_id("column-row.c0")
        panel, heading = window.wait_id("panel.left"), window.wait_id("reading")
        assert heading[1] + heading[3] <= panel[1] + panel[3], (heading, panel)
        window.click("reading")
        window.wait_id("reading-rows")
        window.click("reading.Header.1")
        window.wait_state("points", "59")
        window.wait_state("reading", "open")
        window.click("reading.Header.1")
        window.wait_state("points", "60")


def read_as_text(program, folder):
    """A column of numbers that cannot be read is named in the window too, and only then."""
    path = pathlib.Path(folder) / "shares.csv"
    path.write_text("x,share\n" + "".join(f"{i * i % 7},{i}%\n" for i in range(40)))
    with Window(program, "glimmer", "--data", str(path)) as window:
        window.wait_state("points", "40")
        assert window.wait_id("unread")[2] > 0
    path.write_text("x,share\n" + "".join(f"{i * i % 7},{i}\n" for i in range(40)))
    with Window(program, "glimmer", "--data", str(path)) as window:
        window.wait_state("points", "40")
        window.wait_id("columns")
        assert "unread" not in window.ids, window.ids["unread"]


def normalize_kept(program, folder):
    """Normalizing belongs to the data: other scenes of the same data keep it, and so does a session."""
    with Window(program, "glimmer", "--data", lacking_file(folder), "--missing", "mean", "--set", "normalize=minmax") as window:
        window.wait_state("points", "60")
        for key, scene in (("2", "mean-shift"), ("3", "k-means"), ("1", "glimmer")):
            window.key(key)
            window.wait_state("scene", scene)
            window.wait_state("parameter.normalize", "minmax")
        window.click("save-session")
        window.wait(lambda: window.states.get("saved", "").endswith(".kinescope.json"), "the session to be written")
        saved = json.loads(pathlib.Path(window.folder.name, window.states["saved"]).read_text())
        assert saved["parameters"]["normalize"] == "minmax", saved


def view_kept(program, folder):
    """Hidden classes and the switches of layers come back with a session."""
    session = {"simulation": "k-means", "data": {"source": "synthetic:gaussians,n=900,clusters=3"}, "parameters": {"clusters": "3"},
               "view": {"hidden": "1", "paths": "off", "centres": "off"}}
    path = pathlib.Path(folder) / "s.kinescope.json"
    path.write_text(json.dumps(session))
    with Window(program, "--data", str(path)) as window:
        window.wait_state("converged", "yes")
        time.sleep(1)
        window.click("save-session")
        window.wait(lambda: window.states.get("saved", "").endswith(".kinescope.json"), "the session to be written")
        view = json.loads(pathlib.Path(window.folder.name, window.states["saved"]).read_text())["view"]
        assert view["hidden"].split() == ["1"] and view["paths"] == "off" and view["centres"] == "off", view
        assert view["regions"] == "on", view


def damaged_last_session(program, folder):
    """Whatever the file of the last session holds, the window opens, and does not offer a damaged session."""
    state = pathlib.Path(folder) / "state"
    last = state / "kinescope" / "last.kinescope.json"
    last.parent.mkdir(parents=True)
    for damage in ('{"simulation": "k-means", "parameters": {"tolerance": 1e999}}', "[" * 100000, '{"simulation": 1}', "\0\xff"):
        last.write_text(damage, encoding="latin-1")
        with Window(program, "--data", "synthetic:simplex,n=20", state=str(state)) as window:
            window.wait_state("points", "20")
            assert "last-session" not in window.ids
            window.process.kill()  # before it writes a good one


def wrong_text(program, folder):
    """A text that a parameter does not accept is refused, with an error in the banner."""
    with Window(program, "k-means", "--data", "synthetic:gaussians,n=300,clusters=3") as window:
        window.wait_state("points", "300")
        window.click("parameter.sweep")
        window.key("ctrl+a")
        window.tool("type", "--delay", "120", "foo")
        window.key("Return")
        window.wait(lambda: window.states.get("banner", "none").startswith("sweep: expected"), "a complaint")
        window.wait_state("parameter.sweep", "off")


def mended_by_click(program, path, text, complaint, remedies):
    """Opens a text of 40 rows: the banner complains and has that many buttons; the first one opens the file all the same."""
    path.write_text(text)
    with Window(program, "glimmer", "--data", "synthetic:grid,n=400") as window:
        window.wait_state("points", "400")
        window.open(str(path))
        window.wait(lambda: complaint in window.states.get("banner", ""), complaint)
        assert [name for name in ("remedy", "remedy.2") if name in window.ids] == ["remedy", "remedy.2"][:remedies]
        window.click("remedy")
        window.wait_state("points", "40")
        window.wait_state("banner", "none")


def stray_text(program, folder):
    """A text in a column of numbers makes a column of texts; the file's panel says so, and a click makes it missing."""
    path = pathlib.Path(folder) / "stray.csv"
    path.write_text("size,weight,age\n" + "".join(f"{i},{i * i % 17},{'old' if i == 9 else i % 3}\n" for i in range(40)))
    with Window(program, "glimmer", "--data", str(path)) as window:
        window.wait_state("points", "40")
        window.wait_state("dimensions", "2")
        window.wait_state("reading", "open")  # it is doubtful
        window.wait(lambda: window.ids.get("reading-rows", (0,) * 4)[3] > 0, "the first rows")
        window.click("reading.age.1")
        window.wait_state("points", "39")
        window.wait_state("dimensions", "3")


def title_row(program, folder):
    """A title above the table: one button of the banner skips it, the other reads it as a row."""
    rows = "".join(f"s{i};Graz;{i};{i * i % 17}\n" for i in range(40))
    text = "Our sales;;;\nshop;city;area;rent\n" + rows
    mended_by_click(program, pathlib.Path(folder) / "sales.csv", text, "is a title above the table", 2)


CASES = (suggestions, first_picture, command_lines_choice, as_it_is_read, read_as_text, stray_text, title_row, normalize_kept, view_kept, damaged_last_session, wrong_text)
