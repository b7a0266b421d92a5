"""Cases of single simulations: what changes while they run, and what a person does to them with the mouse."""
import os
import pathlib
import signal
import time

from window import BLUE, ORANGE, PATIENCE, Window, count


def converged_at(window):
    """The iteration that the run has ended with."""
    window.wait_state("converged", "yes")
    window.wait(lambda: "iteration" in window.states, "the iteration it ended with")
    return int(window.states["iteration"])


def bandwidth(program, folder):
    """Mean shift: another bandwidth while it runs gives other clusters, from where the points are or from the start."""
    with Window(program, "mean-shift", "--data", "synthetic:gaussians,n=2000,k=2,clusters=3", "--set", "bandwidth=1.5") as window:
        window.wait(lambda: window.states.get("groups", "none") not in ("none", "1"), "some clusters")
        iteration, clusters = converged_at(window), int(window.states["groups"])
        box = window.wait_id("picture")
        window.wait_picture(lambda picture: count(picture, box, ORANGE) > 50, "the largest cluster to be seen")
        window.drag("parameter.bandwidth", 0.3, 0.97)
        window.wait(lambda: float(window.states["parameter.bandwidth"]) > 6, "the bandwidth to follow the drag")
        window.wait_state("converged", "yes")
        window.wait(lambda: window.states["groups"] == "1", f"one cluster instead of {clusters}")
        window.wait(lambda: int(window.states["iteration"]) > iteration, "the points to have gone on")


def plateaus(program, folder):
    """Mean shift: the plot of bandwidths has a plateau for three clusters; a click or an arrow key takes it, with each kernel."""
    with Window(program, "mean-shift", "--data", "synthetic:gaussians,n=2000,k=2,clusters=3", "--set", "bandwidth=20") as window:
        window.wait_state("groups", "1")

        def taken(number):
            window.wait(lambda: {"1", "3"} <= set(window.states.get("plateaus", "").split()), "plateaus of three clusters and of one")
            before = window.states["parameter.bandwidth"]
            window.click(f"plot.plateau.{number}")
            window.wait(lambda: window.states["parameter.bandwidth"] != before, "the bandwidth to change")
            window.wait_state("converged", "yes")
            window.wait_state("groups", str(number))
            return float(window.states["parameter.bandwidth"])
        window.click("corner.Bandwidth")
        three, one = taken(3), taken(1)
        assert three < one < 20, (three, one)
        for _ in range(60):
            if window.states.get("focus") == "plot.bandwidths":
                break
            window.key("Down")
        for number in reversed(window.states["plateaus"].split()[:-1]):
            window.key("Left")
            window.wait(lambda: float(window.states["parameter.bandwidth"]) < one, "the plateau before")
            window.wait_state("groups", number)
            if number == "3":
                break
        told = len(window.told)
        window.click("parameter.kernel")
        window.click("parameter.kernel.flat")
        window.wait(lambda: "state plateaus none" in window.told[told:], "the plateaus of the gaussian to go")
        window.wait(lambda: window.states["plateaus"] != "none", "those of the flat kernel")
        time.sleep(1)
        assert taken(1) > 1.5 * one, "a flat kernel is as wide as it looks"


def clusters(program, folder):
    """k-means: with another K the run goes on from its present centroids; the largest cluster is number 0."""
    with Window(program, "k-means", "--data", "synthetic:gaussians,n=2000,k=2,clusters=3", "--set", "clusters=3") as window:
        window.wait_state("groups", "3")
        iteration = converged_at(window)
        window.wait_id("legend.2")
        assert "legend.3" not in window.ids, "three clusters have three names"
        box = window.wait_id("picture")
        window.wait_picture(lambda picture: count(picture, box, ORANGE) > 50 and count(picture, box, BLUE) > 50, "two clusters to be seen")
        window.drag("parameter.clusters", 0.3, 0.6)
        window.wait(lambda: int(window.states["parameter.clusters"]) > 4, "the number of clusters to follow the drag")
        window.wait(lambda: window.states["groups"] == window.states["parameter.clusters"], "as many clusters as were asked for")
        window.wait_state("converged", "yes")
        window.wait(lambda: int(window.states["iteration"]) > iteration, "the run to have gone on")
        window.drag("parameter.clusters", 0.6, 0.02)
        window.wait(lambda: window.states["groups"] in ("1", "2"), "clusters to have left")


def sweep(program, folder):
    """A sweep over the number of clusters ends while one watches, at its default pace."""
    with Window(program, "k-means", "--data", "synthetic:gaussians,n=2000,k=2,clusters=3", "--set", "sweep=2:6") as window:
        window.wait_state("converged", "yes")
        window.wait_state("groups", "3")


def axon(program, folder):
    """A click on an axon at rest starts an impulse, which runs on by itself."""
    with Window(program, "fitzhugh-nagumo", "--set", "case=rest", "--set", "end_time=2000") as window:
        window.wait_state("scene", "fitzhugh-nagumo")
        window.wait_state("running", "yes")
        assert window.states["excited"] == "no"
        window.click("plot.axon", (0.5, 0.4))
        window.wait_state("excited", "yes")
        x, y, w, h = window.wait_id("plot.axon")
        far = (x + int(0.7 * w), y, int(0.2 * w), h // 2)  # to the right of the click, above v = 0
        window.wait_picture(lambda picture: count(picture, far, ORANGE) > 5, "the impulse to come by")


def plants(program, folder):
    """A grammar is edited beside its plant. After a mistake the last good plant stays. A saved plant is there at the next start."""
    grammar = ('{"kind":"stick","axiom":"F[5&F]FL","iterations":1,"rules":{"A":[{"probability":1,"to":"A"}]},"angles":{"yaw":0,"yaw_spread":0,'
               '"pitch":40,"pitch_spread":0,"droop":0},"segment":{"length":1,"length_ratio":1,"length_spread":0,"radius":0.1,"radius_ratio":1},'
               '"leaves":{"count":3,"length":1,"width":1,"spread":0,"tilt":0,"colour":[1,0,0],"colour_spread":0},"bark":[1,1,1]}')
    saved = pathlib.Path(folder, "kinescope/plants/cottonwood.json")

    def opened():
        window = Window(program, "landscape", "--set", "terrain_size=5", "--set", "trees=200", variables={"XDG_DATA_HOME": folder})
        window.click("tab.Plants")
        window.wait_state("plant.read", "yes")
        return window

    with opened() as window:
        triangles = window.states["plant.triangles"]
        window.click("plant.text")
        window.key("ctrl+Home")
        window.tool("type", "?")
        window.wait_state("plant.error", "cottonwood.json:1: is not valid JSON")
        assert window.states["plant.triangles"] == triangles, "the last good plant stays"
        window.key("Escape")
        window.click("plant.revert")
        window.wait_state("plant.error", "none")
        window.click("plant.text")
        window.key("ctrl+a")
        window.tool("type", "--delay", 20, grammar)
        window.wait(lambda: int(window.states["plant.triangles"]) < int(triangles), "a plant of three branches")
        window.wait_state("plant.error", "none")
        window.key("Escape")
        window.click("plant.apply")
        window.wait(lambda: window.states.get("plant.landscape") == window.states["plant.triangles"], "the landscape to have it")
        assert not saved.exists()
        window.click("plant.save")
        window.wait_state("plant.told", f"Saved as {saved}")
        assert saved.read_text() == grammar
        few = window.states["plant.triangles"]
    with opened() as window:
        window.wait_state("plant.landscape", few)
        assert window.states["plant.triangles"] == few
        window.click("plant.revert")
        window.wait_state("plant.triangles", triangles)


def blow_up(program, folder):
    """If the time step is too large, the banner says the cause in one line and has a button that corrects it."""
    with Window(program, "fitzhugh-nagumo", "--set", "dt=0.5") as window:
        window.wait(lambda: "largest stable dt is 0.11" in window.states.get("banner", ""), "the cause")
        window.wait_state("running", "no")
        window.key("3")  # a run that follows one that failed is not paused because of it
        window.wait_state("scene", "k-means")
        window.wait_state("running", "yes")
        window.key("4")
        window.wait_state("scene", "fitzhugh-nagumo")
        window.wait(lambda: "largest stable dt is 0.11" in window.states["banner"], "the cause once more")
        window.click("remedy")
        window.wait_state("banner", "none")
        window.wait_state("parameter.dt", "0")  # 0: chosen to suit the grid
        window.wait_state("running", "yes")
        window.click("parameter.dimensions.2")
        window.wait_state("points", "262144")
        time.sleep(3)
        assert window.states["banner"] == "none"


def workers_of(process):
    """The processes that `process` has started as workers."""
    found = []
    for place in pathlib.Path("/proc").iterdir():
        if not place.name.isdigit():
            continue
        try:
            parent = (place / "stat").read_text().rsplit(")", 1)[1].split()[1]
            if int(parent) == process and b"\0work\0" in (place / "cmdline").read_bytes():
                found.append(int(place.name))
        except OSError:
            pass  # it has just ended
    return found


def workers(program, folder):
    """k-means by two processes: each has a strip, and the loss of one that is killed is marked on the curve and its strip."""
    with Window(program, "k-means", "--backend", "cpu", "--workers", "2", "--data", "synthetic:gaussians,n=20000,k=2,clusters=3",
                "--set", "stop=iterations", "--set", "iterations=100000") as window:
        window.wait(lambda: window.states.get("workers", "").startswith("1 "), "the strips")
        window.wait(lambda: len(workers_of(window.process.pid)) == 2, "two processes")
        window.wait(lambda: window.states.get("figures", "Inertia nan") != "Inertia nan", "some iterations")
        os.kill(workers_of(window.process.pid)[0], signal.SIGKILL)
        window.wait(lambda: "was lost" in window.states.get("curve.marks", ""), "the mark of the loss")
        window.wait(lambda: "lost" in window.states["workers"], "its strip to say so")
        assert window.states["banner"] == "none"


def workers_without_window(program, folder):
    """If the X server dies, the workers and the notes of their group go with the window."""
    with Window(program, "k-means", "--backend", "cpu", "--workers", "2", "--data", "synthetic:gaussians,n=20000,k=2,clusters=3",
                "--set", "stop=iterations", "--set", "iterations=100000", variables={"TMPDIR": folder}) as window:
        window.wait(lambda: len(workers_of(window.process.pid)) == 2, "two processes")
        assert len(list(pathlib.Path(folder).glob("kinescope-group-*"))) == 1
        window.display.server.kill()
        assert window.process.wait(PATIENCE) == 1
        assert not list(pathlib.Path(folder).glob("kinescope-group-*"))
