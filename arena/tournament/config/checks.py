"""What must be right between several keys of a config, or needs knowledge of variants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import UNSET

from arena import rules
from arena.ratings.scale import MOST_APART
from arena.text import closest, did_you_mean
from arena.tournament.config.bot_yaml import check_bot
from arena.tournament.config.document import Document
from arena.tournament.config.entry import BotEntry
from arena.tournament.config.keys import BotKeys, ConfigKeys, Rating, SprtKeys
from arena.tournament.schedule import SEATS, number_of_games

FEWEST_BOTS = 2
_NAME_BYTES = 200
_MOST_OPTIONS = 100
_MOST_GAMES = 100_000_000
"""Of one tournament: each takes a byte of the coordinator's memory."""


def check_keys(keys: ConfigKeys, name: str, document: Document) -> None:
    """Report what is wrong whatever bots there are; `name`: of the tournament."""
    _check_long_forms(keys, document)
    _check_name(name, document, "" if keys.name is not None else "the name of this file ")
    _check_variant(keys, document)
    _check_pondering(keys, document)
    _check_rating(keys.rating, document)
    _check_sprt(keys.stop.sprt, document)


def check_bots(keys: ConfigKeys, bots: Sequence[BotEntry], document: Document) -> None:
    """Report what is wrong with these `bots` taking part."""
    _check_names(keys, bots, document)
    _check_number(keys, bots, document)
    _check_games(keys.boards, len(bots), document)


def _check_long_forms(keys: ConfigKeys, document: Document) -> None:
    for number, given in enumerate(keys.bots or ()):
        if isinstance(given, BotKeys):
            check_bot(given, ("bots", number), document)


def _check_pondering(keys: ConfigKeys, document: Document) -> None:
    """Refuse several games at once where the bot that is not to move stands still."""
    if keys.pondering == "suspend" and (keys.tables or 1) > 1:
        text = "pondering: suspend plays one game at a time; write 1, or leave it out"
        document.report_value(("tables",), text)


def _check_name(name: str, document: Document, what: str) -> None:
    """Refuse a tournament's name that cannot be a folder's; `what` goes before the reason."""
    wrong = {
        "begins with a dot": name[0] == ".",
        "holds a /": "/" in name,
        "holds what cannot be seen": not name.isprintable() or name.isspace(),
        f"is longer than {_NAME_BYTES} bytes": len(name.encode()) > _NAME_BYTES,
    }
    reasons = " and ".join(text for text, is_so in wrong.items() if is_so)
    if reasons:
        document.report_value(("name",), f"{what}{reasons}; it names the results folder")


def _check_variant(keys: ConfigKeys, document: Document) -> None:
    """Check variant and options; go on with a misspelt variant as if it were right."""
    name: str | None = keys.variant
    if keys.variant not in rules.names():
        name = closest(keys.variant, rules.names())
        hint = f'did you mean "{name}"?' if name else f"variants are {', '.join(rules.names())}"
        document.report_value(("variant",), f'there is no variant "{keys.variant}"; {hint}')
    if name is None:
        return
    seats = rules.load(name).seats
    if seats != SEATS:
        text = f"has {seats} seats; tournaments are for variants with {SEATS}"
        document.report_value(("variant",), text)
    _check_options(name, keys.options, document)


def _check_options(variant: str, options: Mapping[str, Any], document: Document) -> None:
    known = rules.load(variant).options.__struct_fields__
    if len(options) > _MOST_OPTIONS:
        text = f"holds {len(options)} options; {variant} has {len(known)}"
        document.report_value(("options",), text)
        return
    for problem in rules.check(variant, options):
        if problem.key in known:
            document.report_value(("options", problem.key), problem.text)
            continue
        document.report_key(("options", problem.key), problem.text)
        guess = closest(problem.key, known)
        if guess and guess not in options:
            for other in rules.check(variant, {guess: options[problem.key]}):
                document.report_value(("options", problem.key), other.text)


def _check_rating(rating: Rating, document: Document) -> None:
    if rating.anchor:
        _check_distance(rating.anchor, document)
    if rating.anchor and document.has(("rating", "mean")):
        document.report_key(("rating", "anchor"), "give either mean or anchor, not both")


def _check_sprt(sprt: SprtKeys | None, document: Document) -> None:
    """Refuse a test that cannot be made, as far as its keys are right for themselves."""
    if sprt is None:
        return
    if sprt.a == sprt.b and sprt.a is not UNSET:
        document.report_value(("stop", "sprt", "b"), "is `a` too; a test is between two bots")
    elo0, elo1 = sprt.elo0, sprt.elo1
    if isinstance(elo0, float) and isinstance(elo1, float) and elo0 >= elo1:
        text = f"must be more than elo0, which is {elo0:.9g}"
        document.report_value(("stop", "sprt", "elo1"), text)


def _check_names(keys: ConfigKeys, bots: Sequence[BotEntry], document: Document) -> None:
    """Report what is no bot's name and should be, unless it may be that of a bot that is wrong."""
    written = keys.bots or ()
    if any(_is_nameless(given) for given in written):
        return
    given_names = (given.name for given in written if isinstance(given, BotKeys))
    names = dict.fromkeys([*(bot.name for bot in bots), *filter(None, given_names)])
    for name in keys.rating.anchor:
        if name not in names:
            document.report_key(("rating", "anchor", name), _no_bot(name, names))
    sprt = keys.stop.sprt
    tested = {} if sprt is None else {"a": sprt.a, "b": sprt.b}
    for key, bot in tested.items():
        if isinstance(bot, str) and bot not in names:
            document.report_value(("stop", "sprt", key), _no_bot(bot, names))


def _no_bot(name: str, names: Iterable[str]) -> str:
    hint = did_you_mean(name, names) or f"bots are {', '.join(names)}"
    return f"no bot has this name; {hint}"


def _is_nameless(given: object) -> bool:
    """Whether a bot is so wrong that its name is not known."""
    return given is UNSET or (
        isinstance(given, BotKeys) and given.path is UNSET and given.name is None
    )


def _check_distance(anchors: Mapping[str, float], document: Document) -> None:
    lowest, highest = min(anchors, key=anchors.__getitem__), max(anchors, key=anchors.__getitem__)
    apart = anchors[highest] - anchors[lowest]
    if apart > MOST_APART:
        text = f"is {apart:.9g} above {lowest}; anchors may be {MOST_APART} apart at most"
        document.report_value(("rating", "anchor", highest), text)


def _check_number(keys: ConfigKeys, bots: Sequence[BotEntry], document: Document) -> None:
    """One bot more may be wrong and have been reported: only what is written counts here."""
    written = keys.bots
    if written is UNSET or UNSET in written or keys.submissions is not None:
        return
    number = max(len(written), len(bots))
    if number < FEWEST_BOTS:
        here = "there is one" if number else "there is none"
        document.report_value(("bots",), f"a tournament needs two bots and {here}")


def _check_games(boards: int, bots: int, document: Document) -> None:
    games = number_of_games(bots, boards)
    if games > _MOST_GAMES:
        text = f"makes {games} games of {bots} bots; a tournament may have {_MOST_GAMES}"
        document.report_value(("boards",), text)
