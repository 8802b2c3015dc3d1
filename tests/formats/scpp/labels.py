"""Labels of the transition system of a specification, back as the actions that our models have."""

from __future__ import annotations

import json
import re
from typing import Final

_NAME: Final = re.compile(r"^% (\w+) is (\".*\")$", re.MULTILINE)
_VERBS: Final = {
    "call_func": "call",
    "return_func": "return",
    "throw_func": "throw",
    "load_comm": "load",
    "store_comm": "store",
}

Tree = tuple[str, list["Tree"]]


def names_in(text: str) -> dict[str, str]:
    """What identifiers of a specification stand for, as its comments say."""
    return {found[1]: json.loads(found[2]) for found in _NAME.finditer(text)}


def action(label: str, names: dict[str, str]) -> str:
    """The action of ours that a label of mCRL2 is."""
    if label == "tau":
        return label
    head, inner = _tree(label)
    if head in _VERBS:
        _, who, *rest = inner
        parts = [t for tree in rest for t in _texts(tree, names)]
        return f"{_VERBS[head]}({', '.join([names[who[0]], *parts])})"
    if head == "event":
        return names[inner[0][0]]
    if head == "error":
        return f"error({inner[0][0].removeprefix('k_')})"
    if head == "exit_program":
        return f"exit({_texts(inner[0], names)[0]})"
    return label


def _texts(tree: Tree, names: dict[str, str]) -> list[str]:
    head, inner = tree
    match head:
        case "[":
            return [t for each in inner for t in _texts(each, names)]
        case "VoidType":
            return []
        case "Number" | "Boolean":
            return [inner[0][0]]
        case "EnumType":
            return [names[inner[0][0]].rpartition(": ")[2]]
        case "lra":
            variable = names[inner[0][0]].rpartition(".")[2]
            return [f"&{variable}={_texts(inner[1], names)[0]}"]
        case _:
            return [names.get(head, head)]


def _tree(label: str) -> Tree:
    tokens = re.findall(r"-?\d+|[\w']+|[()\[\],]", label)
    tree, rest = _one(tokens)
    assert not rest, label
    return tree


def _one(tokens: list[str]) -> tuple[Tree, list[str]]:
    head, *rest = tokens
    if head == "[":
        inner, rest = _several(rest, "]")
        return ("[", inner), rest
    if rest and rest[0] == "(":
        inner, rest = _several(rest[1:], ")")
        return (head, inner), rest
    return (head, []), rest


def _several(tokens: list[str], end: str) -> tuple[list[Tree], list[str]]:
    found: list[Tree] = []
    while tokens[0] != end:
        if tokens[0] == ",":
            tokens = tokens[1:]
        tree, tokens = _one(tokens)
        found.append(tree)
    return found, tokens[1:]
