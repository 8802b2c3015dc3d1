"""What each setting may be: one rule per setting, for the project file, the command line and the environment."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, assert_never, final

from stateglass.source import MissingHeaders, suggestion
from stateglass.system import Mode, Numbers, UndefinedBehaviour
from stateglass.unbounded.engines import Engine

# States and transitions are numbered with 32 bits.
MOST_COUNT: Final = (1 << 31) - 1
MOST_SECONDS: Final = 1_000_000_000


@final
@unique
class Volatile(Enum):
    """What a read of a volatile variable is."""

    INPUT = "input"
    MEMORY = "memory"


@final
@unique
class Steps(Enum):
    """What becomes of silent steps."""

    MERGED = "merged"  # they run as one
    ALL = "all"  # each is a transition


@final
@dataclass(frozen=True, slots=True)
class Text:
    """A text that is not empty: `example` shows one. It may have several `lines`."""

    example: str
    lines: bool = False


@final
@dataclass(frozen=True, slots=True)
class Texts:
    """A list of texts, or where `single` a text alone as well."""

    example: str
    single: bool = False
    lines: bool = False


@final
@dataclass(frozen=True, slots=True)
class OneOf:
    """One of the words that an enum has."""

    among: type[Enum]

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(member.value for member in self.among)


@final
@dataclass(frozen=True, slots=True)
class Count:
    """A whole number from 1 on."""


@final
@dataclass(frozen=True, slots=True)
class YesNo:
    """True or false."""


@final
@dataclass(frozen=True, slots=True)
class Seconds:
    """A time: a finite number greater than 0."""


_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")

Rule = Text | Texts | OneOf | Count | YesNo | Seconds

MODE: Final = OneOf(Mode)
MISSING_HEADERS: Final = OneOf(MissingHeaders)

SOURCE_RULES: Final[dict[str, Rule]] = {
    "files": Texts('["motor.c"]'),
    "compile_commands": Text('"build"'),
    "flags": Texts('["-std=c11"]'),
    "target": Text('"arm-none-eabi"'),
    "include": Texts('["include"]'),
    "define": Texts('["NDEBUG", "SIZE=4"]'),
    "missing_headers": MISSING_HEADERS,
}
SYSTEM_RULES: Final[dict[str, Rule]] = {
    "subject": Texts('"Actuator" or ["open", "close"]', single=True),
    "init": Text('"init"'),
    "mode": MODE,
    "visible": Texts('["move"]', single=True),
    "throws_terminates": Texts('["move"]', single=True),
    "callback_depth": Count(),
    "callback_limit": Count(),
    "threads": Texts('["left = serve(0)", "process FORK"]', single=True),
    "events": Texts('["take", "put"]', single=True),
    "predicates": Texts('["count <= limit"]', single=True),
}
CLIENT_RULES: Final[dict[str, Rule]] = {
    "visible": Texts('["move"]', single=True),
    "throws_terminates": Texts('["move"]', single=True),
    "process": Text('"Ui"'),
}
CLIENTS_RULE: Final = Texts('["ui", "remote"]')
CALLBACK_RULE: Final = Texts('"motor.start" = ["stopped"]', single=True)
HYPOTHESIS_RULES: Final[dict[str, Rule]] = {
    "file": Text('"timer.machine"'),
    "mapping": Text('"names.machine"'),
}
DESIGN_RULES: Final[dict[str, Rule]] = {
    "file": Text('"shelf.ccl"'),
    "component": Text('"shelf"'),
    "class": Text('"Shelf"'),
    "code": Texts('["shelf.cpp"]', single=True),
    "system": Text('"main"'),
}
MEANING_RULE: Final = Text('open = "state == OPEN"')
SCENARIO_RULES: Final[dict[str, Rule]] = {
    "file": Text('"lift.scenarios"'),
    "files": Texts('["lift.scenarios"]'),
}
MEMBER_RULE: Final = Text('act1 = "stub"')
ANSWER_RULE: Final = Text('choose = "process CHOICE"')
SHARED_RULE: Final = Text('count = "direct"')
THROWN_RULE: Final = Texts('"motor.start" = "Jammed"', single=True)
PROCESS_RULES: Final[dict[str, Rule]] = {
    "fsp": Text('"DOOR = (call(open) -> return(open) -> DOOR)."', lines=True),
}
CLAIM_RULE: Final = Text('no_overrun = "ltl: G([used <= 3])"')
OPTION_RULES: Final[dict[str, Rule]] = {
    "ub": OneOf(UndefinedBehaviour),
    "errors": Texts('["overflow", "bounds"]'),
    "volatile": OneOf(Volatile),
    "steps": OneOf(Steps),
    "compress": YesNo(),
    "max_states": Count(),
    "timeout": Seconds(),
    "max_depth": Count(),
    "engine": OneOf(Engine),
    "numbers": OneOf(Numbers),
    "replay": YesNo(),
}


@final
@dataclass(frozen=True, slots=True)
class Complaint:
    """Why a value breaks its rule, and what would keep it; `index` is the element of a list that is meant."""

    message: str
    help: str = ""
    index: int | None = None


def complaints(rule: Rule, value: object) -> list[Complaint]:
    """Everything that is wrong with a value; nothing if it is as the rule says."""
    match rule:
        case Text():
            return _text(value, rule)
        case Texts():
            return _texts(value, rule)
        case OneOf():
            return _choice(value, rule.words)
        case Count():
            if not isinstance(value, int) or isinstance(value, bool):
                return [Complaint(f"should be a whole number, not {described(value)}", "write it as in 1000")]
            if not 1 <= value <= MOST_COUNT:
                return [Complaint("is out of range", f"it is a whole number from 1 to {MOST_COUNT}")]
            return []
        case YesNo():
            if not isinstance(value, bool):
                return [Complaint(f"should be true or false, not {described(value)}", "write it as in true")]
            return []
        case Seconds():
            if not isinstance(value, int | float) or isinstance(value, bool):
                return [Complaint(f"should be a number of seconds, not {described(value)}", "write it as in 60")]
            if not 0 < value <= MOST_SECONDS:
                return [Complaint("is out of range", f"it is a number greater than 0 and up to {MOST_SECONDS}")]
            return []
        case _:
            assert_never(rule)


def texts(value: object) -> tuple[str, ...]:
    """The texts of a value that keeps a rule `Texts`."""
    if isinstance(value, str):
        return (value,)
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list | tuple) else ()


def printable(text: str) -> str:
    """A text of the user within a message: on one line, and cut when long."""
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:200])
    return shown + ("…" if len(text) > 200 else "")


def described(value: object) -> str:
    """A value by its kind, in the words of the project file."""
    match value:
        case bool():
            return f"`{str(value).lower()}`"
        case int():
            return "a whole number"
        case float():
            return "a number"
        case str():
            return "a text"
        case list() | tuple():
            return "a list"
        case dict():
            return "a table"
        case _:
            return "a date or time"


def _text(value: object, rule: Text | Texts, index: int | None = None) -> list[Complaint]:
    example = rule.example
    if not isinstance(value, str):
        return [Complaint(f"should be a text, not {described(value)}", f"write it as in {example}", index)]
    if not value.strip():
        return [Complaint("is empty", f"write it as in {example}", index)]
    if _CONTROL.search(re.sub(r"[\n\t]", " ", value) if rule.lines else value):
        return [Complaint("has a control character in its text", f"write it as in {example}", index)]
    return []


def _texts(value: object, rule: Texts) -> list[Complaint]:
    if rule.single and isinstance(value, str):
        return _text(value, rule)
    if not isinstance(value, list | tuple):
        expected = "a text or a list of texts" if rule.single else "a list of texts"
        return [Complaint(f"should be {expected}, not {described(value)}", f"write it as in {rule.example}")]
    return [c for index, item in enumerate(value) for c in _text(item, rule, index)]


def _choice(value: object, words: tuple[str, ...]) -> list[Complaint]:
    listed = " or ".join(f'"{w}"' for w in words)
    if not isinstance(value, str):
        return [Complaint(f"should be {listed}, not {described(value)}")]
    if value not in words:
        return [Complaint(f"should be {listed}", suggestion(value, words))]
    return []
