#!/usr/bin/env python3
"""Drives the real window. Usage: window_test.py PROGRAM CASE; exit status 77 where the tools for it are missing. --list: the cases."""
import csv
import json
import pathlib
import random
import struct
import sys
import time

sys.dont_write_bytecode = True
import choosing
import comparing
import figures
import opening
import palette
import quality
import rows
import seeing
import timeline
import timings
from undoing import hasty_undo, session_travels, strokes_travel, undo
from x_server import drop
from everyday import (bandwidth_down, banner_goes, beside_the_data, by_keyboard, endless_landscape, fast_hands, help_explains, new_data_run,
                      only_saving_says_so, only_what_has_an_effect, other_scale, stroke)
from layout import layout_large, layout_scaled, layout_small, layout_usual, scale_option
from simulations import (axon, bandwidth, blow_up, clusters, plants, plateaus, sweep, workers,
                         workers_without_window)
from window import BLUE, ORANGE, SKIP, Window, count, missing_tools


def clusters_file(folder, points=300):
    """Two clusters far apart in four dimensions, with classes: a file such as a user would bring."""
    path = pathlib.Path(folder) / "clusters.csv"
    numbers = random.Random(7)
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["a", "b", "c", "d", "class"])
        for i in range(points):
            centre = 0 if i % 3 else 12
            rows.writerow([f"{centre + numbers.gauss(0, 1):.4f}" for _ in range(4)] + ["near" if centre == 0 else "far"])
    return str(path)


def open_clusters(program, folder, *more, quick=True):
    """`quick`: ten iterations a frame; at the usual pace, in iterations a second, the run takes 18 seconds."""
    return Window(program, "glimmer", "--data", clusters_file(folder), "--label", "class", *(("--steps", "10") if quick else ()), *more)


def given_file(program, folder):
    with open_clusters(program, folder) as window:
        window.wait_state("points", "300")
        window.wait_state("converged", "yes")
        window.wait_id("legend.near")
        picture, box = window.still(), window.wait_id("picture")
        assert count(picture, box, ORANGE) > 50 and count(picture, box, BLUE) > 50, "both classes are to be seen"
        # Panels are beside the picture, never over it.
        left, right = box[0], box[0] + box[2]
        for name, (x, y, w, h) in window.ids.items():
            if name.startswith(("parameter.", "made.")) and w > 0:
                assert x + w <= left or x >= right, f"{name} lies over the picture"


def dropped_file(program, folder):
    path = clusters_file(folder)
    with Window(program, "glimmer", "--data", "synthetic:simplex,n=50") as window:
        window.wait_state("points", "50")
        assert drop(window.display.name, window.window_id(), 600, 300, [path]), "the drop was not finished"
        window.wait_state("data", path)
        window.wait_state("points", "300")
        # A file that does not exist: an error of one line in the window, and the open data stay.
        assert drop(window.display.name, window.window_id(), 600, 300, ["/nowhere/at-all.csv"])
        window.wait(lambda: "at-all.csv" in window.states.get("banner", ""), "the error in the window")
        assert window.states["points"] == "300"
        window.click("dismiss")
        window.wait_state("banner", "none")


def slider(program, folder):
    with open_clusters(program, folder) as window:
        window.wait_state("converged", "yes")
        window.drag("parameter.landmarks", 0.1, 0.8)
        window.wait(lambda: int(window.states["parameter.landmarks"]) > 3000, "the slider to follow the drag")
        window.wait_state("converged", "yes")  # it was restarted, and ended
        x, y, w, h = window.wait_id("parameter.landmarks")
        window.move(x + w / 2, y - 16)
        window.double_click(lambda: window.states["parameter.landmarks"] == "2560")
        window.wait_state("parameter.landmarks", "2560")

        def type_in(text):  # after a Ctrl-click
            window.tool("keydown", "ctrl")
            window.press()
            window.tool("keyup", "ctrl")
            window.tool("type", "--delay", 120, text)
            window.key("Return")

        type_in("300")
        window.wait_state("parameter.landmarks", "300")
        type_in("4,5")
        window.wait(lambda: "4,5" in window.states.get("banner", ""), "that this is no number")
        assert window.states["parameter.landmarks"] == "300"


def pause_and_step(program, folder):
    with open_clusters(program, folder, quick=False) as window:
        window.wait_state("running", "yes")
        window.wait_id("picture")
        window.click("run")
        window.wait_state("running", "no")
        window.wait(lambda: "iteration" in window.states, "the iteration it paused at")
        time.sleep(0.5)
        begin = int(window.states["iteration"])
        window.key("period")
        window.wait_state("iteration", str(begin + 1))
        window.click("step")
        window.wait_state("iteration", str(begin + 2))
        window.key("r")  # from the beginning, still paused
        window.wait_state("iteration", "0")
        window.key("space")
        window.wait_state("running", "yes")
        window.wait_state("converged", "yes")


def class_toggle(program, folder):
    with open_clusters(program, folder) as window:
        window.wait_state("converged", "yes")
        box = window.wait_id("picture")
        legend = window.wait_id("legend.far")
        window.move(box[0] + 40, box[1] + 40)
        picture = window.still()
        colours = picture.colours((legend[0], legend[1], 10, legend[3]))
        far = next(c for c in (ORANGE, BLUE) if colours.get(c, 0) > 20)
        before = count(picture, box, far)
        assert before > 200
        window.click("legend.far")
        window.move(box[0] + 40, box[1] + 40)
        window.wait_picture(lambda picture: count(picture, box, far) < before / 20, "the class to be hidden")
        window.click("legend.far")
        window.move(box[0] + 40, box[1] + 40)
        window.wait_picture(lambda picture: count(picture, box, far) > before / 2, "the class to be back")


def screenshot(program, folder):
    kept = pathlib.Path(folder, "last.png")
    with open_clusters(program, folder, "--screenshot", str(kept)) as window:
        window.wait_state("converged", "yes")
        box = window.wait_id("picture")
        for keys, times in (("F12",), 1), (("shift+F12",), 4):
            window.states.pop("saved", None)
            window.key(*keys)
            window.wait(lambda: window.states.get("saved", "").endswith(".png"), f"the picture by {keys}")
            data = pathlib.Path(window.folder.name, window.states["saved"]).read_bytes()
            assert data[:8] == b"\x89PNG\r\n\x1a\n"
            width, height = struct.unpack(">II", data[16:24])
            assert (width, height) == (box[2] * times, box[3] * times), (width, height, box)
        # The window ends when a person closes it; the last frame is saved even so.
        window.process.terminate()
        window.process.wait()
        assert kept.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def recording(program, folder):
    with open_clusters(program, folder) as window:
        window.wait_id("picture")
        window.key("F9")
        window.wait_state("recording", "yes")
        time.sleep(1.5)
        window.click("record")
        window.wait_state("recording", "no")
        window.wait(lambda: "/kinescope-" in window.states.get("saved", ""), "the recording to be written")
        place = pathlib.Path(window.folder.name, window.states["saved"])
        if place.is_dir():  # without ffmpeg
            assert len(list(place.glob("*.png"))) > 60
        else:
            data = place.read_bytes()
            assert data[4:8] == b"ftyp" and len(data) > 5000, (data[:8], len(data))


def selection(program, folder):
    with open_clusters(program, folder) as window:
        window.wait_state("converged", "yes")
        time.sleep(1)
        x, y, w, h = window.wait_id("picture")

        def drag(*corners):
            window.move(*corners[0])
            window.tool("mousedown", 1)
            for corner in corners[1:]:
                time.sleep(0.4)
                window.tool("mousemove", *corner)
            time.sleep(0.4)
            window.tool("mouseup", 1)

        low, high = (x + 6, y + 6), (x + w - 6, y + h - 6)
        window.tool("keydown", "ctrl")
        drag(low, high)
        window.tool("keyup", "ctrl")
        window.wait_state("selected", "300")
        window.click("forget-selection")
        window.wait_state("selected", "0")
        window.click("tab.View")
        window.click("drag.Box")
        drag(low, high)
        window.wait_state("selected", "300")
        window.click("save-selection")
        window.wait(lambda: window.states.get("saved", "").endswith(".csv"), "the rows to be written")
        saved = pathlib.Path(window.folder.name, window.states["saved"]).read_text().splitlines()
        assert len(saved) == 301 and saved[0] == "row,line,a,b,c,d,class" and saved[7].startswith("7,8,"), saved[:2]
        window.click("forget-selection")
        window.wait_state("selected", "0")
        window.click("tab.View")
        window.click("drag.Lasso")
        drag(low, (high[0], low[1]), high, (low[0], high[1]))
        window.wait_state("selected", "300")


def session(program, folder):
    with open_clusters(program, folder, "--set", "step_strength=0.25") as window:
        window.wait_state("converged", "yes")
        x, y, w, h = window.wait_id("picture")
        window.move(x + w / 2, y + h / 2)
        window.tool("click", 4)  # zooms in: the camera is no longer the default one
        time.sleep(1)
        window.click("save-session")
        window.wait(lambda: window.states.get("saved", "").endswith(".kinescope.json"), "the session to be written")
        path = pathlib.Path(folder, "kept.kinescope.json")
        path.write_bytes(pathlib.Path(window.folder.name, window.states["saved"]).read_bytes())
    saved = json.loads(path.read_text())
    assert saved["simulation"] == "glimmer" and saved["data"]["label"] == "class", saved
    assert saved["parameters"]["step_strength"] == "0.25" and "camera" in saved["view"], saved
    with Window(program, "--data", str(path)) as window:
        window.wait_state("points", "300")
        window.wait_state("parameter.step_strength", "0.25")
        window.click("save-session")
        window.wait(lambda: window.states.get("saved", "").endswith(".kinescope.json"), "the session to be written")
        again = json.loads(pathlib.Path(window.folder.name, window.states["saved"]).read_text())
        assert again == saved, (saved, again)


def data_anywhere(program, folder):
    """Scenes that take no data can open data too, and offer the last session. Data stay open while such a scene is shown."""
    path, state = clusters_file(folder), folder + "/state"
    with Window(program, "fitzhugh-nagumo", "--set", "end_time=20000", state=state) as window:
        window.wait_state("scene", "fitzhugh-nagumo")
        assert "last-session" not in window.ids, "there is none yet"
        assert drop(window.display.name, window.window_id(), 600, 300, [path])
        window.wait_state("scene", "glimmer")
        window.wait_state("points", "300")
        window.key("4")
        window.wait_state("scene", "fitzhugh-nagumo")
        window.key("1")
        window.wait_state("scene", "glimmer")
        window.wait_state("data", path)
        window.key("4")
        window.wait_state("scene", "fitzhugh-nagumo")
    with Window(program, "glimmer", "--data", path, "--steps", "10", state=state) as window:
        window.wait_state("converged", "yes")
    with Window(program, "fitzhugh-nagumo", state=state) as window:
        window.wait_state("scene", "fitzhugh-nagumo")
        window.key("2")  # looking at other scenes does not remove the offer
        window.wait_state("scene", "mean-shift")
        window.key("4")
        window.wait_state("scene", "fitzhugh-nagumo")
        time.sleep(1)
        window.click("last-session")
        window.wait_state("scene", "glimmer")
        window.wait_state("data", path)


def panels(program, folder):
    with open_clusters(program, folder) as window:
        window.wait_state("converged", "yes")
        box = window.wait_id("picture")
        assert box[2] < 1000
        window.key("Tab")
        window.wait_state("panels", "hidden")
        window.wait(lambda: window.ids["picture"] == (0, 0, 1280, 720), "the picture to take the whole window")
        window.key("Tab")
        window.wait(lambda: window.ids["picture"] == box, "the panels to come back as they were")
        window.key("F1")
        window.wait_id("keys")
        window.key("Escape")
        window.wait_state("keys", "hidden")
        # An edge can be dragged.
        x, y, w, h = window.wait_id("split-left")
        window.move(x + w / 2, y + 200)
        window.tool("mousedown", 1)
        time.sleep(0.3)
        window.tool("mousemove", x + w / 2 + 64, y + 200)
        time.sleep(0.5)
        window.tool("mouseup", 1)
        window.wait(lambda: window.ids["picture"][0] >= box[0] + 56, "the left panel to grow")
        # At its narrowest the left panel still shows its buttons whole.
        x, y, w, h = window.wait_id("split-left")
        window.move(x + w / 2, y + 200)
        window.tool("mousedown", 1)
        time.sleep(0.3)
        window.tool("mousemove", 40, y + 200)
        window.wait(lambda: window.ids["picture"][0] < box[0], "the left panel to shrink")
        time.sleep(0.5)
        window.tool("mouseup", 1)
        record = window.ids["record"]
        assert record[2] >= 32 and record[0] + record[2] <= window.ids["picture"][0], (record, window.ids["picture"])


def hover(program, folder):
    with open_clusters(program, folder) as window:
        window.wait_state("converged", "yes")
        box, picture = window.wait_id("picture"), window.still()
        legend = window.wait_id("legend.near")
        spot = next((x, y) for y in range(box[1] + 40, box[1] + box[3] - 60) for x in range(box[0] + 20, legend[0] - 40)
                    if picture.pixel(x, y) in (ORANGE, BLUE) and picture.pixel(x + 1, y + 1) in (ORANGE, BLUE))
        window.move(spot[0] + 1, spot[1] + 1)
        window.wait(lambda: "hover" in window.states, "the row under the mouse")
        window.press()
        window.wait_id("forget-row")
        window.click("forget-row")
        window.wait(lambda: window.ids["forget-row"][2] == 0, "the row to be let go")


def theme(program, folder):
    with open_clusters(program, folder) as window:
        window.wait_state("converged", "yes")
        box = window.wait_id("picture")
        corner = (box[0] + 24, box[1] + 24)
        window.wait_picture(lambda picture: picture.pixel(*corner) == (0x11, 0x13, 0x18), "the dark picture")
        window.click("tab.View")
        window.click("theme.Light")
        window.wait_state("theme", "light")
        window.wait_picture(lambda picture: picture.pixel(*corner) == (0xff, 0xff, 0xff), "the white picture")


CASES = {case.__name__: case for case in
         (given_file, dropped_file, slider, pause_and_step, class_toggle, screenshot, recording, selection, session, data_anywhere,
          panels, hover, theme, bandwidth, plateaus, clusters, sweep, axon, plants, blow_up, workers, workers_without_window,
          bandwidth_down, banner_goes, beside_the_data, fast_hands, new_data_run, only_saving_says_so, other_scale, stroke,
          by_keyboard, endless_landscape, help_explains, only_what_has_an_effect,
          layout_small, layout_usual, layout_large, layout_scaled, scale_option, *opening.CASES, *choosing.CASES, *seeing.CASES,
          *palette.CASES, *quality.CASES, *rows.CASES, *timeline.CASES, *timings.CASES, *figures.CASES, *comparing.CASES, undo, hasty_undo, session_travels, strokes_travel)}


def main():
    import tempfile
    if sys.argv[1:] == ["--list"]:
        print("\n".join(CASES))
        return 0
    if missing := missing_tools():
        print("skipped: not installed:", ", ".join(missing))
        return SKIP
    program, case = str(pathlib.Path(sys.argv[1]).resolve(strict=True)), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        CASES[case](program, folder)
    print(case, "holds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
