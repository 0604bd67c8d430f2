"""What the YAML parser complains of, in plain words and at the place that is to be mended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import yaml

from arena.tournament.config.document import Spot

MAX_DEPTH = 50
"""Deepest nesting of lists and mappings."""


class _Complaint(NamedTuple):
    """One error of the parser."""

    problem: str
    """In the parser's words."""
    at: Spot
    """Where the parser noticed it."""
    began: Spot
    """Where what it was reading began."""
    lines: Sequence[str]

    @property
    def char(self) -> str:
        """What stands where it was noticed; empty behind the end of a line."""
        return self.line(self.at)[self.at.column - 1 :][:1]

    @property
    def opened(self) -> str:
        """What stands where it began."""
        return self.line(self.began)[self.began.column - 1 :][:1]

    @property
    def before(self) -> str:
        """What stands before it in its line, blanks taken off."""
        return self.line(self.at)[: self.at.column - 1].strip()

    def line(self, where: Spot) -> str:
        """Return the line a place is in; empty behind the end of the file."""
        return self.lines[where.line - 1] if where.line <= len(self.lines) else ""

    def is_written(self, line: int) -> bool:
        """Whether there is more than a comment in a line."""
        return self.lines[line - 1].lstrip()[:1] not in ("", "#")

    def indent(self, line: int) -> int:
        """How many blanks a line begins with."""
        return len(self.lines[line - 1]) - len(self.lines[line - 1].lstrip())


def explain(error: yaml.MarkedYAMLError, lines: Sequence[str]) -> tuple[Spot, str]:
    """Say where the text is no YAML and why; `lines` are those of the file."""
    marks = [error.problem_mark or error.context_mark, error.context_mark or error.problem_mark]
    at, began = (Spot(m.line + 1, m.column + 1) if m else Spot(1, 1) for m in marks)
    problem = " ".join(part for part in (error.context, error.problem) if part)
    complaint = _Complaint(problem, at, began, lines)
    for words, say in _KNOWN.items():
        if words in problem:
            return say(complaint)
    return at, f"is not YAML: {problem}"


def _unclosed(it: _Complaint) -> tuple[Spot, str]:
    """Point at the bracket if it is on another line: it is missing its end, not this line."""
    closing = {"[": "]", "{": "}"}.get(it.opened, "]")
    if it.at.line == it.began.line and it.char:
        return it.at, f"expected , or {closing} here"
    return it.began, f"this {it.opened} has no {closing}, or a comma is missing in it"


def _open_quote(it: _Complaint) -> tuple[Spot, str]:
    return it.began, "this quote is not closed"


def _second_colon(it: _Complaint) -> tuple[Spot, str]:
    if ": " in it.before:
        return it.at, 'a second ":" in one line; put a value that holds one in quotes'
    where = it.at._replace(column=it.indent(it.at.line) + 1)
    above = [line for line in range(1, it.at.line) if it.is_written(line)]
    if above and it.indent(above[-1]) < it.indent(it.at.line):
        return where, "this key is indented more than the one above it"
    return where, 'no key may stand here: the text above it has no ":"'


def _no_colon(it: _Complaint) -> tuple[Spot, str]:
    if ":" in it.line(it.began):
        return it.began, 'write a space behind the ":"'
    return it.began, 'expected a key, ":", a space, and its value'


def _no_space(it: _Complaint) -> tuple[Spot, str]:
    return it.at, 'expected a space behind this ":"'


def _no_key(it: _Complaint) -> tuple[Spot, str]:
    if it.before:
        return it.at, "nothing may follow the end of a value; put all of it in quotes"
    if it.char == "-":
        return it.at, "a part of a list where a key is due; indent lists alike"
    return it.at, "is not indented like the keys above it"


def _no_dash(it: _Complaint) -> tuple[Spot, str]:
    return it.at, 'expected a part of the list, beginning with "- " below the others'


def _list_in_line(it: _Complaint) -> tuple[Spot, str]:
    return it.at, 'a list of "- " begins on a line of its own; in one line write [a.py, b.py]'


def _tab(it: _Complaint) -> tuple[Spot, str]:
    return it.at, "a tab; YAML is indented with spaces"


def _no_token(it: _Complaint) -> tuple[Spot, str]:
    if it.char == "\t":
        return _tab(it)
    return it.at, f"no value may begin with {it.char}; put it in quotes"


def _star(it: _Complaint) -> tuple[Spot, str]:
    return it.began, f'no text may begin with {it.opened}; put it in quotes: "{it.opened}..."'


def _alias(it: _Complaint) -> tuple[Spot, str]:
    return it.at, "there is no & to which this * leads; put text that begins with * in quotes"


def _tag(it: _Complaint) -> tuple[Spot, str]:
    return it.began, "text that begins with ! must be in quotes"


def _escape(it: _Complaint) -> tuple[Spot, str]:
    if "invalid Unicode" in it.problem:
        return it.at, "no character has this number; write the character itself"
    return it.at, "this \\ stands for nothing; put the text in single quotes, or write \\\\"


def _directive(it: _Complaint) -> tuple[Spot, str]:
    return it.began, "no line may begin with %"


def _second_document(it: _Complaint) -> tuple[Spot, str]:
    return it.at, "a second document; a config is one, so remove this ---"


def _after_end(it: _Complaint) -> tuple[Spot, str]:
    return it.at, "nothing may follow the end of the config"


def _no_value(it: _Complaint) -> tuple[Spot, str]:
    return it.at, f"expected a value, got {it.char or 'the end of the file'}"


def _question(it: _Complaint) -> tuple[Spot, str]:
    return it.at, 'text that begins with "? " must be in quotes'


def _block_text(it: _Complaint) -> tuple[Spot, str]:
    return it.began, f"text that begins with {it.opened} must be in quotes"


def _too_deep(it: _Complaint) -> tuple[Spot, str]:
    return it.at, f"is nested more than {MAX_DEPTH} levels deep"


def _second_anchor(it: _Complaint) -> tuple[Spot, str]:
    return it.at, f"an anchor of this name stands on line {it.began.line} already"


_KNOWN: dict[str, Callable[[_Complaint], tuple[Spot, str]]] = {
    "did not find expected ',' or": _unclosed,
    "while scanning a quoted scalar": _open_quote,
    "mapping values are not allowed": _second_colon,
    "could not find expected ':'": _no_colon,
    "found unexpected ':'": _no_space,
    "did not find expected key": _no_key,
    "did not find expected '-' indicator": _no_dash,
    "block sequence entries are not allowed": _list_in_line,
    "found a tab character": _tab,
    "cannot start any token": _no_token,
    "while scanning an alias": _star,
    "while scanning an anchor": _star,
    "found undefined alias": _alias,
    "found duplicate anchor": _second_anchor,
    "while scanning a tag": _tag,
    "while parsing a tag": _tag,
    "undefined tag handle": _tag,
    "while parsing a quoted scalar": _escape,
    "directive": _directive,
    "found incompatible YAML document": _directive,
    "mapping keys are not allowed": _question,
    "while scanning a block scalar": _block_text,
    "exceeded maximum nesting depth": _too_deep,
    "but found another document": _second_document,
    "did not find expected <document start>": _after_end,
    "did not find expected node content": _no_value,
}
"""By some of the parser's own words; the first that fit count."""
