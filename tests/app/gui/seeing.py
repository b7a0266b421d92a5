"""What the picture shows, and what the window says about it: the card under the mouse, colours that stay, legends."""
import os
import pathlib
import random
import time

from opening import lacking_file
from window import ORANGE, PATIENCE, Window, count

CORNERS = ((0, 0), (10, 0), (5, 9))


def corners_file(folder):
    """Three tight clusters at the corners of a triangle, each in a town of its own; in each, every fifth row is old."""
    path = pathlib.Path(folder) / "corners.csv"
    numbers = random.Random(4)
    rows = ["x,y,town,kind"]
    for corner, ((x, y), town) in enumerate(zip(CORNERS, ("Bonn", "Graz", "Oslo"))):
        for i in range(60 - 10 * corner):
            rows.append(f"{x + numbers.gauss(0, 0.4):.3f},{y + numbers.gauss(0, 0.4):.3f},{town},{'new' if i % 5 else 'old'}")
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def corner_colours(window):
    """The strongest colour at the lower left, lower right and upper corner of the triangle, which fills the picture."""
    x, y, w, h = window.wait_id("picture")
    picture = window.still()

    def strongest(box):
        vivid = {colour: n for colour, n in picture.colours(box).items() if max(colour) - min(colour) > 60}
        return max(vivid, key=vivid.get, default=None)
    left, right = x + 60, x + w - 180  # between axis and legend
    third = (right - left) // 3
    return (strongest((left, y + h // 2, third, h // 2 - 60)), strongest((right - third, y + h // 2, third, h // 2 - 60)),
            strongest((left + third, y + 10, third, h // 3)))


def type_clusters(window, text):
    window.tool("keydown", "ctrl")
    window.click("parameter.clusters")
    window.tool("keyup", "ctrl")
    window.tool("type", "--delay", 120, text)
    window.key("Return")
    window.wait_state("groups", text)
    window.wait_state("converged", "yes")


def colours_stay(program, folder):
    """k-means: a cluster that is found again with another number of clusters keeps its colour."""
    with Window(program, "k-means", "--data", corners_file(folder), "--set", "clusters=3") as window:
        window.wait_state("groups", "3")
        window.wait_state("converged", "yes")
        window.click("tab.View")  # nothing but the points
        for name in ("regions", "paths", "centres"):
            window.click(name)
        window.click("tab.Parameters")
        before = corner_colours(window)
        assert None not in before and len(set(before)) == 3, before
        for clusters in ("4", "2", "3"):
            type_clusters(window, clusters)
            now = corner_colours(window)
            kept = sum(a == b for a, b in zip(before, now))
            # A fourth cluster splits one of the three. With two clusters, two corners share one.
            assert None not in now and kept >= (1 if clusters == "2" else 2), (clusters, before, now)
            before = now


def hover_card(program, folder):
    """The card under the mouse begins with what colours the point, in its colour."""
    with Window(program, "k-means", "--data", corners_file(folder), "--set", "clusters=3") as window:
        window.wait_state("groups", "3")
        window.wait_state("converged", "yes")
        window.click("tab.View")
        for name in ("regions", "paths", "centres"):
            window.click(name)

        def told(what, legend):
            x, y, w, h = window.wait_id("picture")
            lx, ly, _, lh = window.wait_id(legend)
            window.move(x + w // 2, y + 20)  # away from all points
            picture = window.still()
            window.states.pop("hover.coloured-by", None)
            colour = picture.pixel(lx + 5, ly + lh // 2)
            spot = next((px, py) for px in range(x + 70, x + w - 200) for py in range(y + 10, y + h - 60)
                        if picture.pixel(px, py) == colour and picture.pixel(px + 1, py + 1) == colour)
            window.move(spot[0] + 1, spot[1] + 1)
            window.wait(lambda: window.states.get("hover.coloured-by") == what, f"a card that begins with {what}")
            fx, fy, fw, fh = window.wait_id("fact.colour")
            window.wait_picture(lambda picture: picture.pixel(fx + fw // 2, fy + fh // 2) == colour, "the colour on the card")

        told("cluster found 0", "legend.0")
        window.move(20, 700)
        told("cluster found 2", "legend.2")
        window.click("colour-by")
        window.click("colour-by.town")
        window.wait_id("legend.Graz")
        told("town Graz", "legend.Graz")


def colour_by_text(program, folder):
    """Any column of texts colours the points, and its values are the legend, each on one line."""
    path = pathlib.Path(corners_file(folder))
    path.write_text(path.read_text().replace("Oslo", '"Oslo\nWest"'))
    with Window(program, "glimmer", "--data", str(path), "--label", "town", "--steps", "10") as window:
        window.wait_state("converged", "yes")
        for name in ("Bonn", "Graz", "Oslo West"):
            window.wait_id("legend." + name)
        window.click("colour-by")
        window.click("colour-by.kind")
        window.wait_id("legend.new")
        window.wait_id("legend.old")
        window.wait(lambda: window.ids["legend.Bonn"][2] == 0, "the towns to leave the legend")
        x, y, w, h = window.wait_id("picture")
        window.wait_picture(lambda picture: count(picture, (x, y, w - 200, h), ORANGE) > 500, "the more frequent value to be orange")


def density_legend(program, folder):
    """The colours of a density have numbers."""
    with Window(program, "glimmer", "--data", "synthetic:gaussians,n=20000,k=2,clusters=3") as window:
        window.wait_state("points", "20000")
        window.click("colour-by")
        window.click("colour-by.Single colour")
        window.click("tab.View")
        window.click("mode.Density")
        window.wait(lambda: len(window.states.get("legend.ticks", "").split()) >= 2, "two ticks with numbers at least")
        ticks = [float(text) for text in window.states["legend.ticks"].split()]
        assert ticks == sorted(ticks) and ticks[0] > 0, ticks


def sweep_sets_k(program, folder):
    """During a sweep the slider of K has no effect, so it cannot be dragged."""
    with Window(program, "k-means", "--data", corners_file(folder), "--set", "clusters=5") as window:
        window.wait_state("groups", "5")
        window.click("parameter.sweep")
        window.key("ctrl+a")
        window.tool("type", "--delay", "120", "2:4")
        window.key("Return")
        window.wait_state("parameter.sweep", "2:4")
        window.wait_state("converged", "yes")
        window.wait_state("groups", "3")
        window.drag("parameter.clusters", 0.2, 0.8)
        assert window.states["parameter.clusters"] == "5", window.states


def three_suggestions(program, folder):
    """With three suggestions, the controls for opening, colours and columns are still visible at 1280 × 720; each is one line."""
    with Window(program, "glimmer", "--data", lacking_file(folder, 5), "--set", "normalize=none") as window:
        for key, scene in (("1", "glimmer"), ("2", "mean-shift"), ("3", "k-means")):
            window.key(key)
            window.wait_state("scene", scene)
            time.sleep(1.5)
            foot = window.ids["reading"]  # what is above can be seen
            offers = [box for name, box in window.ids.items() if name.startswith("suggestion.") and box[2] > 0]
            assert len(offers) >= 3 and all(box[3] <= 24 for box in offers), offers
            for name in ("open-path", "colour-by", "parameter.normalize", "columns"):
                box = window.wait_id(name)
                assert box[1] + box[3] <= foot[1], f"{scene}: {name} {box} is below the fold, {foot}"


FRAGMENT = "printf '\\000\\000\\000\\010moof'\n"  # by which a video is known


def stopped_ffmpeg(program, folder):
    """An ffmpeg that is stopped from outside is continued. If it is killed, the banner says so, and the window goes on."""
    tool = pathlib.Path(folder) / "ffmpeg"
    paths = os.environ["PATH"]
    for body, banner in ((FRAGMENT + "head -c 100000; kill -STOP $$; cat", "none"),
                         (FRAGMENT + "head -c 100000; kill -KILL $$",
                          "ffmpeg was ended by a signal (Killed) before the recording ended")):
        tool.write_text("#!/bin/sh\n" + body + "\n")
        tool.chmod(0o755)
        os.environ["PATH"] = folder + ":" + paths
        try:
            with Window(program, "glimmer", "--data", "synthetic:simplex,n=50") as window:
                window.wait_id("picture")
                window.key("F9")
                if banner == "none":
                    window.wait_state("recording", "yes")
                    time.sleep(1.5)
                    window.key("F9")
                    window.wait(lambda: window.states.get("saved", "").endswith(".mp4"), "the video")
                    assert pathlib.Path(window.states["saved"]).stat().st_size > 200000
                else:
                    window.wait(lambda: banner in window.states.get("banner", ""), "a line that says so")
                    window.wait_state("recording", "no")
                    window.key("Escape")
                window.wait_state("banner", "none")
                window.key("3")  # the window still works
                window.wait_state("scene", "k-means")
        finally:
            os.environ["PATH"] = paths


def lost_window(program, folder):
    """Without its window the program ends, but the film and the timings get their names, and one line says so."""
    tool = pathlib.Path(folder) / "ffmpeg"
    tool.write_text("#!/bin/sh\nsleep 1\n" + FRAGMENT + "cat\nsleep 1\n")
    tool.chmod(0o755)
    variables = {"PATH": folder + ":" + os.environ["PATH"]}
    for lose, why in ((lambda window: window.display.server.kill(), "the connection to the display is lost"),
                      (lambda window: window.tool("windowkill", window.window_id()), "the connection to the display is lost"),
                      (lambda window: window.tool("windowclose", window.window_id()), "the window was destroyed from outside")):
        with Window(program, "glimmer", "--data", "synthetic:simplex,n=50", "--timings", "times.csv",
                    variables=variables) as window:
            window.wait_id("picture")
            window.key("F9")
            window.wait_state("recording", "yes")
            time.sleep(2)
            lose(window)
            assert window.process.wait(PATIENCE) == 1
            here = pathlib.Path(window.folder.name)
            told = (here / "stderr").read_text().splitlines()
            films = list(here.rglob("*.mp4"))
            assert len(films) == 1 and films[0].name.startswith("kinescope-") and films[0].stat().st_size > 200000, films
            assert len(told) == 1 and why in told[0] and told[0].endswith(films[0].name + " has what was recorded"), told
            assert (here / "times.csv").read_text().startswith("frame,cpu_ms"), "the timings"
            assert not list(here.rglob(".kinescope-*"))


def finishing(program, folder):
    """A film that is still being written says so, then that it is saved."""
    tool = pathlib.Path(folder) / "ffmpeg"
    tool.write_text("#!/bin/sh\n" + FRAGMENT + "cat\nsleep 2\n")
    tool.chmod(0o755)
    with Window(program, "glimmer", "--data", "synthetic:simplex,n=50",
                variables={"PATH": folder + ":" + os.environ["PATH"]}) as window:
        window.wait_id("picture")
        window.key("F9")
        window.wait_state("recording", "yes")
        time.sleep(1)
        window.key("F9")
        window.wait(lambda: window.states.get("notice", "").startswith("Finishing "), "the line that it is being finished")
        window.wait(lambda: window.states.get("saved", "").endswith(".mp4"), "the video")
        window.wait(lambda: window.states.get("notice", "").startswith("Saved "), "the line that it is saved")


CASES = (colours_stay, hover_card, colour_by_text, density_legend, sweep_sets_k, three_suggestions, stopped_ffmpeg, lost_window, finishing)
