"""What C++ adds to records: bases, tables of virtual functions, and what copying and destroying an object takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from clang.cindex import CursorKind, ExceptionSpecificationKind, TypeKind

from stateglass.frontend.clang.libclang import ClangType, Cursor, declaration_key
from stateglass.frontend.clang.units import CLASSES

_DECIDED: Final = (
    ExceptionSpecificationKind.BASIC_NOEXCEPT,
    ExceptionSpecificationKind.COMPUTED_NOEXCEPT,
    ExceptionSpecificationKind.DYNAMIC_NONE,
    ExceptionSpecificationKind.DYNAMIC,
)


@final
@dataclass(frozen=True, slots=True)
class Base:
    """A class that another one is derived from, and where it lies in it."""

    type: ClangType
    offset: int  # in bytes
    is_virtual: bool


@final
@dataclass(frozen=True, slots=True)
class Class:
    """What is known of a class beyond its members."""

    type: ClangType  # canonical
    bases: tuple[Base, ...]
    primary: Base | None  # the base whose table of virtual functions is also that of the class
    methods: tuple[Cursor, ...]  # implicit ones included, as far as they are declared
    has_virtual_bases: bool  # at any depth
    is_dynamic: bool  # has virtual functions, own or inherited
    needs_destruction: bool
    may_throw_at_end: bool  # its destructor says so (`noexcept(false)`), or that of a part
    is_copied_bitwise: bool  # copying, moving and destroying it does nothing but copy its members

    @property
    def declaration(self) -> Cursor:
        return self.type.get_declaration()

    def own_virtual(self) -> Iterator[Cursor]:
        """Its own virtual functions, in the order in which they are declared."""
        return (m for m in self.methods if m.is_virtual_method())

    @property
    def destructor(self) -> Cursor | None:
        return next((m for m in self.methods if m.kind is CursorKind.DESTRUCTOR), None)

    def copy_constructor(self, moving: bool) -> Cursor | None:
        """The one that makes an object of another one that is left alone, or may be emptied."""
        constructors = [m for m in self.methods if m.kind is CursorKind.CONSTRUCTOR and not m.is_deleted_method()]
        moves = [m for m in constructors if m.is_move_constructor()]
        copies = [m for m in constructors if m.is_copy_constructor()]
        return next(iter([*moves, *copies] if moving else copies), None)

    def assignment(self, moving: bool) -> Cursor | None:
        methods = [m for m in self.methods if m.kind is CursorKind.CXX_METHOD and not m.is_deleted_method()]
        moves = [m for m in methods if m.is_move_assignment_operator_method()]
        copies = [m for m in methods if m.is_copy_assignment_operator_method()]
        return next(iter([*moves, *copies] if moving else copies), None)

    @property
    def default_constructor(self) -> Cursor | None:
        constructors = [m for m in self.methods if m.kind is CursorKind.CONSTRUCTOR and not m.is_deleted_method()]
        return next((m for m in constructors if m.is_default_constructor()), None)


@final
class Classes:
    """The classes of a unit."""

    def __init__(self) -> None:
        self._known: dict[int, Class] = {}

    def of(self, type: ClangType) -> Class:
        """The facts about a class."""
        declaration = type.get_canonical().get_declaration()
        key = declaration_key(declaration)
        if key not in self._known:
            self._known[key] = self._look_at(declaration)
        return self._known[key]

    def _look_at(self, declaration: Cursor) -> Class:
        type = declaration.type.get_canonical()  # without `const`
        definition = declaration.get_definition() or declaration
        bases = tuple(
            Base(b.type.get_canonical(), max(b.get_base_offsetof(definition), 0) // 8, bool(b.is_virtual_base()))
            for b in type.get_bases()
        )
        methods = tuple(type.get_methods())
        over = [self.of(b.type) for b in bases]
        parts = [*over, *(self.of(t) for f in type.get_fields() if is_class(t := element_type(f.type)))]
        dynamic = any(m.is_virtual_method() for m in methods) or any(c.is_dynamic for c in over)
        primary = next((b for b, c in zip(bases, over, strict=True) if c.is_dynamic and not b.offset), None)
        destructor = next((m for m in methods if m.kind is CursorKind.DESTRUCTOR), None)
        destroyed = (destructor is not None and not is_left_to_compiler(destructor)) or any(
            p.needs_destruction for p in parts
        )
        throwing = any(p.may_throw_at_end for p in parts)
        if destructor is not None and destructor.type.get_exception_specification_kind() in _DECIDED:
            throwing = not says_noexcept(destructor)
        copying = [m for m in methods if m.kind is CursorKind.CONSTRUCTOR and _copies(m)]
        bitwise = (
            not dynamic
            and not destroyed
            and all(is_left_to_compiler(m) for m in copying)
            and all(p.is_copied_bitwise for p in parts)
        )
        virtual = any(b.is_virtual for b in bases) or any(c.has_virtual_bases for c in over)
        return Class(type, bases, primary, methods, virtual, dynamic, destroyed, throwing, bitwise)


def is_inherited(constructor: Cursor) -> bool:
    """Whether a constructor is one of a base class (`using Base::Base`): it is called like that."""
    return _title(constructor) != str(constructor.semantic_parent.spelling)


def inherited_from(constructor: Cursor) -> tuple[ClangType, Cursor] | None:
    """The base that a constructor is inherited from, and that base's constructor, which may be inherited as well."""
    if not is_inherited(constructor):
        return None
    types = [str(p.type.get_canonical().spelling) for p in constructor.get_arguments()]
    for base in constructor.semantic_parent.type.get_bases():
        type = base.type.get_canonical()
        for method in type.get_methods():
            is_alike = method.kind is CursorKind.CONSTRUCTOR and _title(method) == _title(constructor)
            if is_alike and [str(p.type.get_canonical().spelling) for p in method.get_arguments()] == types:
                return type, method
    return None


def _title(constructor: Cursor) -> str:
    return str(constructor.spelling).partition("<")[0]


def says_noexcept(function: Cursor) -> bool:
    """Whether a function is declared to throw nothing, be it by a condition; clang may not know it of implicit ones."""
    return str(function.type.get_canonical().spelling).endswith("noexcept")


def is_class(type: ClangType) -> bool:
    canonical = type.get_canonical()
    return canonical.kind is TypeKind.RECORD and canonical.get_declaration().kind in CLASSES


def element_type(type: ClangType) -> ClangType:
    """What an array consists of in the end; anything else is its own element."""
    canonical = type.get_canonical()
    while canonical.kind is TypeKind.CONSTANTARRAY:
        canonical = canonical.element_type.get_canonical()
    return canonical


def _copies(constructor: Cursor) -> bool:
    return bool(constructor.is_copy_constructor() or constructor.is_move_constructor())


def is_left_to_compiler(method: Cursor) -> bool:
    """Whether a special function is left to the compiler, be it in so many words (`= default`)."""
    return bool(method.is_default_method())
