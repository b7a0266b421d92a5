"""The command palette, by the keyboard alone."""
from window import Window


def type_into_palette(window, text):
    window.key("ctrl+p")
    window.wait_state("palette", "shown")
    window.tool("type", "--delay", "60", text)


def palette(program, _folder):
    with Window(program, "k-means", "--data", "synthetic:gaussians,n=500,k=3,clusters=6", "--set", "clusters=6") as window:
        window.wait_state("parameter.clusters", "6")
        window.wait_state("converged", "yes")
        type_into_palette(window, "clusters 4")
        window.wait_state("palette.first", "Clusters = 4")
        window.key("Return")
        window.wait_state("parameter.clusters", "4")
        window.wait_state("palette", "hidden")
        assert window.states["playing"] == "no", "Ctrl-P does not play the timeline"

        type_into_palette(window, "theme nothing")
        window.wait_state("palette.first", "none")
        window.key("Return")  # does nothing
        window.key("Escape")
        window.wait_state("palette", "hidden")

        type_into_palette(window, "clusters")
        window.wait_state("palette.first", "Clusters")
        window.key("Return")
        window.wait_state("focus", "parameter.clusters")
        window.key("Right")
        window.wait_state("parameter.clusters", "5")

        type_into_palette(window, "fitz")
        window.key("Return")
        window.wait_state("scene", "fitzhugh-nagumo")
        type_into_palette(window, "colours")
        window.key("Down")
        window.key("Up")
        window.key("Return")
        window.wait_state("data", "synthetic:colours,n=4096")
        type_into_palette(window, "clusters -3")  # of k-means, the scene that is shown again
        window.wait_state("palette.first", "Clusters = -3")
        window.key("Return")
        window.wait(lambda: window.states.get("banner", "none") != "none", "the refusal")
        assert window.states["parameter.clusters"] == "5"


CASES = [palette]
