"""What a person types, understood: pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from arena.report import guides, mistakes
from arena.report.guides import Choice
from arena.text import visible

Kind = Literal["help", "hint", "undo", "save", "quit", "end", "action", "nothing", "refused"]
COMMANDS: dict[str, Kind] = {
    "?": "help",
    "help": "help",
    "h": "hint",
    "hint": "hint",
    "u": "undo",
    "undo": "undo",
    "s": "save",
    "save": "save",
    "q": "quit",
    "quit": "quit",
    "exit": "quit",
}
KEYS = "? help   h hint   u undo   s save   q quit"
_MAIN_KEYS = "? help   u undo   q quit"
_MOST_SHOWN = 60


class Typed(NamedTuple):
    """What was meant by a line."""

    kind: Kind
    """``end``: of the input, so that nobody can be asked any more."""
    text: str = ""
    """The action; the file to save to; why there is nothing to be done."""


def understand(line: str, variant: str, view: Any, legal: tuple[str, ...]) -> Typed:
    """Return what is meant by a line typed when `legal` are the actions of the seat with `view`.

    A number is that of a choice; else it is a command, an action in words, or so much of one that
    only one legal action begins so.
    """
    text = " ".join(line.split())
    if not text:
        return Typed("nothing")
    first, _, rest = text.partition(" ")
    command = COMMANDS.get(first.casefold())
    if command is not None and (not rest or command == "save"):
        return Typed(command, rest)
    guide = guides.load(variant)
    choices = guide.choices(view, legal)
    if text.isdecimal() and 1 <= int(text) <= len(choices):
        return _judged(choices[int(text) - 1].action, variant, view, legal)
    folded = text.casefold().replace("\ufe0e", "").replace("\ufe0f", "")
    meanings = guide.meanings(view)
    action = meanings.get(folded, folded)
    if action in legal:
        return Typed("action", action)
    begun = {one for known, one in meanings.items() if known.startswith(folded) and one in legal}
    if len(begun) > 1:
        named = (choice.text for choice in choices if choice.action in begun)
        return Typed("refused", f'"{_shown(text)}" can be {_either(named)}: type more of it.')
    return _judged(begun.pop() if begun else action, variant, view, legal)


def _judged(action: str, variant: str, view: Any, legal: tuple[str, ...]) -> Typed:
    """Let a legal action pass; say why another one is none."""
    if action in legal:
        return Typed("action", action)
    why = mistakes.load(variant)(view, legal, _shown(action)).text
    choices = guides.load(variant).choices(view, legal)
    return Typed("refused", f"{why[:1].upper()}{why[1:]}. {_legal(choices)}   {_MAIN_KEYS}")


def _legal(choices: Sequence[Choice]) -> str:
    """Say which choices are legal, by number and name, such as ``Legal: 2 (9♠).``."""
    legal = [(str(number), one.text) for number, one in enumerate(choices, 1) if one.is_legal]
    numbers, texts = (", ".join(part) for part in zip(*legal, strict=True))
    return f"Legal: {numbers} ({texts})."


def _either(texts: Iterable[str]) -> str:
    return " or ".join(texts)


def _shown(text: str) -> str:
    return visible(text)[:_MOST_SHOWN]
