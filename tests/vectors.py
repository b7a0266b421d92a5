#!/usr/bin/env python3
"""The loops that compilers turn into vectors still are vectors. One option lost, and they run at a fraction of their
speed without a word.

    python3 vectors.py FOLDER        where the libraries of the simulations were built (FOLDER/libkinescope_sim_*.a)

Loops written with lanes (kinescope/executors/lanes.hpp) need no such test."""
import pathlib
import re
import subprocess
import sys

# library, function, how many instructions on eight floats or four doubles it has at least
LOOPS = [("fitzhugh_nagumo", "SheetBand::step_row(", 6),
         ("fitzhugh_nagumo", "::solve_some<float>(", 6),
         ("fitzhugh_nagumo", "::solve_some<double>(", 6),
         ("data", "::facts_of_span<float>(", 8),
         ("data", "::facts_of_span<double>(", 8)]
ARITHMETIC = re.compile(r"\sv(?:f?n?m?add|f?n?m?sub|mul|div|min|max|sqrt|p(?:max|min|cmp)[a-z]*)[0-9]*[a-z]*\s.*%ymm")


def instructions_by_function(library):
    """How many instructions of ARITHMETIC each function has. Several functions can have one name: the most counts."""
    text = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", str(library)], check=True, capture_output=True, text=True).stdout
    counts, name, count = {}, "", 0
    for line in text.splitlines():
        if line.endswith(">:"):
            name, count = line.partition(" ")[2], 0
        elif ARITHMETIC.search(line):
            count += 1
            counts[name] = max(count, counts.get(name, 0))
    return counts


def main():
    folder, failed = pathlib.Path(sys.argv[1]), False
    for library in dict.fromkeys(library for library, _, _ in LOOPS):
        counts = instructions_by_function(folder / f"libkinescope_sim_{library}.a")
        for _, function, least in (loop for loop in LOOPS if loop[0] == library):
            found = max((count for name, count in counts.items() if function in name), default=0)
            print(f"{function:40} {found} (at least {least})")
            failed = failed or found < least
    return failed


if __name__ == "__main__":
    sys.exit(main())
