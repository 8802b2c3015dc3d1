"""One module per file format, read or write, registered by name."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, cast, final

from stateglass.formats.files import Source, opened, too_large, write_pieces
from stateglass.formats.labels import check_labels
from stateglass.formats.targets import STDIO, check_folder, unpacked_extension
from stateglass.model import Model
from stateglass.model.chart import Chart
from stateglass.source import Code, close_match, input_error, is_source, suggestion

__all__ = [
    "CHARTS",
    "FORMATS",
    "STATECHARTS",
    "STDIO",
    "Format",
    "check_target",
    "losses",
    "read_chart",
    "read_model",
    "read_statechart",
    "write_model",
]


@final
@dataclass(frozen=True, slots=True)
class Format:
    """A file format: its name, the extensions that stand for it, its module, how much of it is read at most."""

    name: str
    extensions: tuple[str, ...]
    module: str
    most_bytes: int
    reads: bool = True  # or only written
    writes: bool = True  # or only read
    streams: bool = False  # a part at a time, for files that should not be in memory as a whole


class _Codec(Protocol):
    """What a format's module offers; what is missing where a format is only written or only read is not asked for."""

    def parse(self, data: bytes, name: str) -> Model: ...

    def serialise(self, model: Model) -> bytes: ...

    def losses(self, model: Model) -> list[str]: ...


class _ChartReader(Protocol):
    """What the reader of a format for state diagrams offers."""

    def parse_chart(self, data: bytes, name: str) -> Chart: ...


class _StatechartReader(Protocol):
    """What the reader of a format offers that has behaviour in places of its own, not in texts."""

    def parse_statechart(self, data: bytes, name: str) -> Chart: ...


class _StreamingCodec(Protocol):
    """What the module of a format that `streams` offers besides."""

    def parse_stream(self, source: Source, name: str) -> Model: ...

    def serialise_pieces(self, model: Model) -> Iterator[bytes | memoryview]: ...


_FORMATS = (
    Format("aut", (".aut",), "aut", 4 << 30, streams=True),
    Format("sg", (".sg",), "sg", 1 << 30),
    Format("json", (".json",), "json_model", 512 << 20),
    Format("fsm", (".fsm",), "fsm", 512 << 20),
    Format("dot", (".dot", ".gv"), "dot", 8 << 20),
    Format("mermaid", (".mmd", ".mermaid"), "mermaid", 64 << 20),
    Format("plantuml", (".puml", ".plantuml", ".pu", ".wsd"), "plantuml", 64 << 20),
    Format("scxml", (".scxml",), "scxml", 64 << 20),
    Format("fsp", (".fsp",), "fsp", 1 << 20, writes=False),
    Format("cwb", (".cwb",), "cwb", 0, reads=False),
    Format("mcrl2", (".mcrl2",), "mcrl2", 0, reads=False),
)
CHARTS = ("mermaid", "plantuml", "scxml", "dot")
"""Formats of state diagrams."""
STATECHARTS = ("mermaid", "plantuml", "scxml")
"""Those that say what is done in states and on transitions."""
FORMATS = {format.name: format for format in _FORMATS}
_READ_BY = {".ccl": "assembly", ".machine": "reflect", ".scenarios": "scenario", ".am": "extract --abstraction"}
"""What reads files that are no models."""
_BY_EXTENSION = {extension: format for format in _FORMATS for extension in format.extensions}
# How the text of each format begins, after blanks; what may begin with anything is left to the user.
_BEGINNINGS = (
    (b"PK", "sg"),
    (b"{", "json"),
    (b"des", "aut"),
    (b"strict", "dot"),
    (b"digraph", "dot"),
    (b"stateDiagram", "mermaid"),
    (b"@startuml", "plantuml"),
    (b"<?xml", "scxml"),
    (b"<scxml", "scxml"),
    (b"---", "fsm"),
)


def read_model(path: str, format: str | None = None) -> Model:
    """Reads a model; the format is the one named, or that of the extension, or (standard input) that of the text."""
    if format is None and path == STDIO:
        with opened(path, max(f.most_bytes for f in _FORMATS)) as source:
            chosen = _sniffed(source.peek(1024))
            return _read(source, chosen)
    if format is None:
        _refuse_other_files(path)
    chosen = _chosen(path, format)
    if not chosen.reads:
        readable = ", ".join(f.name for f in _FORMATS if f.reads)
        message = f"the format `{chosen.name}` is only written, not read"
        raise input_error(Code.USAGE, message, help=f"models are read from {readable}")
    with opened(path, chosen.most_bytes) as source:
        return _read(source, chosen)


def read_chart(path: str) -> Chart:
    """Reads a state diagram as it was drawn; the format is that of the extension."""
    chosen = _chosen(path, None)
    if chosen.name not in CHARTS:
        message = f"the format `{chosen.name}` has no state diagrams"
        raise input_error(Code.USAGE, message, help=f"they are read from {', '.join(CHARTS)}")
    with opened(path, chosen.most_bytes) as source:
        data = source.all()
        reader = importlib.import_module(f"stateglass.formats.{chosen.module}_reader")
        return cast(_ChartReader, reader).parse_chart(data, source.name)


def read_statechart(path: str) -> Chart:
    """The same with what is done on the way, which not all formats say; what of it cannot be understood is refused."""
    chosen = _chosen(path, None)
    if chosen.name not in STATECHARTS:
        message = f"the format `{chosen.name}` does not say what a statechart does"
        raise input_error(Code.USAGE, message, help=f"statecharts are read from {', '.join(STATECHARTS)}")
    if chosen.name != "scxml":
        return read_chart(path)
    with opened(path, chosen.most_bytes) as source:
        reader = importlib.import_module(f"stateglass.formats.{chosen.module}_reader")
        return cast(_StatechartReader, reader).parse_statechart(source.all(), source.name)


def write_model(model: Model, path: str, format: str | None = None) -> list[str]:
    """Writes a model, whole or not at all; returns what whoever reads the file will miss, in words."""
    chosen = _written(path, format)
    check_labels(model)
    codec = _codec(chosen)
    streamed = cast(_StreamingCodec, codec).serialise_pieces(model) if chosen.streams else None
    written = _Counted([codec.serialise(model)] if streamed is None else streamed)
    write_pieces(path, written)
    lost = codec.losses(model)
    if chosen.reads and written.size > chosen.most_bytes:
        limit = f"at most {chosen.most_bytes >> 20:,} MB of `{chosen.name}` are read"
        lost.append(f"this is too large to be read back: {limit}, and the model has {written.size / (1 << 20):,.1f} MB")
    return lost


def check_target(path: str, format: str | None = None) -> None:
    """Refuses a path that `write_model` would refuse, before work is done for it."""
    _written(path, format)
    check_folder(path)


def losses(model: Model, format: str) -> list[str]:
    """What the format (a name or a path with an extension) cannot keep of this model, in words."""
    chosen = _written(format, format if format in FORMATS else None)
    return _codec(chosen).losses(model)


@final
class _Counted:
    """Pieces of a file, and how many bytes they were."""

    def __init__(self, pieces: Iterable[bytes | memoryview]) -> None:
        self.size = 0
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes | memoryview]:
        for piece in self._pieces:
            self.size += len(piece)
            yield piece


def _read(source: Source, format: Format) -> Model:
    if format.streams:
        return cast(_StreamingCodec, _codec(format)).parse_stream(source, source.name)
    data = source.all()
    if len(data) > format.most_bytes:
        raise too_large(source.name, len(data), format.most_bytes)
    return _codec(format).parse(data, source.name)


def _codec(format: Format) -> _Codec:
    return cast(_Codec, importlib.import_module(f"stateglass.formats.{format.module}"))


def _written(path: str, format: str | None) -> Format:
    chosen = _chosen(path, format)
    if not chosen.writes:
        writable = ", ".join(f.name for f in _FORMATS if f.writes)
        message = f"the format `{chosen.name}` is only read, not written"
        raise input_error(Code.USAGE, message, help=f"models are written to {writable}")
    return chosen


def _refuse_other_files(path: str) -> None:
    """Says of a file that models come from, or that is held against them, what reads it."""
    extension = unpacked_extension(path)
    if is_source(path):
        help = f"a model is made of code by `stateglass extract {path} -o model.sg`"
    elif extension in _READ_BY:
        help = f"`stateglass {_READ_BY[extension]}` reads it"
    else:
        return
    raise input_error(Code.USAGE, f"`{path}` is no model", help=help)


def _chosen(path: str, format: str | None) -> Format:
    if format is not None:
        if format not in FORMATS:
            raise input_error(Code.USAGE, f"unknown model format `{format}`", help=suggestion(format, FORMATS))
        return FORMATS[format]
    if path == STDIO:
        raise input_error(
            Code.USAGE, "standard output has no extension to tell the format by", help=f"name one: {', '.join(FORMATS)}"
        )
    extension = unpacked_extension(path)
    if extension not in _BY_EXTENSION:
        known = ", ".join(_BY_EXTENSION)
        said = f"`{path}` has the unknown extension `{extension}`" if extension else f"`{path}` has no extension"
        close = close_match(extension, _BY_EXTENSION)
        help = f"{close} model files end in {known}; or name the format".lstrip()
        raise input_error(Code.USAGE, said, help=help)
    return _BY_EXTENSION[extension]


def _sniffed(data: bytes) -> Format:
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    for beginning, name in _BEGINNINGS:
        if start.startswith(beginning):
            return FORMATS[name]
    raise input_error(
        Code.USAGE, "the format of standard input cannot be told from its text", help=f"name one: {', '.join(FORMATS)}"
    )
