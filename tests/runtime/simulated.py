"""A job played without sockets, processes or clocks: seats, links, tables and referees are real.

Each bot is simulated: it reads the very frames that would be sent, and either answers all of one's
decisions or loses its process. It checks what it is told as an honest bot would trust it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from jobs import bot, by_board, job

from arena import rules
from arena.protocol.messages import Act, Decide, Fail
from arena.referee.fault import Fault, FaultKind
from arena.referee.record import Forfeit, GameRecord
from arena.runtime.executor import JobResult
from arena.runtime.link import BotLink, Ready
from arena.runtime.peer import Lost, Peer, Replies
from arena.runtime.seat import Seat
from arena.runtime.tables import Tables

Key = tuple[int, int]
"""(Number of the game, seq of the decision)."""
LOSES_PROCESS: dict[str, FaultKind] = {
    "crash": "crash",
    "hang": "timeout",
    "garble": "malformed",
    "flood": "flood",
}
KINDS: dict[str, FaultKind] = {**LOSES_PROCESS, "illegal": "illegal", "fail": "crash"}
"""Of all misdeeds."""
NO_START = Fault("no_start", "exited 1 before hello")


class SimulatedBot:
    """Answers by a fixed choice, but for the decisions of `bad`.

    A misdeed is `illegal`, `fail` or one of `LOSES_PROCESS`; of `once` each happens only the first
    time that its decision is asked.
    """

    def __init__(
        self,
        bad: dict[Key, str] | None = None,
        once: dict[Key, str] | None = None,
        *,
        elapsed_us: int = 1,
        max_tables: int = 64,
    ) -> None:
        self.bad = bad or {}
        self.once = dict(once or {})
        self.losses: list[str] = []
        self.frames: list[list[Key]] = []
        """The decisions of each frame."""
        self.ends: dict[int, str] = {}
        """What it was told of how its games ended."""
        self.processes = 0
        self.max_tables = max_tables
        self.elapsed_us = elapsed_us
        """What each frame takes."""

    def begin(self) -> None:
        self.processes += 1
        self._games: dict[int, int] = {}
        self._ended: set[int] = set()

    def hear(self, frame: bytes, asked: Sequence[Decide[Any]]) -> Replies | Lost:
        keys = list(self._read(frame))
        assert len(keys) == len(asked)
        self.frames.append(keys)
        misdeeds = [self.once.pop(key, None) or self.bad.get(key) for key in keys]
        for misdeed in misdeeds:
            if misdeed in LOSES_PROCESS:
                self.losses.append(misdeed)
                return Lost(Fault(LOSES_PROCESS[misdeed], misdeed), tuple(asked))
        answers = map(self._answer, asked, keys, misdeeds)
        return Replies(tuple(answers), self.elapsed_us)

    def _read(self, frame: bytes) -> Iterator[Key]:
        for message in json.loads(frame):
            table = message["table"]
            match message["type"]:
                case "game_start":
                    assert table == len(self._games), "tables are numbered from 0"
                    self._games[table] = message["bot_seed"]
                case "game_end":
                    assert table in self._games
                    assert table not in self._ended
                    self._ended.add(table)
                    self.ends[self._games[table]] = message["ended"]
                case "decide":
                    assert table in self._games, "a decision of a game that was never begun"
                    assert table not in self._ended
                    yield self._games[table], message["seq"]

    def _answer(self, decide: Decide[Any], key: Key, misdeed: str | None) -> Act | Fail:
        if misdeed == "fail":
            return Fail(decide.table, decide.seq, "gave up")
        legal = decide.legal
        chosen = "nonsense" if misdeed == "illegal" else legal[sum(key) * 7 % len(legal)]
        return Act(decide.table, decide.seq, chosen)


class SimulatedPeer:
    """What a seat needs of a peer: a link that is fresh with each process."""

    def __init__(self, name: str) -> None:
        self.spec = bot(name)
        self.is_alive = False
        self.max_tables = 1
        self.asked: Sequence[Decide[Any]] = ()
        self.link = self._new_link()

    def take_cpu_us(self) -> int:
        return 0

    def _new_link(self) -> BotLink:
        return BotLink(token="t" * 32, bot=self.spec.name, params={})

    def start(self, max_tables: int = 64) -> Ready:
        self.link = self._new_link()
        hello = {"type": "hello", "token": "t" * 32, "protocol": 1, "max_tables": max_tables}
        assert self.link.greets(json.dumps([hello]).encode()) == "ours"
        ready = self.link.receive(b"[]")
        assert isinstance(ready, Ready)
        self.max_tables = self.link.max_tables
        self.is_alive = True
        return ready


def new_seat(number: int) -> tuple[Seat, SimulatedPeer]:
    peer = SimulatedPeer(f"{'ab'[number]}@1")
    return Seat(number, cast("Peer", peer)), peer


class Simulation:
    """One job under way; `play` plays it to its end."""

    def __init__(self, bots: Sequence[SimulatedBot], count: int, tables: int | None) -> None:
        self.bots = bots
        self.seats, self.peers = zip(*(new_seat(n) for n in range(2)), strict=True)
        wanted = job([peer.spec for peer in self.peers], count, tables=tables)
        known = rules.load(wanted.variant, wanted.options)
        self.marks = bytearray(count)
        self.tables = Tables(wanted, known, self.seats, self.marks, lag_ns=lambda: 0)
        self.starts: list[list[bool]] = [[], []]
        """By seat: whether its next processes become ready; those that follow do."""
        self.before_turn: Callable[[Simulation], None] = lambda _: None
        self.before_answer: Callable[[Simulation], None] = lambda _: None

    def play(self) -> dict[int, GameRecord]:
        """Return the records by the number of their game."""
        for _ in range(10_000):
            if not self.tables.to_come and not self.tables.are_open:
                self.dismiss()
                return by_board(JobResult(tuple(self.tables.records)))
            self.start()
            self.open_tables()
            for number in range(2):
                self.before_turn(self)
                self.turn(number)
        raise AssertionError("the job does not end")

    def dismiss(self) -> None:
        for peer, simulated in zip(self.peers, self.bots, strict=True):
            if peer.is_alive:
                *ends, _bye = json.loads(peer.link.bye("finished"))
                assert list(simulated._read(json.dumps(ends).encode())) == []
                assert simulated._ended == simulated._games.keys(), "it knows how each game ended"

    def start(self) -> None:
        for seat, peer, simulated in zip(self.seats, self.peers, self.bots, strict=True):
            if not peer.is_alive and seat.may_start:
                starts = self.starts[seat.number]
                if starts and not starts.pop(0):
                    self.take(seat, Lost(NO_START, ()))
                    continue
                simulated.begin()
                self.take(seat, peer.start(simulated.max_tables))
                seat.repeat()
            elif seat.is_out:
                self.tables.give_up("it cannot be started")

    def open_tables(self) -> None:
        self.tables.open_more(lambda: True)

    def is_idle(self, number: int) -> bool:
        """Tell whether a bot has a process that owes nothing and is not asked anything."""
        link = self.peers[number].link
        return self.peers[number].is_alive and link.phase == "idle" and not link._waiting

    def turn(self, number: int) -> None:
        """Let a bot answer its next frame, if it is its turn and it has a process."""
        peer, seat = self.peers[number], self.seats[number]
        turn = peer.link.next_frame() if peer.is_alive else None
        if turn is None:
            return
        peer.asked = turn[1]
        self.before_answer(self)
        heard = self.bots[number].hear(*turn)
        peer.asked = ()
        if isinstance(heard, Replies):
            peer.link.receive(json.dumps([as_json(one) for one in heard.answers]).encode())
        self.take(seat, heard)

    def lose(self, number: int, fault: Fault) -> None:
        """End a bot's process while it owes no answer."""
        self.take(self.seats[number], Lost(fault, ()))

    def take(self, seat: Seat, event: Ready | Replies | Lost) -> None:
        if isinstance(event, Lost):
            self.peers[seat.number].is_alive = False
        self.tables.hear(seat, event)


def as_json(answer: Act | Fail) -> dict[str, Any]:
    kind = "act" if isinstance(answer, Act) else "fail"
    more = {"action": answer.action} if isinstance(answer, Act) else {"detail": answer.detail}
    return {"type": kind, "table": answer.table, "seq": answer.seq, **more}


def lost(records: dict[int, GameRecord], seat: int | None = None) -> dict[int, str]:
    """Return the kinds of the forfeits by game."""
    return {
        game: record.end.fault
        for game, record in sorted(records.items())
        if isinstance(record.end, Forfeit) and seat in {None, record.end.seat}
    }
