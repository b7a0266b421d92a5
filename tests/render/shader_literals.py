"""Finds integer literals among the floating-point arguments of GLSL's built-in functions.

NVIDIA's compiler calls smoothstep(0, 0.08, t) ambiguous; Mesa and glslangValidator accept it. So shaders write `0.0`.

  shader_literals.py FOLDER         prints FILE:LINE and the call for each, and fails if there is one
  shader_literals.py FOLDER --mend  appends ".0" to each of these literals
  shader_literals.py --self-test
"""

import pathlib
import re
import sys

FLOATING_ONLY = set(
    "acos acosh asin asinh atan atanh ceil cos cosh cross degrees distance dot exp exp2 faceforward floor fma fract "
    "inversesqrt length log log2 mix mod normalize pow radians reflect refract round roundEven sin sinh smoothstep sqrt "
    "step tan tanh trunc dFdx dFdy fwidth packUnorm2x16 packUnorm4x8 packSnorm2x16 packSnorm4x8 packHalf2x16".split())
ALSO_INTEGER = {"abs", "clamp", "max", "min", "sign"}
FLOATING_RESULT = FLOATING_ONLY | set(
    "float vec2 vec3 vec4 mat2 mat3 mat4 mat3x2 texture textureLod textureGrad textureLodOffset texelFetch "
    "uintBitsToFloat intBitsToFloat unpackUnorm4x8 unpackUnorm2x16 unpackSnorm4x8 unpackHalf2x16".split())
INTEGER_RESULT = set(
    "int uint ivec2 ivec3 ivec4 uvec2 uvec3 uvec4 textureSize imageSize floatBitsToInt floatBitsToUint bitCount findMSB "
    "findLSB atomicAdd atomicMax atomicMin atomicOr atomicExchange atomicCompSwap bitfieldExtract".split())
FLOATING_TYPE = re.compile(r"float|vec[234]|mat[234](x[234])?")
INTEGER_TYPE = re.compile(r"int|uint|[iu]vec[234]|u?int64_t|bool|bvec[234]")
INTEGER_LITERAL = re.compile(r"[-+]?\s*[0-9]+")
DECLARATION = re.compile(
    r"\b(float|int|uint|bool|[iub]?vec[234]|mat[234](?:x[234])?|u?int64_t)(?:\s*\[\s*\w*\s*\])?\s+(\w+[^;(){}]*(?:\([^;]*)?)")
TOKEN = re.compile(r"\d*\.\d+(?:[eE][-+]?\d+)?|\d+\.(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|0x[0-9a-fA-F]+u?|\d+u?|\w+|\S")


def without_comments(text):
    """Replaces comments by blanks, so that positions in the text stay the same."""
    blank = lambda found: re.sub(r"[^\n]", " ", found.group())
    return re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.DOTALL)


def closing(text, opening):
    depth = 0
    for place in range(opening, len(text)):
        if text[place] in "([":
            depth += 1
        elif text[place] in ")]":
            depth -= 1
            if depth == 0:
                return place
    return len(text)


def arguments(text, opening, end):
    """(begin, end) of each argument between the parentheses."""
    depth, begin, found = 0, opening + 1, []
    for place in range(opening + 1, end):
        if text[place] in "([{":
            depth += 1
        elif text[place] in ")]}":
            depth -= 1
        elif text[place] == "," and depth == 0:
            found.append((begin, place))
            begin = place + 1
    return found + [(begin, end)]


def declared(text):
    """name -> the kinds ("float", "integer") with which it is declared; includes functions' results and members."""
    kinds = {}

    def note(name, type_name):
        kind = "float" if FLOATING_TYPE.fullmatch(type_name) else "integer" if INTEGER_TYPE.fullmatch(type_name) else "?"
        kinds.setdefault(name, set()).add(kind)

    for found in DECLARATION.finditer(text):
        type_name, rest = found.groups()
        depth, fresh = 0, True
        for token in TOKEN.findall(rest):
            if token in "([{":
                depth += 1
            elif token in ")]}":
                depth -= 1
                if depth < 0:
                    break
            elif depth == 0 and token == ",":
                fresh = True
            elif depth == 0 and fresh and re.fullmatch(r"[A-Za-z_]\w*", token):
                if FLOATING_TYPE.fullmatch(token) or INTEGER_TYPE.fullmatch(token) or token in ("in", "out", "inout", "const"):
                    break  # the next parameter of a function
                note(token, type_name)
                fresh = False
    # Parameters, each with a type of its own, and declarations that the pattern above has consumed.
    for found in re.finditer(r"\b(float|int|uint|bool|[iub]?vec[234]|mat[234](?:x[234])?)\s+(\w+)\s*(?=[,)\[=;(])", text):
        note(found.group(2), found.group(1))
    return kinds


def kind_of(expression, kinds):
    """"float", "integer", or "" if the kind cannot be told from the text."""
    tokens = [(found.group(), found.start()) for found in TOKEN.finditer(expression)]
    seen, skip_until, member = set(), -1, False
    for index, (token, place) in enumerate(tokens):
        if place < skip_until:
            continue
        after = expression[place + len(token):].lstrip()[:1]
        before = tokens[index - 1][0] if index else ""
        if before == ".":  # a swizzle has the kind of its vector; a member has its own
            if re.fullmatch(r"[xyzwrgba]{1,4}", token):
                continue
            seen |= kinds.get(token, {"?"})
            continue
        if token == "[":
            skip_until = closing(expression, place)
        elif re.fullmatch(r"\d*\.\d+.*|\d+\..*|\d+[eE].*", token):
            seen.add("float")
        elif re.fullmatch(r"(0x[0-9a-fA-F]+|\d+)u", token):
            seen.add("integer")
        elif re.fullmatch(r"[A-Za-z_]\w*", token):
            opening = expression.find("(", place)
            if after == "(":
                end = closing(expression, opening)
                if token in FLOATING_RESULT:
                    seen.add("float")
                elif token in INTEGER_RESULT:
                    seen.add("integer")
                elif token in ALSO_INTEGER:
                    seen |= {kind_of(expression[a:b], kinds) or "?" for a, b in arguments(expression, opening, end)
                             if not INTEGER_LITERAL.fullmatch(expression[a:b].strip())}
                else:
                    seen |= kinds.get(token, {"?"})
                skip_until = end
            elif after == "." and re.match(r"\.\s*(?![xyzwrgba]{1,4}\b)[A-Za-z_]", expression[place + len(token):].lstrip()):
                continue  # the kind is that of the member
            else:
                seen |= kinds.get(token, {"?"})
    if "float" in seen and "integer" not in seen:
        return "float"
    if seen == {"integer"}:
        return "integer"
    return ""


def faults(text, kinds):
    """(begin, end, call) of each literal that needs a point; `kinds` as from declared()."""
    found = []
    for call in re.finditer(r"(?<![\w.])(\w+)\s*\(", text):
        name, opening = call.group(1), call.end() - 1
        if name not in FLOATING_ONLY and name not in ALSO_INTEGER:
            continue
        if name in kinds:  # a function of the shader's own
            continue
        end = closing(text, opening)
        parts = arguments(text, opening, end)
        literals = [(a, b) for a, b in parts if INTEGER_LITERAL.fullmatch(text[a:b].strip())]
        others = [text[a:b] for a, b in parts if (a, b) not in literals]
        if name in ALSO_INTEGER and not any(kind_of(other, kinds) == "float" for other in others):
            continue
        found += [(a, b, text[call.start():end + 1]) for a, b in literals]
    return found


def included(path, folder, known):
    if path in known:
        return ""
    known.add(path)
    text = without_comments(path.read_text())
    for name in re.findall(r'#include\s+"([^"]+)"', path.read_text()):
        text += included(folder / name, folder, known)
    return text


def main(folder, mend):
    failures = 0
    for path in sorted(folder.rglob("*.glsl")):
        kinds = declared(included(path, folder, set()))
        text = path.read_text()
        wrong = faults(without_comments(text), kinds)
        failures += len(wrong)
        if not mend:
            for begin, _, call in wrong:
                print(f"{path}:{text.count(chr(10), 0, begin) + 1}: an integer among floating-point arguments: "
                      f"{' '.join(call.split())}")
            continue
        for begin, end, _ in sorted(set(wrong), reverse=True):
            argument = text[begin:end]
            text = text[:begin] + argument.rstrip() + ".0" + argument[len(argument.rstrip()):] + text[end:]
        if wrong:
            path.write_text(text)
    return 1 if failures and not mend else 0


def self_test():
    kinds = declared("float t; ivec2 cell; uint n; struct S { float height; int rows; }; S s; vec3 at(int i) { }")
    count = lambda text: len(faults(text, kinds))
    assert count("smoothstep(0, 0.08, t)") == 1
    assert count("smoothstep(0.0, 1.0, t)") == 0
    assert count("clamp(t, 0, 1)") == 2
    assert count("clamp(cell.x, 0, 1)") == 0
    assert count("max(n, 1u)") == 0 and count("max(int(t), 1)") == 0
    assert count("max(s.height, 0)") == 1 and count("max(s.rows, 0)") == 0
    assert count("max(at(3).x, 0)") == 1
    assert count("mix(1, 2, pow(t, 2))") == 3
    assert count("min(max(t - 1, 0), 1)") == 2
    assert count("max(at(cell.x).y * 2, - 1)") == 1
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    sys.exit(main(pathlib.Path(sys.argv[1]), "--mend" in sys.argv[2:]))
