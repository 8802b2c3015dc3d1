"""Chooses which wide piece comes next."""

from collections.abc import Callable
from typing import Final

from tests.generator.context import Context
from tests.generator.wide.bitfields import bit_fields_over_a_word, wide_bit_fields
from tests.generator.wide.buffers import blocks_of_bytes, containing_struct, struct_and_bytes
from tests.generator.wide.floats import floats
from tests.generator.wide.heap import flexible_array, growing_array, heap_list
from tests.generator.wide.jumps import case_ranges, computed_goto
from tests.generator.wide.rows import variable_length
from tests.generator.wide.strings import characters, strings
from tests.generator.wide.unions import unions
from tests.generator.wide.userdata import sorting, visiting
from tests.generator.wide.varargs import variadic_call

_COST: Final = 60
"""No piece executes more statements than this, apart from the calls in the expressions it is given."""

_PIECES: Final[tuple[tuple[int, Callable[[Context], None]], ...]] = (
    (5, unions),
    (2, bit_fields_over_a_word),
    (2, wide_bit_fields),
    (6, floats),
    (3, struct_and_bytes),
    (2, containing_struct),
    (2, blocks_of_bytes),
    (3, variadic_call),
    (2, visiting),
    (1, sorting),
    (2, flexible_array),
    (1, growing_array),
    (2, heap_list),
    (2, strings),
    (1, characters),
    (3, computed_goto),
    (2, case_ranges),
    (3, variable_length),
)


def wide_statement(ctx: Context) -> None:
    ctx.afford(_COST)
    ctx.weighted(_PIECES)(ctx)
