"""From the text of a config to YAML nodes, within bearable bounds. Nothing here knows a key.

Values are read from the nodes, not by PyYAML's constructors: these take the last of duplicate
keys, read 010 as 8, 1:30 as 90 and ``no`` as false, and forget where a value stood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from arena.tournament.config.document import Document, KeyPlace, Spot, spot
from arena.tournament.config.yaml_errors import MAX_DEPTH, explain
from arena.tournament.config.yaml_scalars import TAG, got, is_null, wrong_tag
from arena.tournament.config.yaml_source import read_text

MAX_VALUES = 100_000
"""Most values a file may stand for, aliases followed."""
MAX_CHARACTERS = 10_000_000
"""Most text a file may stand for, aliases followed."""

_MERGE = TAG + "merge"
_NO_SPACE = re.compile(r"\w+:\S")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_nodes(path: Path, shown: str, *, whole: str) -> tuple[Document, yaml.Node]:
    """Read a file that must be YAML of a bearable size and return its root node.

    `whole` is what to say of an empty one: what could stand there.

    Raises `UserError` if the file cannot be read at all, `ConfigError` with the place if its
    text is no YAML.
    """
    text = read_text(path, shown)
    document = Document(shown, text)
    try:
        root = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        where, why = explain(error, document.lines)
    except RecursionError:
        where, why = Spot(1, 1), f"is nested more than {MAX_DEPTH} levels deep"
    else:
        if root is not None and not is_null(root):
            return document, _bearable(root, document)
        where, why = Spot(1, 1), f"is empty; {whole}"
    document.report(where, (), why)
    raise document.error()


def _bearable(root: yaml.Node, document: Document) -> yaml.Node:
    try:
        _Size().add(root)
    except _ExcessError as excess:
        document.report(excess.where, (), excess.text)
        raise document.error() from None
    return root


class _ExcessError(Exception):
    """Where and why a file stands for more than is bearable."""

    def __init__(self, where: Spot, text: str) -> None:
        self.where = where
        self.text = text
        super().__init__(text)


class _Size:
    """Measures what a node stands for; aliases count as often as they stand in the file."""

    def __init__(self) -> None:
        self._values = 0
        self._characters = 0
        self._around: list[yaml.Node] = []

    def add(self, node: yaml.Node) -> None:
        """Add a node and all in it; raises `_ExcessError`."""
        self._values += 1
        if isinstance(node, yaml.ScalarNode):
            self._characters += len(node.value)
        if self._values > MAX_VALUES or self._characters > MAX_CHARACTERS:
            most = f"{MAX_VALUES} values or {MAX_CHARACTERS} characters"
            raise _ExcessError(Spot(1, 1), f"stands for more than {most}")
        if isinstance(node, yaml.CollectionNode):
            self._add_parts(node)

    def _add_parts(self, node: yaml.CollectionNode) -> None:
        if any(node is other for other in self._around):
            raise _ExcessError(spot(node), "an alias (*) in this leads back to it")
        if len(self._around) == MAX_DEPTH:
            raise _ExcessError(spot(node), f"is nested more than {MAX_DEPTH} levels deep")
        self._around.append(node)
        for part in node.value:
            for child in part if isinstance(node, yaml.MappingNode) else (part,):
                self.add(child)
        self._around.pop()


def is_list(node: yaml.Node) -> bool:
    """Whether a node is a list, and nothing else by a tag of its own."""
    return isinstance(node, yaml.SequenceNode) and node.tag == TAG + "seq"


def is_mapping(node: yaml.Node) -> bool:
    """Whether a node is a mapping, and nothing else by a tag of its own."""
    return isinstance(node, yaml.MappingNode) and node.tag == TAG + "map"


def unexpected(node: yaml.Node, expected: str) -> str:
    """Say that something else than this node is expected."""
    is_odd = isinstance(node, yaml.CollectionNode) and not (is_list(node) or is_mapping(node))
    if is_odd or not node.tag.startswith(TAG):
        return wrong_tag(node)
    hint = ""
    if expected.startswith("a mapping") and isinstance(node, yaml.ScalarNode):
        hint = "; write a space behind the colon" * bool(_NO_SPACE.match(node.value))
    return f"expected {expected}, got {got(node)}{hint}"


def has_merge(node: yaml.MappingNode) -> bool:
    """Whether keys of another mapping are meant to be among those of this one."""
    return any(name.tag == _MERGE for name, _ in node.value)


def entries(
    node: yaml.MappingNode, place: KeyPlace
) -> Iterator[tuple[str, yaml.ScalarNode, yaml.Node]]:
    """(Name, its node, value) of each key, reporting those that are doubled or no names.

    A name is taken as it is written, whatever else YAML takes it for.
    """
    seen: dict[str, Spot] = {}
    for name, value in node.value:
        if not isinstance(name, yaml.ScalarNode):
            hint = "; put text that begins with { in quotes" * isinstance(name, yaml.MappingNode)
            place.wrong(name, f"expected a key, got {got(name)}{hint}")
        elif name.tag == _MERGE:
            place.wrong(name, "merging with << is not supported; write the keys out")
        elif not name.tag.startswith(TAG):
            place.wrong(name, wrong_tag(name))
        else:
            if name.value in seen:
                text = f"duplicate key; the first is on line {seen[name.value].line}"
                place.below(name.value).wrong(name, text)
            seen.setdefault(name.value, spot(name))
            yield name.value, name, value
