"""Several algorithms side by side: chosen by option and by button, linked by the mouse, on one clock, at earlier moments too."""
import time

from quality import named_file, open_named
from timeline import far_clusters
from undoing import cloud_file
from window import BLUE, ORANGE, Window, count


def figures(window):
    """The stress of each run, by name."""
    return {part.rsplit(" ", 1)[0]: part.rsplit(" ", 1)[1] for part in window.states.get("compared", "").split(" | ") if " " in part}


def measured(window, *names):
    window.wait(lambda: all(figures(window).get(name, "–") != "–" for name in names), f"the stress of {names}")
    return {name: float(figures(window)[name].replace(",", "")) for name in names}


def comparing(program, folder):
    path, _ = named_file(folder)
    with open_named(program, path, "--steps", "10", "--compare", "pivot-mds,smacof") as window:
        window.wait_state("converged", "yes")
        # Glimmer ends first; SMACOF goes on until its stress no longer changes.
        stress, before = measured(window, "Glimmer", "Pivot MDS", "SMACOF"), None
        while stress != before:
            time.sleep(1)
            stress, before = measured(window, "Glimmer", "Pivot MDS", "SMACOF"), stress
        assert stress["Glimmer"] <= stress["SMACOF"] * 1.001 and stress["SMACOF"] < stress["Pivot MDS"], stress

        # Every picture shows both classes, and all have one size.
        boxes = [window.wait_id(name) for name in ("picture", "picture.2", "picture.3")]
        picture = window.still()
        for box in boxes:
            assert count(picture, box, ORANGE) > 50 and count(picture, box, BLUE) > 50, box
        assert len({(box[2], box[3]) for box in boxes}) == 1, f"pictures of one size: {boxes}"

        # A point under the mouse is marked in all of them, and a click keeps it.
        x, y, w, h = boxes[2]
        spot = next((a, b) for b in range(y + 60, y + h - 20) for a in range(x + 20, x + w - 20)
                    if picture.pixel(a, b) in (ORANGE, BLUE) and picture.pixel(a + 1, b + 1) in (ORANGE, BLUE))
        window.move(spot[0] + 1, spot[1] + 1)
        window.wait(lambda: "hover" in window.states, "the row under the mouse")
        window.press()
        window.wait(lambda: len(window.states.get("nearest", "").split()) == 12, "the card of the row")
        left, top, *_ = window.wait_id("panel.left")
        window.move(left + 4, top + 4)
        for box in boxes:
            inside = (box[0], box[1] + 60, box[2], box[3] - 60)
            window.wait_picture(lambda marked: marked.colours(inside) != picture.colours(inside), f"the row to be marked in {box}")
        window.key("Escape")

        # An earlier moment of the first shows earlier moments of all.
        window.wait(lambda: window.states.get("kept.latest") == window.states["iteration"], "the last moment to be kept")
        end = window.still()
        late = [end.colours(box) for box in boxes]
        window.click("timeline.slider", (0.02, 0.5))
        window.wait(lambda: window.states["shown"] != "live", "an early moment")
        window.wait_picture(lambda early: early.colours(boxes[0]) != late[0] and early.colours(boxes[2]) != late[2],
                            "the pictures to go back together")
        window.click("timeline.live")

        # One fewer, one more, none.
        window.click("tab.Parameters")
        window.click("compare")
        window.click("compare.pivot-mds")
        window.wait(lambda: set(figures(window)) == {"Glimmer", "SMACOF"}, "two pictures")
        window.click("compare.landmark")
        measured(window, "Glimmer", "SMACOF", "Landmark")
        window.click("compare.smacof")
        window.click("compare.landmark")
        window.wait(lambda: window.ids["picture.2"][2] == 0, "one picture alone")
        assert window.wait_id("picture")[2] > 1.5 * boxes[0][2]


def one_clock(program, folder):
    """Without --steps the other runs follow the seconds of computing of the first."""
    path, _ = named_file(folder)
    with open_named(program, path, "--compare", "smacof,chalmers") as window:
        window.wait_state("running", "yes")
        measured(window, "Glimmer", "SMACOF", "Chalmers")
        window.key("space")
        window.wait_state("running", "no")
        time.sleep(1)
        paused = window.states["compared.seconds"]
        time.sleep(2)
        assert window.states["compared.seconds"] == paused, "a pause is one for all"
        first, *others = map(float, paused.split())
        assert all(abs(each - first) < 0.1 + 0.1 * first for each in others), f"one clock: {paused}"
        window.key("space")
        window.wait_state("converged", "yes")
        measured(window, "Glimmer", "SMACOF", "Chalmers")


def longest(program, folder):
    """When the first has ended, the timeline goes on to the end of the longest."""
    path = far_clusters(folder, 1500)
    with Window(program, "glimmer", "--data", path, "--set", "algorithm=classic", "--compare", "smacof,glimmer-2007") as window:
        def seconds():
            return [float(each) for each in window.states["compared.seconds"].split()]

        window.wait_state("converged", "yes")
        measured(window, "Classic", "SMACOF", "Glimmer 2007")
        ends = None
        while ends != seconds():
            ends = seconds()
            time.sleep(3)
        assert max(ends) > 1.5 * ends[0], f"the first ends before the others: {ends}"
        window.click("timeline.slider", (0.9, 0.5))
        window.wait(lambda: window.states["shown"] != "live", "a moment after the first one's end")
        window.wait(lambda: ends[0] < max(seconds()) < max(ends), f"the longest of {ends} at an earlier moment")
        assert seconds()[0] == ends[0] and window.states["shown"] == window.states["kept.latest"]
        late = max(seconds())

        def stepped():
            window.key("bracketleft")
            time.sleep(0.3)
            return max(seconds()) < late

        window.wait(stepped, "a step earlier")
        assert ends[0] < max(seconds()), "a step is small"
        window.click("timeline.slider", (0, 0.5))
        window.wait(lambda: seconds()[0] < ends[0], "the beginning of all")
        window.click("timeline.live")
        window.wait(lambda: seconds() == ends, "the end of all")



def restarted(program, folder):
    """Nothing of the earlier run is shown, and no algorithm twice."""
    path = far_clusters(folder, 1500)
    with Window(program, "glimmer", "--data", path, "--set", "algorithm=smacof", "--set", "start=random",
                "--compare", "nonmetric,classic") as window:
        def begins():
            return [float(each) for each in window.states.get("compared.begins", "– ").split() if each != "–"]

        window.wait_state("converged", "yes")
        before, last = measured(window, "SMACOF", "Nonmetric", "Classic"), None
        while before != last:
            time.sleep(3)
            before, last = measured(window, "SMACOF", "Nonmetric", "Classic"), before
        window.key("r")
        window.wait_state("converged", "no")
        window.wait_state("converged", "yes")
        window.wait(lambda: len(begins()) == 3, "the beginning of each curve")
        assert begins()[0] > 1.5 * before["SMACOF"] and begins()[1] > 1.5 * before["Nonmetric"], (begins(), before)
        window.click("tab.Parameters")
        window.click("parameter.algorithm")
        window.click("parameter.algorithm.classic")
        window.wait(lambda: set(figures(window)) == {"Classic", "Nonmetric"}, "each algorithm once")


def other_value(program, folder):
    """Any parameter, in three actions: what is compared differs in it alone, iteration by iteration; a wrong value is refused."""
    with Window(program, "k-means", "--data", cloud_file(folder), "--set", "clusters=5") as window:
        window.wait_state("converged", "yes")
        window.click("compare")
        window.wait_id("compare.value")
        window.click("compare.value")
        window.tool("type", "--delay", "50", "many")
        window.key("Return")
        time.sleep(0.5)
        assert "compared" not in window.states or window.states["compared"] == "", window.states["compared"]
        window.click("compare.value")
        window.key("ctrl+a")
        window.tool("type", "--delay", "50", "2")
        window.key("Return")
        window.wait(lambda: set(figures(window)) == {"Clusters 5", "Clusters 2"}, "the second run")
        five, two = (measured(window, "Clusters 5", "Clusters 2")[name] for name in ("Clusters 5", "Clusters 2"))
        assert five < two, (five, two)
        assert window.wait_id("picture.2")[2] == window.wait_id("picture")[2]


CASES = (comparing, one_clock, longest, restarted, other_value)
