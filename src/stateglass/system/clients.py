"""Who calls an object: clients by name, each with what it calls, or with the process that it follows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, final

from stateglass.source import Code, Diagnostic, InputError, suggestion

_VISIBLE: Final = "visible"
_ENDING: Final = "throws_terminates"
_PROCESS: Final = "process"
CLIENT_KEYS: Final = (_VISIBLE, _ENDING, _PROCESS)


@final
@dataclass(frozen=True, slots=True)
class Client:
    """What the user says of somebody who calls: names of functions, empty for what goes for everybody; or a process."""

    name: str
    visible: tuple[str, ...] = ()
    throws_terminates: tuple[str, ...] = ()
    process: str = ""


def read_clients(texts: Collection[str], processes: Collection[str]) -> tuple[Client, ...]:
    """Clients from `ui`, `ui.visible=open`, `ui.throws_terminates=open` and `ui.process=Ui`, as they are met."""
    found: dict[str, Client] = {}
    problems: list[Diagnostic] = []
    for text in texts:
        said, equals, value = (part.strip() for part in text.partition("="))
        name, _, key = said.partition(".")
        client = found.setdefault(name, Client(name))
        if not name.isidentifier():
            problems.append(Diagnostic(Code.USAGE, f"`{name}` cannot be the name of a client", help="it is one word"))
        elif bool(key) != bool(equals) or (equals and (key not in CLIENT_KEYS or not value)):
            help = f"a client has {', '.join(f'`{k}`' for k in CLIENT_KEYS)}"
            problems.append(Diagnostic(Code.USAGE, f"`{text}` does not say what a client does", help=help))
        elif key == _VISIBLE:
            found[name] = replace(client, visible=(*client.visible, value))
        elif key == _ENDING:
            found[name] = replace(client, throws_terminates=(*client.throws_terminates, value))
        elif key == _PROCESS:
            found[name] = replace(client, process=value)
            if value not in processes:
                help = suggestion(value, processes) if processes else "write `[process.Ui]` into the project file"
                problems.append(Diagnostic(Code.UNKNOWN_NAME, f"there is no process `{value}`", help=help))
    for client in found.values():
        if client.process and (client.visible or client.throws_terminates):
            message = f"the client `{client.name}` follows a process, which says what it calls"
            problems.append(Diagnostic(Code.USAGE, message, help=f"leave out `{_VISIBLE}` and `{_ENDING}`"))
    if problems:
        raise InputError(problems)
    return tuple(found.values())
