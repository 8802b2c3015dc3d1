"""FSP: a process that was written by hand, read as the model of all that it accepts and does."""

from __future__ import annotations

from stateglass.model import Model
from stateglass.source import Code, Span, input_error
from stateglass.system.fsp import read_process
from stateglass.system.fsp.modelling import model_of


def parse(data: bytes, name: str) -> Model:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise input_error(Code.SYNTAX, "this is not text in UTF-8", Span.at(name, line)) from None
    return model_of(read_process(text.replace("\r\n", "\n"), file=name), files=(name,))
