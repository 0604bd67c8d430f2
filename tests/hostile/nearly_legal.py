r"""Plays what looks like a legal action but is another text.

games: 10
forfeits: all=illegal
starts: 1
"""

import raw


def other(change):
    def misdeed(answers, bad):
        answers[bad]["action"] = change(answers[bad]["action"])

    return misdeed


raw.play(
    [
        other(str.upper),
        other(lambda action: action + " "),
        other(lambda action: action + "\x00"),
        other(lambda action: action + "\u200b"),
        other(lambda action: "\ufeff" + action),
        other(lambda action: action[0] + "\xad" + action[1:]),
        other(lambda action: "".join(chr(ord(letter) + 0xFEE0) for letter in action)),
        other(lambda action: action.replace("a", "\u0430").replace("c", "\u0441") + "\u0301"),
        other(lambda _: ""),
        other(lambda action: action * 3),
    ]
)
