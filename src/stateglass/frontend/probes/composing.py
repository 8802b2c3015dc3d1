"""Writes probes as C functions: finds out what each name in them means, and declares what clang must know for it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final, NoReturn, final

from clang.cindex import TypeKind

from stateglass.frontend.clang.appended import Piece, written
from stateglass.frontend.clang.libclang import ClangType, Cursor
from stateglass.frontend.clang.spelling import NotSpelled, Spelling
from stateglass.frontend.lowering.types import FLOATS, SIGNED, UNSIGNED
from stateglass.frontend.probes.scopes import Found, FunctionScope, Scopes
from stateglass.program.probes import Definition, Probe
from stateglass.program.tokens import Token, misfits, names_in, tokens_of
from stateglass.source import Code, Diagnostic, Span, Words, close_match, same_file, suggestion

PREFIX: Final = "__stateglass_"
"""What our names begin with; C keeps such names from programs."""
MOST_NESTED: Final = 100
"""How deep words that are defined by words may nest."""
MOST_CHARACTERS: Final = 100_000
"""How long an expression may become when words are put in their places."""


@final
class _Unclear(Exception):
    """Raised where an expression has no meaning; the reason has been noted."""


@final
@dataclass
class _Body:
    """A probe while it is written."""

    probe: Probe
    declarations: list[Piece] = field(default_factory=list)
    known: dict[object, str] = field(default_factory=dict)  # by declaration: the name it has here
    size: int = 0
    depth: int = 0  # of words in words


@final
class Composer:
    """Writes the probes into one function of a file."""

    def __init__(self, scopes: Scopes, function: Found, first_number: int, macros: Collection[str]) -> None:
        self.problems: list[Diagnostic] = []
        self.stand_ins: dict[str, Found] = {}  # by our name: what it stands for
        # Names that we gave a meaning, and what to say if a macro is called so: None if it is to be preferred.
        self.taken: dict[str, Diagnostic | None] = {}
        self._macros = macros
        self._scopes = scopes
        self._function = scopes.inside(function)
        self._file = scopes.files[function.unit - 1]
        self._first = first_number

    def function_of(self, probe: Probe, name: str) -> list[Piece]:
        """A function that returns what a probe asks for; nothing after a problem was noted."""
        body = _Body(probe)
        try:
            expression = self._expression(body, probe.words, {d.name: d for d in probe.definitions})
            head = self._head(body, name)
        except _Unclear:
            return []

        span = probe.words.span
        begin, value = Piece(" {\n", span), Piece("return (\n", span)
        # What clang misses at the end of the expression it says about our bracket.
        end = Piece("\n); }\n", Span(span.end, span.end))
        return [*head, begin, *body.declarations, value, *expression, end]

    def _head(self, body: _Body, name: str) -> list[Piece]:
        cursor = self._function.cursor
        about = f"the parameters of `{self._function.name}`"
        span = body.probe.function_span
        spelling = Spelling(self._file.types, span, about)
        own = list(cursor.get_arguments())
        has_prototype = cursor.type.get_canonical().kind is TypeKind.FUNCTIONPROTO
        passed = list(cursor.type.get_canonical().argument_types()) if has_prototype else [p.type for p in own]
        names = [p.spelling or f"{PREFIX}argument{n}" for n, p in enumerate(own)]
        in_old_style = any(_is_promoted(p, t) for p, t in zip(own, passed, strict=True))
        try:
            types = [p.type for p in own] if in_old_style else passed
            parameters = [spelling.declaration(t, n) for t, n in zip(types, names, strict=True)]
        except NotSpelled as error:
            self._problem(f"{about} have a type that is not supported here: {error}", span, code=Code.UNSUPPORTED)
            raise _Unclear from None
        between = Piece(", ", span, about=about)
        listed = [p for number, pieces in enumerate(parameters) for p in ([between] if number else []) + pieces]
        start = Piece(f"_Bool {name}(", body.probe.words.span)
        if in_old_style:
            declared = [p for pieces in parameters for p in (*pieces, Piece("; ", span, about=about))]
            return [*spelling.definitions, start, Piece(", ".join(names) + ") ", span), *declared]
        void = Piece("void", span)
        return [*spelling.definitions, start, *(listed or [void]), Piece(")", span)]

    # ---- expressions

    def _expression(self, body: _Body, words: Words, definitions: dict[str, Definition]) -> list[Piece]:
        self._grow(body, words)
        wrong = misfits(words.text)
        for misfit in wrong:
            self._problem(misfit.message, words.part(misfit.start, misfit.end), misfit.help, Code.SYNTAX)
        if wrong:
            raise _Unclear
        found: list[Piece] = []
        at = 0
        unclear = False
        for token in names_in(tokens_of(words.text)):
            span = words.part(token.start, token.end)
            try:
                meaning = self._defined(body, token, span, definitions) or self._meaning(body, token, span)
            except _Unclear:
                unclear = True
                continue
            if meaning:
                found += [*written(words, at, token.start), *meaning]
                at = token.end
        if unclear:
            raise _Unclear
        return [*found, *written(words, at, len(words.text))]

    def _grow(self, body: _Body, words: Words) -> None:
        if body.size <= MOST_CHARACTERS:
            body.size += len(words.text) + len("()")
            if body.size > MOST_CHARACTERS:
                message = f"with all words put in their places it has more than {MOST_CHARACTERS:,} characters"
                self._problem(message, body.probe.words.span, code=Code.TOO_LARGE)
        if body.size > MOST_CHARACTERS:
            raise _Unclear

    def _defined(self, body: _Body, token: Token, span: Span, definitions: dict[str, Definition]) -> list[Piece]:
        """What a word of the design stands for; nothing if it is none. A word cannot be defined in terms of itself."""
        definition = definitions.get(token.text)
        if definition is None:
            return []
        self._check_definition(definition)
        if body.depth >= MOST_NESTED:
            message = f"words are defined by words more than {MOST_NESTED} deep"
            self._problem(message, body.probe.words.span, code=Code.TOO_LARGE)
            raise _Unclear
        rest = {name: d for name, d in definitions.items() if name != definition.name}
        body.depth += 1
        try:
            return [Piece("(", span), *self._expression(body, definition.words, rest), Piece(")", span)]
        finally:
            body.depth -= 1

    def _check_definition(self, definition: Definition) -> None:
        name = definition.name
        message = f"`{name}` is a word that is defined here, and also %s"
        help = "choose another word"
        self.taken[name] = Diagnostic(Code.AMBIGUOUS_NAME, message % "a macro of the file", definition.span, help=help)
        scope = self._function
        if name in scope.parameters or name in scope.statics or name in scope.enumerators or name in self._file.names:
            self._problem(message % f"a name that `{scope.name}` sees", definition.span, help, Code.AMBIGUOUS_NAME)
            raise _Unclear

    # ---- names

    def _meaning(self, body: _Body, token: Token, span: Span) -> list[Piece]:
        """The text to write for a name; nothing if clang knows the name itself, or nobody does."""
        if token.function:
            return self._inner(body, token, span)
        if token.scoped or token.file:
            return self._outer(body, token, span)
        name, scope = token.base, self._function
        if name in scope.parameters and not token.ordinal:
            return []
        static = scope.statics.get(name, [])
        at_file_scope = name in self._file.names
        if token.ordinal or static or name in scope.enumerators:
            readings = scope.written(name) or [f"{scope.name}::{name}"]
            readings += [f"::{name}"] * at_file_scope
            if len(readings) > 1 and not token.ordinal:
                self._ambiguous(name, readings, span)
            message = f"`{name}` is ambiguous: it may be a macro or `{scope.name}::{name}`"
            self.taken.setdefault(name, Diagnostic(Code.AMBIGUOUS_NAME, message, span))
            return self._inside(body, scope, token, span)
        if at_file_scope or name in self._macros:
            return []
        elsewhere = self._scopes.variables(name) or self._scopes.functions(name)
        if len(elsewhere) > 1:
            self.taken.setdefault(name, None)
            self._ambiguous(name, [f"{name}@{f.file}" for f in elsewhere], span)
        if elsewhere:
            self.taken.setdefault(name, None)
            return self._stand_in(body, elsewhere[0], token.text, span)
        values = {f.enumerators[name] for f in self._scopes.files if name in f.enumerators}
        if values:
            self.taken.setdefault(name, None)
            return self._constant(name, values, span)
        if name in scope.automatic:
            self._automatic(scope, name, span)
        return []

    def _outer(self, body: _Body, token: Token, span: Span) -> list[Piece]:
        """`::x` or `x@motor.c`."""
        name = token.base
        if token.ordinal:
            self._problem(f"`{token.text}`: there is only one `{name}` outside of functions", span)
            raise _Unclear
        found = self._scopes.variables(name, token.file)
        here = [f for f in found if f.unit == self._file.number]
        if len(found) > 1 and (token.file or not here):
            self._ambiguous(token.text, [f"{name}@{f.file}" for f in found], span)
        if found:
            return self._stand_in(body, (here or found)[0], token.text, span)
        chosen = [f for f in self._scopes.files if same_file(token.file, f.path)] if token.file else [self._file]
        values = {f.enumerators[name] for f in chosen if name in f.enumerators}
        if values:
            return self._constant(name, values, span)
        where = f"`{token.file}` has" if token.file else "there is"
        known = [v for f in self._scopes.files for v in f.variables if v in f.own_names]
        self._problem(f"{where} no variable `{name}`", span, close_match(name, known), Code.UNKNOWN_NAME)
        raise _Unclear

    def _inner(self, body: _Body, token: Token, span: Span) -> list[Piece]:
        """`f::x`."""
        functions = self._scopes.functions(token.function)
        if not functions:
            known = [name for f in self._scopes.files for name in f.functions]
            message = f"there is no function `{token.function}`"
            self._problem(message, span, close_match(token.function, known), Code.UNKNOWN_NAME)
            raise _Unclear
        if len(functions) > 1:
            self._ambiguous(token.function, [f"{f.cursor.spelling}@{f.file}" for f in functions], span)
        return self._inside(body, self._scopes.inside(functions[0]), token, span)

    def _inside(self, body: _Body, scope: FunctionScope, token: Token, span: Span) -> list[Piece]:
        """A static local of a function, or an enumerator that it declares."""
        name = token.base
        static = scope.statics.get(name, [])
        number = int(token.ordinal) if token.ordinal else 1
        if static and number <= len(static):
            if not token.ordinal and len(static) > 1:
                self._ambiguous(token.text, scope.written(name), span)
            return self._stand_in(body, Found(scope.unit, static[number - 1]), token.text, span)
        if name in scope.enumerators:
            return self._constant(name, scope.enumerators[name], span)
        if name in scope.parameters:
            if scope is self._function:
                return [Piece(name, span)]
            message = f"`{name}` is a parameter of `{scope.name}`, which is not the function at hand"
            self._problem(message, span, code=Code.UNKNOWN_NAME)
        elif name in scope.automatic:
            self._automatic(scope, name, span)
        else:
            message = f"`{scope.name}` has no static variable `{name}`" + (f"~{token.ordinal}" if token.ordinal else "")
            written = [w for n in scope.statics for w in scope.written(n)]
            self._problem(message, span, suggestion(f"{scope.name}::{name}", written), Code.UNKNOWN_NAME)
        raise _Unclear

    def _automatic(self, scope: FunctionScope, name: str, span: Span) -> NoReturn:
        message = f"`{name}` is a local variable of `{scope.name}`: it does not live from one call to the next"
        self._problem(message, span, "use a global, a static variable or what a parameter points to", Code.UNKNOWN_NAME)
        raise _Unclear

    def _constant(self, name: str, values: set[int], span: Span) -> list[Piece]:
        if len(values) > 1:
            shown = " and ".join(str(v) for v in sorted(values))
            self._problem(f"`{name}` has several values: {shown}", span, code=Code.AMBIGUOUS_NAME)
            raise _Unclear
        [value] = values
        return [Piece(f"({value})", span)]

    def _stand_in(self, body: _Body, found: Found, text: str, span: Span) -> list[Piece]:
        """A name of ours for a variable that clang cannot see at the end of the file, or sees under another name."""
        key = int(found.cursor.data[0])
        if key not in body.known:
            name = body.known[key] = f"{PREFIX}{self._first + len(self.stand_ins)}"
            about = f"the type of `{text}`"
            spelling = Spelling(self._file.types, span, about)
            try:
                declared = spelling.declaration(found.cursor.type, name)
            except NotSpelled as error:
                self._problem(f"{about} is not supported here: {error}", span, code=Code.UNSUPPORTED)
                raise _Unclear from None
            extern = Piece("extern ", span, about=about)
            body.declarations += [*spelling.definitions, extern, *declared, Piece(";\n", span, about=about)]
            self.stand_ins[name] = found
        return [Piece(body.known[key], span)]

    # ---- problems

    def _ambiguous(self, name: str, readings: list[str], span: Span) -> NoReturn:
        listed = ", ".join(f"`{r}`" for r in dict.fromkeys(readings))
        self._problem(f"`{name}` is ambiguous: it may be {listed}", span, code=Code.AMBIGUOUS_NAME)
        raise _Unclear

    def _problem(self, message: str, span: Span, help: str = "", code: Code = Code.SYNTAX) -> None:
        self.problems.append(Diagnostic(code, message, span, help=help))


def _is_promoted(parameter: Cursor, passed: ClangType) -> bool:
    """Whether a parameter is passed in another type than its own (`int f(c) char c; …`)."""
    kind = parameter.type.get_canonical().kind
    return kind in (*SIGNED, *UNSIGNED, *FLOATS, TypeKind.BOOL) and kind is not passed.kind
