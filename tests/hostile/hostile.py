#!/usr/bin/env python3
"""Opens hostile files of every format with the program, and checks that it stays in command: it ends by itself with exit
status 0, 1 or 2, in little time and memory, a refusal is one line, and what it accepts has the values that are known.

    hostile.py PROGRAM [--keep FOLDER] [PART OF A NAME]

Exit status 1 if something failed. --keep leaves the files in FOLDER.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import resource
import struct
import subprocess
import sys
import tempfile
import threading
import zlib
from typing import NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from samples import (NUMBERS, biom_json, bmp, fvecs, idx, lines, matrix_market, npy, packed, pcd, ply, png,  # noqa: E402
                     png_chunk, samples, shown, table, tga, word2vec, zipped)

MOST_SECONDS = 5  # of processor time
MOST_MEGABYTES = 700
PATIENCE = 60  # seconds after which a program that waits is killed

ACCEPTED, REFUSED, EITHER = "accepted", "refused", "accepted or refused"


class Case(NamedTuple):
    name: str
    data: bytes
    verdict: str = EITHER
    rows: int = None  # None: not compared
    first: list = None  # the first rows; None: not compared
    ending: str = ""  # of the file; "": the name's


def cases():
    for sample in samples():
        yield from changed(sample)
    yield from lies()
    yield from deep()
    yield from long()
    yield from bombs()
    yield from odd_texts()
    yield from graphs()


# Formats that say how long they are, or that end visibly: cut off, they are never a shorter table.
CLOSED = (".npy", ".npz", "ubyte", ".bin", ".mtx", ".biom", ".ply", ".pcd", ".tsp", ".graphml", ".gexf", ".gml", ".dot",
          "graph.json", ".json", ".png", ".bmp", ".jpg", ".parquet", ".h5", ".h5ad", ".loom")


def changed(sample):
    """A sample cut off, packed, encoded otherwise, and with damaged bytes."""
    def case(what, data, verdict=EITHER, **more):
        stem, dot, ending = sample.name.rpartition(".")
        name = f"{stem}-{what}.{ending}" if dot else f"{what}-{sample.name}"
        return Case(name, data, verdict, **more)

    data, same = sample.data, {"rows": sample.rows, "first": sample.first}
    for part in (1, 2, 3):
        closed = sample.name.endswith(CLOSED)
        yield case(f"cut{part}", data[:len(data) * part // 4], REFUSED if closed else EITHER)
    yield case("empty", b"", REFUSED)
    yield case("zeros", bytes(len(data)))
    yield case("magic", b"\x7f" + data[1:])
    middle = len(data) // 2
    yield case("nul", data[:middle] + bytes(8) + data[middle:])
    yield case("twice", data + data)
    rng = random.Random(sample.name)
    for turn in range(4):
        damaged = bytearray(data)
        for _ in range(1 << turn):
            damaged[rng.randrange(len(data))] = rng.choice((0, 0x7f, 0x80, 0xff, rng.randrange(256)))
        yield case(f"flip{turn}", bytes(damaged))
    for ending, whole in packed(data, sample.name):
        # Readers of arrays and of libraries' files see through a packing by its bytes, whatever the name.
        if sample.name.endswith((".npz", ".parquet", ".feather", ".arrows")) and ending == ".zip":
            continue
        yield Case(f"{sample.name}{ending}", whole, ACCEPTED, **same)
        if ending in (".gz", ".zip"):
            yield Case(f"cut-{sample.name}{ending}", whole[:len(whole) // 2], REFUSED)
    if sample.text:
        for encoding in ("utf-8-sig", "utf-16-le", "utf-16-be"):
            mark = "\ufeff" if encoding.startswith("utf-16") else ""
            whole = (mark + data.decode()).encode(encoding)
            # Formats that begin with a word of their own are not known behind a mark of the encoding.
            if sample.name.endswith((".ply", ".pcd", ".network", "atoms.xyz")):
                yield case(encoding, whole)
            else:
                yield case(encoding, whole, ACCEPTED, **same)
        yield case("crlf", data.replace(b"\n", b"\r\n"), ACCEPTED, **same)
        yield case("latin", data[:middle] + b"\xe9\xff\xfe" + data[middle:])


def lies():
    """Headers that claim other sizes than there are."""
    huge = 2**31 - 1
    for shape in ((huge, huge), (2**40, 1), (3, 2**40), (4, 3), (2**63, 2**63), (0, 3), (3, 0), (-3, 3), (3, 3, 2**30)):
        yield Case(f"lie-{'x'.join(map(str, shape))}.npy", npy(shape=shape), REFUSED)
    for what, header in (("deep", "{'descr': " + "(" * 5000 + ")" * 5000 + "}"), ("python", "__import__('os').abort()"),
                         ("open", "{'descr': '<f4', 'shape': (3, 3"), ("none", ""), ("type", "{'descr': '<f9999999999', "
                         "'fortran_order': False, 'shape': (3, 3), }"), ("object", "{'descr': '|O', 'fortran_order': False, "
                         "'shape': (3, 3), }"), ("twice", "{'descr': '<f4', 'descr': '<f4', 'shape': (3,, 3)}")):
        yield Case(f"lie-{what}.npy", npy(header=header), REFUSED)
    for length in (0, 1, 65_535):
        yield Case(f"lie-head{length}.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", length) + npy()[10:], REFUSED)
    yield Case("lie-head.npy", b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**32 - 1) + npy()[10:], REFUSED)
    for sizes in ((huge, huge), (4, 3), (2**32 - 1,) * 3, (0, 3), (3, 2**31), (2,) * 8):
        yield Case(f"lie-{'x'.join(map(str, sizes))}-idx-ubyte", idx(sizes), REFUSED)
    yield Case("lie-dimensions-idx-ubyte", idx()[:3] + b"\xff" + idx()[4:])
    for count in (huge, -1, 0, 4, 1_000_000):
        first = struct.pack("<i", count)
        yield Case(f"lie-{count}.fvecs", first + fvecs()[4:], REFUSED)
        yield Case(f"lie-later{count}.fvecs", fvecs()[:16] + first + fvecs()[20:], REFUSED)
    for words, columns in ((huge, huge), (2**40, 3), (4, 3), (3, 10**6), (0, 0), (3, 2**62)):
        yield Case(f"lie-{words}x{columns}.bin", word2vec(words, columns), REFUSED)
    for rows, columns, entries in ((huge, huge, huge), (3, 3, 5), (3, 3, 3), (2, 3, 4), (2**63, 3, 4), (3, 2**70, 4),
                                   (-3, 3, 4), (3, 0, 4), (10**9, 10**5, 4), (3, 3, 2**62)):
        yield Case(f"lie-{rows}x{columns}x{entries}.mtx", matrix_market(rows, columns, entries), REFUSED)
    for kind in ("array real general", "coordinate complex general", "coordinate real hermitian", "coordinate", "x y z"):
        yield Case(f"lie-{kind.replace(' ', '-')}.mtx", matrix_market(kind=kind))
    for shape in ((2**31, 2**31), (2, 3), (0, 0), (-3, 3), (10**9, 3), (1e300, 3)):
        yield Case(f"lie-{shape[0]}x{shape[1]}.biom", biom_json(shape), REFUSED)
    for place in ((3, 0, 1), (0, 3, 1), (-1, 0, 1), (2**63, 0, 1), (0.5, 0, 1), ("a", 0, 1), (0, 0), ()):
        yield Case(f"lie-place{place}.biom".replace(" ", ""), biom_json(data=[place]), REFUSED)
    for kind in ("ascii", "binary_little_endian"):
        for count in (huge, 2**62, 4, -1, "x", 10**30):
            yield Case(f"lie-{count}-{kind}.ply", ply(kind, count), REFUSED)
    for extra in (("element face 99999999999", "property list uchar int vertex_indices"), ("property list uchar int x",),
                  ("property float x",), ("element vertex 3",), ("comment " + "x" * 100_000,)):
        yield Case(f"lie-{extra[0][:14].replace(' ', '-')}.ply", ply("ascii", 3, extra))
    for what, old, new in (("value", b"[0, 0, 1]", b"[0, 0, 1e999]"), ("id", b'"s1"', b"1e999"), ("shape", b"[3, 3]", b"[1e999, 3]"),
                           ("metadata", b'"metadata": null', b'"metadata": {"a": 1e999}'), ("mark", b'"s1"', b'"\xff"'),
                           ("surrogate", b'"s1"', b'"\\ud800"'), ("nul", b'"s1"', b'"\\u0000"')):
        yield Case(f"lie-{what}.biom", biom_json().replace(old, new))
    yield Case("lie-list.ply", lines("ply", "format binary_little_endian 1.0", "element face 1", "property list int int i",
                                     "element vertex 1", "property float x", "end_header") + struct.pack("<i", huge), REFUSED)
    for kind in ("ascii", "binary"):
        for points in (huge, 2**62, 4, "x", -1):
            yield Case(f"lie-{points}-{kind}.pcd", pcd(kind, points), REFUSED)
    for size in (0, 3, 2**31, -4):
        yield Case(f"lie-size{size}.pcd", pcd("binary", size=size), REFUSED)
    for sizes in ((huge, huge), (4, 1), (0, 0), (2**32 - 1, 1)):
        yield Case(f"lie-{sizes[0]}.pcd", pcd("binary_compressed").partition(b"compressed\n")[0] + b"compressed\n"
                   + struct.pack("<II", *sizes) + bytes(16), REFUSED)
    for width, height in ((huge, huge), (huge, 1), (0, 2), (2, 0), (3, 2), (65_536, 65_536)):
        yield Case(f"lie-{width}x{height}.png", png(width, height), REFUSED)
        yield Case(f"lie-{width}x{height}.bmp", bmp(width, height if height < 2**31 else 2), REFUSED)
    for width, height in ((65_535, 65_535), (0, 2), (3, 2)):
        yield Case(f"lie-{width}x{height}.tga", tga(width, height), REFUSED)
    for depth, colour in ((16, 2), (8, 3), (7, 2), (8, 9), (1, 0)):
        yield Case(f"lie-depth{depth}-{colour}.png", png(depth=depth, colour=colour))
    yield Case("lie-chunk.png", png()[:33] + struct.pack(">I", 2**32 - 1) + png()[37:], REFUSED)
    yield Case("lie-palette.png", png()[:33] + png_chunk(b"PLTE", bytes(3 * 300)) + png()[33:])
    for offset, bits in ((2**32 - 1, 24), (0, 24), (54, 7), (54, 0), (54, 65_535)):
        yield Case(f"lie-offset{offset}-{bits}.bmp", bmp(offset=offset, bits=bits), EITHER if offset == 0 else REFUSED)
    for count in (huge, 2**62, 4, -1):
        yield Case(f"lie-{count}.xyz", lines(str(count), "c", "O 1 2 3", "H 4 5 6", "H 7 8 10"))
        yield Case(f"lie-{count}.pts", lines(str(count)) + table(" "))
        yield Case(f"lie-{count}.tsp", lines(f"DIMENSION: {count}", "NODE_COORD_SECTION", "1 1 2", "2 4 5", "3 7 8", "EOF"),
                   REFUSED)
        yield Case(f"lie-{count}.net", lines(f"*Vertices {count}", '1 "a"', "*Edges", "1 2"))
    for feature in ("1:1 99999999999:2", "2:1 1:2", "0:1", "-1:1", "1:", "1:1:1", ":1", f"{huge}:1"):
        yield Case(f"lie-{feature.replace(':', '_').replace(' ', '-')}.svm", lines("1 1:1 2:2", f"1 {feature}"))
    for at, what in ((0, b"PAR2"), (-4, b"PAR2"), (-8, b"\xff\xff\xff\x7f"), (-8, bytes(4))):
        whole = bytearray(next(each.data for each in samples() if each.name == "table.parquet"))
        whole[at % len(whole):at % len(whole) + 4] = what
        yield Case(f"lie{at}{what.hex()}.parquet", bytes(whole), REFUSED)


def deep():
    """Nesting without end."""
    many = 100_000
    for name, data in (
            ("lists.json", b"[" * many + b"]" * many), ("lists.jsonl", b"[" * many + b"]" * many + b"\n"),
            ("objects.json", b'{"a":' * many + b"1" + b"}" * many), ("open.json", b'[{"a":' * many),
            ("graph.json", b'{"nodes":' + b"[" * many + b"]" * many + b',"links":[]}'),
            ("metadata.biom", biom_json().replace(b'"metadata": null', b'"metadata": ' + b"[" * many + b"]" * many)),
            ("graph.graphml", b"<graphml>" + b"<graph>" * many + b"</graph>" * many + b"</graphml>"),
            ("graph.gexf", b"<gexf><graph>" + b"<nodes><node>" * many + b"</node></nodes>" * many + b"</graph></gexf>"),
            ("graph.gml", b"graph " + b"[ graph " * many + b"]" * many),
            ("graph.dot", b"graph {" + b"subgraph {" * many + b"a" + b"}" * many + b"}"),
            ("brackets.edgelist", b"a b {'w': " + b"[" * many + b"]" * many + b"}\n"),
            ("quotes.csv", b'a,b\n' + b'"' * many + b"\n1,2\n")):
        yield Case(f"deep-{name}", data)
    laughs = b"".join(b'<!ENTITY l%d "%s">' % (i, b"&l%d;" % (i - 1) * 10) for i in range(1, 20))
    yield Case("laughs.graphml", b'<?xml version="1.0"?><!DOCTYPE g [<!ENTITY l0 "ha">' + laughs + b"]><graphml><graph>"
               b'<node id="&l19;"/></graph></graphml>')
    yield Case("self.graphml", b'<!DOCTYPE g [<!ENTITY a "&a;">]><graphml><graph><node id="&a;"/></graph></graphml>')
    yield Case("outside.graphml", b'<!DOCTYPE g [<!ENTITY a SYSTEM "file:///etc/passwd">]><graphml><graph><node id="&a;"/>'
               b"</graph></graphml>")


def long():
    """Lines, names and counts beyond reason."""
    mega = 1 << 20
    yield Case("long-cell.csv", b"a,b\n" + b"x" * mega + b",1\n")
    yield Case("long-number.csv", b"a,b\n" + b"1" * mega + b",1\n2,3\n")
    yield Case("long-commas.csv", b"," * mega + b"\n")
    yield Case("long-header.csv", b"a," * 100_000 + b"\n")
    yield Case("long-row.csv", b"a,b\n1,2\n" + b"1," * 100_000 + b"\n")
    yield Case("long-quote.csv", b'a,b\n1,"' + b"x\n" * mega)
    yield Case("long-blank.csv", b" " * mega + b"\n1,2\n")
    yield Case("long-newlines.csv", b"\n" * mega)
    yield Case("long-returns.csv", b"\r" * mega)
    yield Case("long-line.svm", b"1 " + b" ".join(b"%d:1" % i for i in range(1, 50_000)) + b"\n1 1:1\n")
    yield Case("long-name.arff", b"@relation t\n@attribute " + b"x" * mega + b" numeric\n@data\n1\n2\n")
    yield Case("long-kinds.arff", b"@relation t\n@attribute x {" + b"a," * 200_000 + b"b}\n@data\na\nb\n")
    yield Case("long-key.json", b'[{"' + b"k" * mega + b'": 1}]')
    yield Case("long-keys.json", b"[{" + b",".join(b'"k%d":1' % i for i in range(20_000)) + b"}]")
    yield Case("long-text.json", b'[{"a": "' + b"\\u0000" * 100_000 + b'"}]')
    yield Case("long-word.bin", b"1 1\n" + b"w" * mega + b" \0\0\0\0", REFUSED)
    yield Case("long-name.dot", b"graph { " + b"a" * mega + b" -- b }")
    yield Case("long-id.gml", b"graph [ node [ id " + b"9" * mega + b" ] ]")
    yield Case("long-comment.mtx", b"%%MatrixMarket matrix array real general\n" + b"% c\n" * 100_000 + b"1 1\n1\n")
    yield Case("long-fields.pcd", b"VERSION 0.7\nFIELDS" + b" x" * 100_000 + b"\nPOINTS 1\nDATA ascii\n1\n")
    yield Case("long-array.npz", zipped([("x" * 60_000 + ".npy", npy())]))
    yield Case("long-list.npz", zipped([(f"a{i}.npy", npy()) for i in range(2000)]))


def bombs():
    """Packings of much more than they seem, in each other, or false."""
    def deflated(size, byte=b"0"):
        whole = zlib.compressobj(9, zlib.DEFLATED, 31)
        parts = [whole.compress(byte * (1 << 20)) for _ in range(size)]
        return b"".join(parts) + whole.flush()

    packings = dict(packed(b"a,b\n" + table() * 64))
    yield Case("bomb-line.csv.gz", deflated(80), REFUSED)  # a line of 80 MiB
    yield Case("bomb-zeros.npy.gz", deflated(80, b"\0"), REFUSED)
    yield Case("bomb-newlines.csv.gz", deflated(8, b"\n"))
    yield Case("bomb-array.npy.gz", dict(packed(npy(shape=(2**20, 2**20))))[".gz"], REFUSED)
    for ending, whole in packings.items():
        yield Case(f"tail.csv{ending}", whole + b"tail")
        yield Case(f"flip.csv{ending}", whole[:len(whole) // 2] + bytes([whole[len(whole) // 2] ^ 1])
                   + whole[len(whole) // 2 + 1:])
        yield Case(f"start.csv{ending}", whole[:6], REFUSED)
        nested = whole
        for _ in range(8):
            nested = dict(packed(nested))[".gz"]
        yield Case(f"nested.csv{ending}.gz", nested)
        yield Case(f"other{ending}.csv", whole)  # its name says nothing of it
    yield Case("none.zip", zipped([]), REFUSED)
    yield Case("two.zip", zipped([("a.csv", table()), ("b.csv", table())]), REFUSED)
    yield Case("up.zip", zipped([("../../up.csv", table())]), ACCEPTED, rows=3, first=shown(NUMBERS))
    yield Case("folder.zip", zipped([("folder/", b"")]), REFUSED)
    yield Case("many.zip", zipped([(f"{i}.csv", table()) for i in range(5000)]), REFUSED)
    one = zipped([("a.csv", table() * 100)])
    at = one.rindex(b"PK\x01\x02")
    for what, place, value in (("size", 24, 2**32 - 1), ("packed", 20, 2**32 - 1), ("small", 24, 1), ("offset", 42, 2**31),
                               ("crc", 16, 0), ("method", 10, 99)):
        lie = bytearray(one)
        lie[at + place:at + place + (2 if what == "method" else 4)] = struct.pack("<H" if what == "method" else "<I", value)
        yield Case(f"lie-{what}.zip", bytes(lie), REFUSED)
    yield Case("self.gz", b"\x1f\x8b\x08\x00" + bytes(6) + b"\x03\x00" + bytes(8), REFUSED)


def odd_texts():
    """Numbers and texts at the edges."""
    def column(name, cells, first=None, **more):
        return Case(f"{name}.csv", lines("a,b", *(f"{each},1" for each in cells)), first=first and shown(first), **more)

    yield column("negative", ("-1", "-0.5", "-2e3"), [[-1, 1], [-0.5, 1], [-2000, 1]], verdict=ACCEPTED, rows=3)
    yield column("exponents", ("1e3", "1E-3", "1.5e+2"), [[1000, 1], [0.001, 1], [150, 1]], verdict=ACCEPTED, rows=3)
    yield column("points", (".5", "5.", "0.25"), [[0.5, 1], [5, 1], [0.25, 1]], verdict=ACCEPTED, rows=3)
    yield column("beyond", ("1e999", "-1e999", "1"))
    yield column("below", ("1e-999", "1e-50", "1"))
    yield column("not-numbers", ("nan", "inf", "-inf", "1"))
    yield column("hex", ("0x10", "0b1", "1_000", "1"))
    yield column("digits", ("0." + "1" * 5000, "1" * 300, "3"))
    yield column("wide", ("１", "２", "３"))
    yield column("controls", ("\x01", "\x1b[31m", "\x7f", "1"))
    yield column("formulas", ("=cmd()", "@sum", "+1", "-1"))
    yield Case("one.csv", b"1", EITHER)
    for name, data in (("comma", b","), ("quote", b'"'), ("newline", b"\n"), ("mark", b"\xef\xbb\xbf"), ("half", b"\xff\xfe\x00"),
                       ("odd", b"\xff\xfe1\x00,\x002\x00\n"), ("high", b"\xff\xfe\x00\xd8\x00\xd8\n\x00"),
                       ("percent", b"%"), ("brace", b"{"), ("bracket", b"["), ("less", b"<"), ("zip", b"PK\x03\x04"),
                       ("gzip", b"\x1f\x8b"), ("hdf5", b"\x89HDF\r\n\x1a\n"), ("png", b"\x89PNG\r\n\x1a\n"),
                       ("jpeg", b"\xff\xd8\xff"), ("bmp", b"BM"), ("npy", b"\x93NUMPY"), ("parquet", b"PAR1PAR1"),
                       ("arrow", b"ARROW1\0\0ARROW1"), ("ply", b"ply\n"), ("xml", b"<?xml?>"), ("elf", b"\x7fELF" + bytes(60)),
                       ("pdf", b"%PDF-1.7\n"), ("sqlite", b"SQLite format 3\0" + bytes(100)), ("random", random.Random(1).randbytes(5000))):
        yield Case(f"only-{name}", data, EITHER if name in ("odd", "brace") else REFUSED)
    for encoding in ("utf-16-le", "utf-8"):
        other = "utf-8" if encoding == "utf-16-le" else "utf-16-le"
        yield Case(f"mixed-{encoding}.csv", "\ufeffa,b\n1,2\n".encode(encoding) + "3,4\n5,6\n".encode(other))
    yield Case("utf-32.csv", "\ufeffa,b\n1,2\n3,4\n".encode("utf-32-le"))
    yield Case("names.csv", b"a,a,,\xff\n1,2,3,4\n5,6,7,8\n")
    yield Case("ragged.csv", b"a,b\n1,2\n3\n4,5,6\n")


def graphs():
    """Graphs that contradict themselves, with cycles, or of nodes that are not there."""
    for name, data in (
            ("cycle.gml", lines("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] edge [ source 2 target 1 ] ]")),
            ("loop.dot", b"graph { a -- a }"),
            # One text of 100 kB, which becomes 2 GB.
            ("text.dot", b'graph { node [label="' + bytes(b"x" * 100_000) + b'"] ' + b" -- ".join(b"n%d" % i for i in range(20_000)) + b" }"),
            ("text.graphml", b'<graphml><key id="k" for="node" attr.name="t"><default>' + b"x" * 100_000 + b"</default></key><graph>" +
             b"".join(b'<node id="%d"/>' % i for i in range(20_000)) + b"</graph></graphml>"), ("missing.gml", b"graph [ node [ id 1 ] edge [ source 1 target 9 ] ]"),
            ("twice.gml", b"graph [ node [ id 1 ] node [ id 1 ] ]"), ("none.gml", b"graph [ ]"), ("none.dot", b"graph {}"),
            ("parent.gml", b"graph [ node [ id 1 gid 2 ] node [ id 2 gid 1 ] ]"),
            ("weight.dot", b"graph { a -- b [weight=-1e999]; b -- c [weight=nan] }"),
            ("chain.dot", b"graph { " + b"a -- " * 20_000 + b"b }"), ("product.dot", b"graph { {" + b" ".join(
                b"a%d" % i for i in range(3000)) + b"} -- {" + b" ".join(b"b%d" % i for i in range(3000)) + b"} }"),
            ("missing.graphml", b'<graphml><graph><node id="a"/><edge source="a" target="z"/></graph></graphml>'),
            ("missing.gexf", b'<gexf><graph><nodes><node id="a"/></nodes><edges><edge source="a" target="z"/></edges></graph></gexf>'),
            ("parent.gexf", b'<gexf><graph><nodes><node id="a" pid="b"/><node id="b" pid="a"/></nodes></graph></gexf>'),
            ("missing.net", lines("*Vertices 2", '1 "a"', "*Edges", "1 99999999")),
            ("many.net", lines("*Vertices 3000000", "*Edges", "1 2")),
            ("zero.net", lines("*Vertices 2", '0 "a"', "*Edges", "0 1")),
            ("matrix.net", lines("*Vertices 3", "*Matrix", "0 1", "1 0 1 1")),
            ("missing.json", b'{"nodes":[{"id":"a"}],"links":[{"source":"a","target":"z"}]}'),
            ("kinds.json", b'{"nodes":[{"id":{}},{"id":[]},{"id":null},3],"links":[{"source":1e400}]}'),
            ("none.json", b'{"nodes":[],"links":[]}'), ("weights.edgelist", b"a b {'weight': 1e999}\na c {'weight': None}\n")):
        yield Case(f"graph-{name}", data)


def opened(program, path):
    """Runs the program in a process of its own. Returns its status, both outputs, seconds and megabytes."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([program, "data", path], stdin=subprocess.DEVNULL, stdout=out, stderr=errors)
        killer = threading.Timer(PATIENCE, process.kill)
        killer.start()
        _, status, used = os.wait4(process.pid, 0)
        killer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), errors.seek(0)
        return (process.returncode, out.read().decode(errors="replace"), errors.read().decode(errors="replace"),
                used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def wrong_with(case, status, out, errors, seconds, megabytes):
    """What is wrong, in a sentence; "" if nothing is."""
    if status not in (0, 1, 2):
        return f"it ended with {status}"
    if seconds > MOST_SECONDS or megabytes > MOST_MEGABYTES:
        return f"it took {seconds:.1f} s and {megabytes:.0f} MB"
    told = errors.splitlines()
    if status != 0:
        if len(told) != 1 or not told[0].startswith("kinescope: error: ") or "unexpectedly" in told[0]:
            return f"not one line of error: {errors[:300]!r}"
        return f"it was refused: {told[0]}" if case.verdict == ACCEPTED else ""
    if case.verdict == REFUSED:
        return "it was accepted: " + " ".join(out.split()[:12])
    shape = {line.split()[0]: line.split()[1] for line in out.splitlines()[:4] if line.startswith(("rows ", "columns "))}
    if "first rows" not in out:
        return "it shows no rows"
    if case.rows is not None and shape.get("rows") != str(case.rows):
        return f"expected {case.rows} rows, found {shape.get('rows')}"
    shown_rows = out.split("\nfirst rows\n")[1].split("\n\n")[0].splitlines()[1:]
    found = [row.split() for row in shown_rows]
    if case.first is not None and found != case.first[:len(found)]:
        return f"expected {case.first}, found {found}"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--keep")
    parser.add_argument("part", nargs="?", default="")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = arguments.keep or folder
        os.makedirs(folder, exist_ok=True)
        chosen = {case.name: case for case in cases() if arguments.part in case.name}

        def judge(case):
            path = os.path.join(folder, case.name)
            with open(path, "wb") as file:
                file.write(case.data)
            result = opened(arguments.program, path)
            if not arguments.keep:
                os.remove(path)
            return result, wrong_with(case, *result)

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(zip(chosen.values(), pool.map(judge, chosen.values())))
    failed = [(case, wrong) for case, (_, wrong) in results if wrong]
    for case, wrong in failed:
        print(f"{case.name}: {wrong}")
    accepted = sum(result[0] == 0 for _, (result, _) in results)
    slowest = max(results, key=lambda each: each[1][0][3])
    largest = max(results, key=lambda each: each[1][0][4])
    print(f"{len(results)} hostile files: {accepted} accepted, {len(results) - accepted} refused, {len(failed)} failed; at most "
          f"{slowest[1][0][3]:.1f} s ({slowest[0].name}) and {largest[1][0][4]:.0f} MB ({largest[0].name})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
