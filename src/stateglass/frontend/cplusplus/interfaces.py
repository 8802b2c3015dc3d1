"""What the program knows of its classes: which members they have, and who may use them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from typing import final

from clang.cindex import AccessSpecifier, CursorKind, TypeKind

from stateglass.frontend.clang import libclang
from stateglass.frontend.clang.libclang import Cursor
from stateglass.frontend.clang.locations import span_of
from stateglass.frontend.clang.units import AROUND, CLASSES, METHODS, Unit
from stateglass.frontend.cplusplus.classes import Class as Facts
from stateglass.frontend.cplusplus.classes import is_left_to_compiler
from stateglass.frontend.cplusplus.exceptions import never_throws
from stateglass.frontend.cplusplus.qualified import class_name, qualified_name
from stateglass.frontend.cplusplus.shapes import passed_as, passed_of, shape_of
from stateglass.frontend.cplusplus.signatures import is_reference, is_unnamed, signature_of
from stateglass.frontend.cplusplus.unwritten import is_made_of_nothing
from stateglass.frontend.linking.symbols import Symbols
from stateglass.frontend.lowering.types import is_const
from stateglass.program import Function, Record
from stateglass.program.classes import Access, Brought, Class, DataMember, Method, MethodTemplate, Role
from stateglass.program.names import last_part
from stateglass.program.shapes import NO_RESULT

_ACCESS = {
    AccessSpecifier.PUBLIC: Access.PUBLIC,
    AccessSpecifier.PROTECTED: Access.PROTECTED,
    AccessSpecifier.PRIVATE: Access.PRIVATE,
}
_CALLED = (CursorKind.CXX_METHOD, CursorKind.CONVERSION_FUNCTION)
_ROLES = {CursorKind.CONSTRUCTOR: Role.CONSTRUCTOR, CursorKind.DESTRUCTOR: Role.DESTRUCTOR}


def classes_of(unit: Unit, symbols: Symbols, known: Container[str]) -> Iterator[Class]:
    """The classes that a unit and its headers define outside of functions; those of the system are left out.

    `known` are records that other units have, too.
    """
    for definition in _definitions(unit.unit.cursor):
        for one in (definition, *_made_bases(definition), *_made_members(definition), *_made_parameters(definition)):
            found = _class(one, symbols, known)
            if found is not None:
                yield found


def _definitions(scope: Cursor) -> Iterator[Cursor]:
    for cursor in scope.get_children():
        if cursor.location.is_in_system_header:
            continue
        if cursor.kind in CLASSES and cursor.is_definition() and "(" not in cursor.spelling:
            yield cursor
        if cursor.kind in AROUND:
            yield from _definitions(cursor)


def _made_bases(definition: Cursor) -> Iterator[Cursor]:
    """The bases that are made of templates, which stand nowhere in the file."""
    for base in definition.type.get_canonical().get_bases():
        declaration = base.type.get_canonical().get_declaration()
        if not declaration.location.is_in_system_header:
            if libclang.is_of_template(declaration):
                yield declaration
            yield from _made_bases(declaration)


def _made_members(definition: Cursor) -> Iterator[Cursor]:
    """The classes made of templates that its parts, and theirs, are objects of."""
    for field in definition.type.get_canonical().get_fields():
        type = field.type.get_canonical()
        while type.kind is TypeKind.CONSTANTARRAY:
            type = type.element_type
        declaration = type.get_declaration()
        if declaration.location.is_in_system_header or not libclang.is_of_template(declaration):
            continue
        yield declaration
        yield from _made_bases(declaration)
        yield from _made_members(declaration)


def _made_parameters(definition: Cursor) -> Iterator[Cursor]:
    """The classes made of templates that its functions want objects of, which stand nowhere in the file either."""
    for method in _members(definition):
        for parameter in method.get_arguments() if method.kind in METHODS else ():
            type = parameter.type.get_canonical()
            pointee = type.get_pointee()
            declaration = (type if pointee.kind is TypeKind.INVALID else pointee).get_declaration()
            if declaration.location.is_in_system_header or declaration.type.get_size() < 0:
                continue
            if libclang.is_of_template(declaration):
                yield declaration


def _class(definition: Cursor, symbols: Symbols, known: Container[str]) -> Class | None:
    type = definition.type.get_canonical()
    record = symbols.types.convert(type)
    if not isinstance(record, Record) or record.name in known:
        return None
    facts = symbols.types.classes.of(type)
    methods = tuple(_method(m, symbols) for m in facts.methods if m.kind in METHODS and not m.is_deleted_method())
    abstract = bool(libclang.is_abstract(definition))
    methods += tuple(_undeclared(definition, facts, symbols)) if not abstract else ()
    members = tuple(
        DataMember(str(f.spelling), _access(f), is_const(f.type), is_reference(f.type), shape_of(f.type, symbols.types))
        for f in type.get_fields()
    )
    public = {_base(b.type, symbols) for b in type.get_bases() if _access(b) is Access.PUBLIC}
    bases = tuple(name for b in facts.bases if (name := _base(b.type, symbols)) in public)
    spelled = str(type.spelling)
    return Class(
        record.name,
        class_name(definition),
        methods,
        members,
        bases,
        abstract,
        spelled,
        tuple(_templates(definition)),
        brought=tuple(_brought(definition, facts, symbols)),
        span=span_of(definition),
    )


def _brought(definition: Cursor, facts: Facts, symbols: Symbols) -> Iterator[Brought]:
    """The functions of bases that it has by `using`, but for those that one of its own hides."""
    own = {(str(m.spelling), str(m.type.get_canonical().spelling)) for m in facts.methods}
    names = {name for name, _ in own}
    for cursor in _members(definition):
        for function in libclang.meant_by(cursor) if cursor.kind is CursorKind.USING_DECLARATION else ():
            name, type = str(function.spelling), str(function.type.get_canonical().spelling)
            base = function.semantic_parent
            offset = _offset_of(base, facts, symbols) if function.kind in _CALLED else None
            if offset is not None and (name, type) not in own:
                method = _method(function, symbols)
                short = f"{class_name(base)}.{method.short}" if name in names else method.short
                yield Brought(replace(method, access=_access(cursor), short=short), offset)


def _offset_of(base: Cursor, facts: Facts, symbols: Symbols) -> int | None:
    """Where a base lies in a class, in bytes, at whatever depth; None if it lies nowhere for certain."""
    for one in facts.bases:
        if one.is_virtual:
            continue
        known = symbols.types.classes.of(one.type)
        inner = (
            0 if known.declaration == base.type.get_canonical().get_declaration() else _offset_of(base, known, symbols)
        )
        if inner is not None:
            return one.offset + inner
    return None


@final
class Aliases:
    """The other names that units and their headers have for types."""

    def __init__(self) -> None:
        self._of: dict[str, set[str]] = {}  # by type, as it is spelled

    def note(self, unit: Unit) -> None:
        for type, alias in _aliases(unit.unit.cursor):
            self._of.setdefault(type, set()).add(alias)

    def given(self, classes: Mapping[str, Class], functions: Mapping[str, Function]) -> dict[str, Class]:
        """The classes, each with the other names that it has, and with parameters called as functions define them."""
        return {record: self._named(known, functions) for record, known in classes.items()}

    def _named(self, known: Class, functions: Mapping[str, Function]) -> Class:
        methods = tuple(_named_as_defined(m, functions.get(m.name)) for m in known.methods)
        return replace(known, methods=methods, aliases=tuple(sorted(self._of.get(known.spelled, ()))))


def _named_as_defined(method: Method, function: Function | None) -> Method:
    """Definitions may stand in another file than the class, which may leave names out or have others."""
    written = function.parameters[method.hidden :] if function is not None else ()
    if len(written) != len(method.parameters):
        return method
    given = [
        p if is_unnamed(w.name) else replace(p, name=w.name) for w, p in zip(written, method.parameters, strict=True)
    ]
    return replace(method, parameters=tuple(given))


def _aliases(scope: Cursor) -> Iterator[tuple[str, str]]:
    for cursor in scope.get_children():
        if cursor.location.is_in_system_header:
            continue
        if cursor.kind in (CursorKind.TYPEDEF_DECL, CursorKind.TYPE_ALIAS_DECL):
            yield str(cursor.type.get_canonical().spelling), qualified_name(cursor)
        elif cursor.kind in AROUND:
            yield from _aliases(cursor)


def _templates(definition: Cursor) -> Iterator[MethodTemplate]:
    """Its public templates of functions, but those of constructors."""
    for cursor in _members(definition):
        if cursor.kind is not CursorKind.FUNCTION_TEMPLATE or _access(cursor) is not Access.PUBLIC:
            continue
        name = str(cursor.spelling)
        is_constructor = name.partition("<")[0] == definition.spelling
        if not is_constructor and not cursor.is_deleted_method():
            # Clang has no name for a conversion to what is a parameter.
            converts = name.startswith("operator type-parameter")
            yield MethodTemplate(f"operator {cursor.result_type.spelling}" if converts else name, span_of(cursor))


def _members(definition: Cursor) -> list[Cursor]:
    """What is declared in a class; clang shows what an instance of a template has only in the template."""
    own = [c for c in definition.get_children() if c.access_specifier is not AccessSpecifier.INVALID]
    template = libclang.template_of(definition)
    return own if own or template is None else list(template.get_children())


def _undeclared(definition: Cursor, facts: Facts, symbols: Symbols) -> Iterator[Method]:
    """The constructor without arguments that nobody wrote; clang declares it only where something uses it."""
    if definition.kind is CursorKind.UNION_DECL or not is_made_of_nothing(facts, symbols.types.classes):
        return
    name = symbols.default_constructor(facts.type)
    if name is not None and facts.default_constructor is None:
        short = class_name(definition)
        yield Method(name, short, Role.CONSTRUCTOR, Access.PUBLIC, hidden=1, implicit=True, span=span_of(definition))


def _base(type: libclang.ClangType, symbols: Symbols) -> str:
    record = symbols.types.convert(type)
    assert isinstance(record, Record)
    return record.name


def _method(cursor: Cursor, symbols: Symbols) -> Method:
    # A class in a header may be what is looked at, used or not.
    written = cursor.get_definition() is not None and not is_left_to_compiler(cursor)
    name = symbols.function(cursor) if written else symbols.function_name(cursor)
    signature = signature_of(cursor, symbols.types)
    return Method(
        name=name,
        short=last_part(name),
        role=_ROLES.get(cursor.kind, Role.METHOD),
        access=_access(cursor),
        hidden=signature.hidden,
        static=bool(cursor.is_static_method()),
        virtual=bool(cursor.is_virtual_method()),
        constant=bool(cursor.is_const_method()),
        throws=not never_throws(cursor, symbols.types),
        implicit=is_left_to_compiler(cursor),
        pure=bool(cursor.is_pure_virtual_method()),
        spelled=str(cursor.spelling),
        parameters=tuple(passed_as(p, symbols.types) for p in cursor.get_arguments()),
        result=passed_of(cursor.result_type, symbols.types) if cursor.kind is CursorKind.CXX_METHOD else NO_RESULT,
        signature=signature.type(),
        span=span_of(cursor),
    )


def _access(cursor: Cursor) -> Access:
    return _ACCESS.get(cursor.access_specifier, Access.PUBLIC)
