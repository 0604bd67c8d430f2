"""What `arena check` can find: the codes that `arena explain` shows. Only the table may stand here.

A1.. are illegal answers, A2.. warnings, A3.. faults of the process. A code keeps its meaning for
ever; one that is given up is not used again.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from arena.referee.fault import FaultKind

Severity = Literal["failure", "warning"]


class Code(msgspec.Struct, frozen=True):
    """One kind of finding."""

    code: str
    title: str
    """What the bot does, as the end of a sentence that begins with it."""
    explanation: str
    """What is right, and why."""
    remedy: str
    """What to do about it."""

    @property
    def severity(self) -> Severity:
        """Whether it costs games, or only may."""
        return "warning" if self.code.startswith("A2") else "failure"

    def explained(self) -> Explained:
        """Return it as it is printed."""
        return Explained(self.code, self.severity, self.title, self.explanation, self.remedy)


class Explained(msgspec.Struct, frozen=True):
    """One code, as ``explain --json`` has it."""

    code: str
    severity: Severity
    title: str
    explanation: str
    remedy: str


class Codes(msgspec.Struct, frozen=True):
    """What ``explain --json`` prints."""

    codes: tuple[Explained, ...]
    schema: str = "arena.codes/1"


_ALL = (
    Code(
        "A101",
        "answers with a text that is no action",
        "An action is one of the strings of `legal`, letter by letter: `play:9S`, not `9S`,"
        " `Play:9S` or `play: 9S`.",
        "Return one of `legal` itself instead of building the text anew.",
    ),
    Code(
        "A102",
        "answers with an action of another phase",
        "Each phase has its own actions: `pass` is none of `pick_up`, `discard` and `play`, and"
        " a dealer who was ordered answers `pick_up` or `decline`, not `accept`.",
        "Look at `view.phase` first, and at nothing that was remembered from the last decision.",
    ),
    Code(
        "A103",
        "follows the printed suit of a left bower led",
        "The left bower is a trump in every way. If it is led, trumps are led, and whoever has a"
        " trump plays one. The suit printed on it does not matter.",
        "Ask `view.effective_suit(card)` for the suit of the card led, never its second letter.",
    ),
    Code(
        "A104",
        "takes its own left bower for a card of its printed suit",
        "The left bower belongs to trumps. It follows a lead of trumps, and must if it is the"
        " only trump held; it does not follow the suit printed on it.",
        "Ask `view.effective_suit(card)` for the suit of each card held, never its second letter.",
    ),
    Code(
        "A105",
        "does not take the joker for a trump",
        "The joker (`XX`) is the highest trump. If it is led, trumps are led; who holds it must"
        " play it to trumps if there is no other, and may not play it where another suit can be"
        " followed.",
        "Ask `view.effective_suit(card)`, which knows the joker.",
    ),
    Code(
        "A106",
        "does not follow suit",
        "Whoever has a card of the suit led must play one. Only without any may another be"
        " played, a trump too.",
        "Choose among the cards of `legal`.",
    ),
    Code(
        "A107",
        "plays a card that it no longer holds",
        "A card that was played or laid away is gone. `view.hand` has what is left.",
        "Take the cards from `view.hand` of this very view and keep no hand of your own.",
    ),
    Code(
        "A108",
        "plays the upcard, which is not in its hand",
        "`view.upcard` stays in the view when nobody has it: after `decline`, and after it was"
        " turned down. Only a dealer who took it holds it, and then it is in `view.hand`.",
        "Take the cards from `view.hand` alone.",
    ),
    Code(
        "A109",
        "names a card that it does not hold",
        "Only cards of `view.hand` can be played or laid away.",
        "Take the cards from `view.hand`. Sevens, eights and the joker are only in some decks.",
    ),
    Code(
        "A110",
        "mixes up the seats",
        "The dealer answers the proposed suit with `accept`, the other seat with `order`. Your"
        " seat is `view.seat`, the dealer's `view.dealer`; each pair in `view.trick` and"
        " `view.history` begins with the seat that acted.",
        "Compare `view.dealer` with `view.seat`; do not take 0 for yourself.",
    ),
    Code(
        "A111",
        "discards the upcard where that is not allowed",
        "A dealer who took the upcard lays away one of the five cards dealt, unless the option"
        " `may_discard_upcard` is on. `view.hand` has all six cards then.",
        "Leave `view.upcard` out, or choose among `legal`.",
    ),
    Code(
        "A112",
        "names the suit that was turned down",
        "When both have passed, the proposed suit may not be named any more, unless the option"
        " `may_name_turned_down_suit` is on.",
        "Leave `view.proposed` out, or choose among `legal`.",
    ),
    Code(
        "A113",
        "passes when it may not",
        "With the option `stick_the_dealer`, and after `throw_in_cap` deals in a row that were"
        " thrown in, the dealer must name a suit.",
        "Pass only if `pass` is in `legal`.",
    ),
    Code(
        "A114",
        "plays a card of an earlier deal",
        "Each deal has new cards. A bot keeps one object for a whole game, so what it stored in"
        " one deal is still there in the next.",
        "Take the cards from `view.hand`; whatever you keep, keep it beside `view.deal`.",
    ),
    Code(
        "A115",
        "mixes up tables",
        "A process plays many games at once, and one message asks decisions of several. Asked"
        " alone, by a fresh process, it answers this decision rightly: so the answer belongs to"
        " another table. With the SDK each game has an object of its own; globals and class"
        " attributes are shared by all.",
        "Keep what belongs to a game in `self` (without the SDK: by `table`), or set `max_tables"
        " = 1`.",
    ),
    Code(
        "A116",
        "cannot take up a game in mid-course",
        "After a fault the bot is started afresh and given the running game, whose earlier"
        " decisions the new process has not seen. It answers this decision rightly if it was"
        " asked those first.",
        "Find out from the view what you need: `view.history` has all of this deal.",
    ),
    Code(
        "A117",
        "gives a game up, or raises an exception",
        "What `choose`, `begin` or the program raised costs that game. A message `fail` does the"
        " same.",
        "Read the last line and the place in the file; run the command that reproduces it.",
    ),
    Code(
        "A201",
        "prints to stdout; use stderr",
        "What a bot prints is kept in one bounded log, whichever stream it uses. stdout is for"
        " nothing else, and many programs hold it back until they end, so it stands there in the"
        " wrong order.",
        "Print to stderr (`print(..., file=sys.stderr)`), or use `self.note(...)`, which stands"
        " beside the action in the game record.",
    ),
    Code(
        "A202",
        "answers otherwise when it is asked the same again",
        "Two fresh processes with the same `bot_seed` were asked the same decisions. Where"
        " answers differ no game can be repeated exactly, and a mistake may not show again. That"
        " is allowed, and natural for a bot that thinks until its time is up.",
        "Roll with `self.random`, and do not let answers hang on sets, hashes, threads or the"
        " clock.",
    ),
    Code(
        "A203",
        "answers otherwise when several tables are asked at once",
        "Each decision was legal, but not the one chosen when that game was played alone."
        " Something is shared between tables: a global, a class attribute, a cache.",
        "Keep what belongs to a game in `self` (without the SDK: by `table`).",
    ),
    Code(
        "A204",
        "does not end at `bye`",
        "After the message `bye` nothing comes any more. The arena waits for half a second, then"
        " it kills the process, and what it had not yet written is lost.",
        "Leave the loop at `bye`; end threads and child processes, or make them daemons.",
    ),
    Code(
        "A205",
        "lives on when the arena has gone",
        "If the arena is killed no `bye` comes. Its isolation ends most bots then, but not every"
        " system can, and a bot started by a script of its own is missed.",
        "Wait for messages with a time limit and look now and then whether `getppid()` has"
        " changed; the SDK does that every second.",
    ),
    Code(
        "A206",
        "comes near the limit of time",
        "Of its decisions one in a hundred takes more than half of the limit here. On a busy"
        " machine that can be a timeout, which costs a game.",
        "Look at `self.budget_ms` while thinking, or think less; set `max_tables = 1` if several"
        " decisions in one message are too many.",
    ),
    Code(
        "A207",
        "comes near the limit of memory",
        "All its processes together took more than four fifths of the limit.",
        "Load less, bound what is kept, or ask the organiser for a higher limit.",
    ),
    Code(
        "A208",
        "would use up the time of a game",
        "A game has a limit for all decisions together beside that of each. A game to 10 points has"
        " some 60 decisions of one bot; at this pace their time runs out before it is over.",
        "Think less, or less where there is little to choose: `self.budget_ms` is what is left at"
        " last, when it is too late.",
    ),
    Code(
        "A301",
        "cannot be started",
        "The program must connect to `ARENA_ENDPOINT`, send `hello` with `ARENA_TOKEN`, and"
        " after the `welcome` say that it is ready with an empty frame, within the start limit.",
        "See what it printed. A Python bot ends with `run(...)`; check that its packages are"
        " there.",
    ),
    Code(
        "A302",
        "crashes",
        "The process ended while it was to answer. That costs the game; it is then started afresh.",
        "See what it printed; run the command that reproduces it.",
    ),
    Code(
        "A303",
        "does not answer in time",
        "A decision has a limit, `budget_ms`, and a game has one too. A late answer loses the"
        " game.",
        "Look at `self.budget_ms` while thinking; look for loops that do not end.",
    ),
    Code(
        "A304",
        "answers what is no message",
        "Each frame is one JSON array with exactly one `act` or `fail` for each `decide`.",
        "Compare what it sent with bots/protocol.schema.json, or use the SDK.",
    ),
    Code(
        "A305",
        "sends or starts too much",
        "Answers nobody asked for, too many connections, or more processes and threads than the"
        " limit lost the game (`flood`).",
        "Answer each frame once; end threads and processes before others begin.",
    ),
    Code(
        "A306",
        "takes too much memory",
        "All its processes together took more than the limit, or ended because they got no more.",
        "Load less, and bound what is kept.",
    ),
)

CODES = {one.code: one for one in _ALL}
"""All codes by themselves, in order."""

OF_FAULTS: dict[FaultKind, str] = {
    "no_start": "A301",
    "crash": "A302",
    "timeout": "A303",
    "malformed": "A304",
    "flood": "A305",
    "memory": "A306",
}
"""The code of each fault but ``illegal``, which has many (diagnosis.py)."""
