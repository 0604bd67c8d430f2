"""From a path to the text of a config: what cannot be read, is too large or is no text is said."""

from __future__ import annotations

import re
from pathlib import Path

from arena.errors import ConfigError, UserError
from arena.text import brief, closest, visible
from arena.tournament.config.document import Document, Spot

MAX_BYTES = 1_000_000
"""Largest file that is read."""

_ENDINGS = (".yaml", ".yml")
_BYTE_ORDER_MARKS = {
    b"\xff\xfe\x00\x00": "utf-32",
    b"\x00\x00\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
"""The first four bytes before the first two, of which they are longer forms."""
_STRAY_ZEROS = 3
"""Files with more bytes of zero are no text; fewer may be a mistake in one that is."""
_ZEROS = {" 000": "utf-32-le", "000 ": "utf-32-be", " 0 0": "utf-16-le", "0 0 ": "utf-16-be"}
"""Which of the first four bytes are zero in files that begin with two letters of ASCII."""
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no YAML file may hold as it is."""
_MARKUP = re.compile(r"\s*<[!?a-zA-Z]")


def read_text(path: Path, shown: str) -> str:
    """Return the text of a config.

    Raises `UserError` if the file cannot be read, `ConfigError` with the place if it is no text.
    """
    raw = _read(path, brief(shown))
    coding = _other_coding(raw)
    if coding is not None:
        text = f"is {coding.upper()} text; save the file as UTF-8"
        raise _error(shown, raw.decode(coding, "replace"), 0, text)
    if raw.count(b"\0") > _STRAY_ZEROS:
        raise _error(shown, "", 0, "is no text, so it is no config")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf8(shown, raw, error.start) from error
    forbidden = _FORBIDDEN.search(text)
    if forbidden is not None:
        name = f"U+{ord(forbidden[0]):04X}"
        why = f'the character {name} may not stand in a config; write "\\u{name[2:]}" for it'
        raise _error(shown, text, forbidden.start(), why)
    if path.suffix == ".py":
        raise _error(shown, text, 0, "is a program; a config names it: bots: [a.py, b.py]")
    if _MARKUP.match(text):
        raise _error(shown, text, 0, "is HTML or XML, so it is no config")
    return text


def _read(path: Path, shown: str) -> bytes:
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise UserError(f"{shown}: is neither a file nor a folder, but a device or a pipe")
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise UserError(f"{shown}: {_missing(path)}") from error
    except IsADirectoryError as error:
        raise UserError(f"{shown}: is a folder; {_config_in(path)}") from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UserError(f"{shown}: cannot be read: {why}") from error
    if len(raw) > MAX_BYTES:
        raise UserError(f"{shown}: is larger than {MAX_BYTES} bytes, so it is no config")
    return raw


def _missing(path: Path) -> str:
    """Say that there is no such file and, if one is named much like it, which."""
    if path.is_symlink():
        return f"is a link to {visible(str(path.readlink()))}, which does not exist"
    if not path.parent.is_dir():
        return f"no such file; there is no folder {visible(str(path.parent))}"
    beside = {other.stem: other for other in _configs(path.parent)}
    guess = closest(path.stem, beside)
    hint = f'; did you mean "{visible(str(beside[guess]))}"?' if guess else ""
    return f"no such file{hint}"


def _config_in(folder: Path) -> str:
    found = _configs(folder)
    some = f", such as {visible(str(found[0]))}" if found else ""
    return f"give the config file in it{some}"


def _configs(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix in _ENDINGS)
    except OSError:
        return []


def _other_coding(raw: bytes) -> str | None:
    """Say in which other coding of Unicode a file seems to be, None: in none of them."""
    for mark, coding in _BYTE_ORDER_MARKS.items():
        if raw.startswith(mark):
            return coding
    return _ZEROS.get("".join(" 0"[byte == 0] for byte in raw[:4]))


def _not_utf8(shown: str, raw: bytes, start: int) -> ConfigError:
    """Name the first byte that is not UTF-8; what it may have been in an old coding helps."""
    old = raw[start : start + 1].decode("cp1252", "replace")
    maybe = f' (perhaps "{old}" of an old coding)' if old.isprintable() and old.isalnum() else ""
    text = f"the byte {raw[start]:02x} is not UTF-8 text{maybe}; save the file as UTF-8"
    before = raw[:start].decode("utf-8-sig")
    return _error(shown, raw.decode("utf-8-sig", "replace"), len(before), text)


def _error(shown: str, text: str, offset: int, why: str) -> ConfigError:
    """Return the one problem of a file at an offset into its text."""
    before = Document(shown, text[:offset]).lines
    document = Document(shown, text)
    document.report(Spot(len(before), len(before[-1]) + 1), (), why)
    return document.error()
