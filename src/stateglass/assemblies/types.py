"""The types of designs as machines have them."""

from __future__ import annotations

from typing import Final

from stateglass.program import Bool, Int

BITS: Final = {"char": 8, "short": 16, "int": 32, "long": 64, "long long": 64}

UNDEFINED: Final = "what is no number: it divides by 0, shifts too far, or is too large"


def machine_type(type: str) -> Bool | Int:
    """A type as the machine has it; the values of enumerations are those of `int`, and `char` has a sign."""
    if type == "bool":
        return Bool()
    bits = BITS.get(type.removeprefix("unsigned ").removeprefix("signed "), BITS["int"])
    return Int(bits, not type.startswith("unsigned "))


def limits(type: str) -> tuple[int, int]:
    """The least and the largest value of a type of numbers."""
    match machine_type(type):
        case Bool():
            return 0, 1
        case Int(bits, is_signed):
            return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if is_signed else (0, 2**bits - 1)


def is_computed_in(type: str) -> bool:
    """Whether sums of numbers are of this type themselves, and may have no value there: smaller ones are converted."""
    machine = machine_type(type)
    return isinstance(machine, Int) and machine.signed and machine.bits >= BITS["int"]


def promoted(type: str) -> str:
    """The type that arithmetic with a number begins with: that of smaller ones is `int`."""
    machine = machine_type(type)
    return type if isinstance(machine, Int) and machine.bits >= BITS["int"] else "int"


def converted(value: int, type: str) -> int:
    """What is left of a number in a variable of a type, as C has it."""
    machine = machine_type(type)
    if isinstance(machine, Bool):
        return int(value != 0)
    low = value & ((1 << machine.bits) - 1)
    return low - (1 << machine.bits) if machine.signed and low >> (machine.bits - 1) else low
