"""Claims in the words of the system in which threads take turns, and its actions in the words of threads."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final, final

from stateglass.check.conditions import vacuous_words
from stateglass.explore.stretches import Flow
from stateglass.logic import temporal
from stateglass.logic.claims import BuiltIn, Claim, Language
from stateglass.logic.predicates import Named
from stateglass.logic.reading import read_claim
from stateglass.model import STABLE, TAU, Action, Verb, parsed
from stateglass.program import Global
from stateglass.program.callgraph import mentioned, reachable, statements_of
from stateglass.program.names import root_of
from stateglass.program.walk import base_of, stored_by
from stateglass.source import Code, input_error, suggestion
from stateglass.system.sharing import LOAD, STORE
from stateglass.system.threads import Threads
from stateglass.unbounded.temporal.numbers import NotKnown
from stateglass.unbounded.threads.alphabets import Wording
from stateglass.unbounded.threads.systems import Setting
from stateglass.unbounded.threads.turns.bodies import told
from stateglass.unbounded.threads.turns.inlining import result_of
from stateglass.unbounded.threads.turns.systems import Asked
from stateglass.unbounded.threads.turns.weaving import DEADLOCK, WOVEN

STOPS: Final = str(Action(Verb.CALL, DEADLOCK, ("*",)))
"""What happens where nothing can happen, as a pattern."""

_OF_THREAD: Final = re.compile(rf"{re.escape(WOVEN)}::(\w+)\.(?:([\w:]+)\.\d+\.)?(?:(\w+)|%([^@\s]+)@\d+)")
"""A variable of a thread, of what it calls, or what one of them has read."""


@final
class Words:
    """The words of one setting."""

    def __init__(self, setting: Setting, labels: frozenset[str], wording: Wording) -> None:
        """`labels`: events that no function stands for."""
        self._program = setting.program
        self._threads = setting.threads
        self._labels = labels
        self._wording = wording
        self._used = {
            t.name: reachable(setting.program, [t.function]) for t in setting.threads.threads if t.process is None
        }
        self._addressed = mentioned(setting.program)[1]

    def translated(self, claim: Claim) -> tuple[Claim, Asked]:
        """A claim about threads as one about the system, and what it sees; `NotKnown` if it is none."""
        if claim.content is BuiltIn.NO_ERROR:
            return claim, Asked(accesses=False)
        if claim.content is BuiltIn.NO_DEADLOCK:
            own = read_claim(f'G !"{STOPS}"')
            return replace(own, name=claim.title), Asked(accesses=False, deadlock=True)
        if claim.language not in (Language.LTL, Language.ENGLISH) or not isinstance(claim.content, temporal.Formula):
            raise NotKnown(
                "only no-error, no-deadlock and claims about all runs are known of variables shared directly"
            )
        if claim.fairness:
            raise NotKnown("fairness is not known where threads share variables directly")
        asking = _Asking(self)
        content = _changed(claim.content, asking.part)
        return replace(claim, content=content), asking.asked()

    # ---- events

    def pattern(self, text: str, seen: _Asking) -> str:
        if text.startswith("re:") or "\\" in text or "?" in text or text.endswith("()"):
            raise NotKnown(f"`{text}` is a pattern for events, which is not known of variables shared directly")
        action = parsed(text)
        if action.verb in (Verb.ERROR, Verb.EXIT) or text in (Verb.ERROR.value, Verb.EXIT.value):
            return text
        if action.verb is None and text in self._labels:
            return str(Action(Verb.CALL, text))
        if action.verb is None and action.name in self._threads.events:
            return self._event(action, text)
        thread, _, what = action.name.partition(".")
        if thread in self._used and what:
            if action.verb in (Verb.CALL, Verb.RETURN) and what in self._used[thread].externals:
                seen.inputs.setdefault(action.name, set()).add(action.verb)
                return text
            if action.verb in (Verb.LOAD, Verb.STORE) and what in self._threads.shared:
                seen.accesses = True
                verb = LOAD if action.verb is Verb.LOAD else STORE
                return str(Action(Verb.CALL, f"{verb} {action.name}", action.arguments or ("*",)))
        known = [*self._threads.events, *self._labels]
        if action.verb is None and "*" not in text:
            raise input_error(Code.UNKNOWN_NAME, f"no event is called `{text}`", help=suggestion(action.name, known))
        raise NotKnown(f"`{text}` is no event that is known where threads share variables directly")

    def _event(self, action: Action, text: str) -> str:
        takes = len(self._program.declarations[action.name].parameters)
        arguments = action.arguments if "(" in text else ("*",) * min(takes, 1)
        if any("*" in argument and argument != "*" for argument in arguments):
            raise NotKnown(f"`{text}` is a pattern for events, which is not known of variables shared directly")
        example = str(Action(None, action.name, tuple(a.replace("*", "0") for a in action.arguments)))
        if "(" in text and arguments != ("*",) and self._wording.row(example) is None:
            raise input_error(Code.UNKNOWN_NAME, f"no event is called `{text}`")
        return str(Action(Verb.CALL, action.name, arguments))

    # ---- values

    def name(self, name: str, seen: _Asking) -> str:
        if name == STABLE:
            raise NotKnown("threads are not called from outside: nothing is `stable`")
        thread, _, rest = name.partition(".")
        if thread in self._used and self._variable(rest) in self._used[thread].variables:
            name = rest
        root = self._variable(name)
        if root in self._program.variables:
            if root in self._addressed:
                raise NotKnown(f"pointers lead to `{root}`: when it changes is not known")
            if root not in self._threads.shared and self._is_of_several(root):
                raise NotKnown(f"each of several threads has a `{root}` of its own")
            seen.watched.add(root)
        return name

    def _variable(self, name: str) -> str:
        """The variable that a name is of, or of a part of; shared ones have been divided into such parts."""
        return name if name in self._threads.shared else root_of(name)

    def _is_of_several(self, variable: str) -> bool:
        """Whether several threads use a variable that they change."""
        users = [used for used in self._used.values() if variable in used.variables]
        code = [statements_of(self._program.functions[name].blocks) for used in users for name in used.functions]
        places = (base_of(place) for statements in code for s in statements for place in stored_by(s))
        return len(users) > 1 and any(isinstance(base, Global) and base.name == variable for base in places)


@final
class _Asking:
    """What a claim speaks of, as far as it was read."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self.inputs: dict[str, set[Verb]] = {}
        self.watched: set[str] = set()
        self.accesses = False

    def part(self, node: Any) -> Any:
        match node:
            case temporal.Happens(pattern):
                return replace(node, pattern=self._words.pattern(pattern, self))
            case Named(name):
                return replace(node, name=self._words.name(name, self))
            case temporal.Turns() | temporal.Quantified():
                raise NotKnown("it is about more than single runs")
            case _:
                return node

    def asked(self) -> Asked:
        several = [name for name, verbs in self.inputs.items() if len(verbs) > 1]
        if several:
            raise NotKnown(f"what others do between the call and the return of `{several[0]}` is not known")
        return Asked(frozenset(self.inputs), frozenset(self.watched), self.accesses)


def with_any_value(claim: Claim, threads: Threads) -> Claim:
    """A claim that asks for `store(left.x, *)` where it says `store(left.x)`, as models have it."""

    def meant(pattern: str) -> str:
        action = parsed(pattern)
        is_access = action.verb in (Verb.LOAD, Verb.STORE) and not action.arguments
        is_shared = action.name.partition(".")[2] in threads.shared
        return str(Action(action.verb, action.name, ("*",))) if is_access and is_shared else pattern

    def part(node: Any) -> Any:
        return replace(node, pattern=meant(node.pattern)) if isinstance(node, temporal.Happens) else node

    content = _changed(claim.content, part) if isinstance(claim.content, temporal.Formula) else claim.content
    fairness = tuple(replace(one, pattern=meant(one.pattern)) for one in claim.fairness)
    return replace(claim, content=content, fairness=fairness)


def without_unmet(claim: Claim, flow: Flow) -> Claim:
    """A claim that says of events which no step of the code is that they do not happen."""
    met = {(s.action.verb, s.action.name) for s in flow.stretches if s.action is not None}

    def part(node: Any) -> Any:
        if isinstance(node, temporal.Happens):
            action = parsed(node.pattern)
            if action.verb in (Verb.CALL, Verb.RETURN) and (action.verb, action.name) not in met:
                return temporal.Constant(False)
        return node

    return replace(claim, content=_changed(claim.content, part))


def in_words_of(asked: Claim, decided: Claim, said: str) -> str:
    """Why a claim is vacuous, in the words in which it was asked and not in those in which it was decided."""
    if not isinstance(asked.content, temporal.Formula) or not isinstance(decided.content, temporal.Formula):
        return said
    work = [(asked.content, decided.content)]
    while work:
        own, other = work.pop()
        match own, other:
            case temporal.Implies(), temporal.Implies() if vacuous_words(decided.content, other) == said:
                return vacuous_words(asked.content, own)
        work += zip(temporal.parts(own), temporal.parts(other), strict=False)
    return said


def _changed(node: Any, change: Callable[[Any], Any]) -> Any:
    """A formula with some of its parts replaced, from below; without recursion, for formulas may be deep."""
    done: dict[int, Any] = {}
    work: list[tuple[Any, bool]] = [(node, False)]
    while work:
        top, is_ready = work.pop()
        if id(top) in done:
            continue
        parts = _parts(top)
        if parts and not is_ready:
            work.append((top, True))
            work += [(part, False) for part in parts]
        elif isinstance(top, tuple):
            done[id(top)] = tuple(done[id(part)] for part in top)
        elif parts:
            own = {f.name: done[id(getattr(top, f.name))] for f in fields(top)}
            done[id(top)] = change(replace(top, **own))
        else:
            done[id(top)] = change(top) if is_dataclass(top) else top
    return done[id(node)]


def _parts(node: Any) -> list[Any]:
    if isinstance(node, tuple):
        return list(node)
    if type(node).__module__ in (temporal.__name__, Named.__module__) and is_dataclass(node):
        return [getattr(node, f.name) for f in fields(node)]
    return []


def shown(action: str, thread: str, threads: Threads) -> str:
    """What threads call an action of the system, if it is `thread` whose turn it is."""
    found = parsed(action)
    name = found.name.removeprefix("::")
    if name.startswith("%") or name == WOVEN:
        return TAU
    verb, _, variable = found.name.partition(" ")
    if variable and verb in (LOAD, STORE):
        return str(Action(Verb(verb), variable, found.arguments)) if found.verb is Verb.CALL else TAU
    if found.verb not in (Verb.CALL, Verb.RETURN):
        return action
    if found.name in threads.events:
        return str(Action(None, found.name, found.arguments)) if found.verb is Verb.CALL else TAU
    of_event = next((event for event in threads.events if found.name == result_of(event)), None)
    if of_event is not None:
        return TAU
    is_of_thread = any(found.name.startswith(f"{t.name}.") for t in threads.threads)
    arguments = tuple(own_names(argument, thread, threads) for argument in found.arguments)
    name = found.name if is_of_thread or not thread else told(thread, found.name)
    return str(Action(found.verb, name, arguments))


def own_names(text: str, thread: str, threads: Threads) -> str:
    """What a pointer leads to, as the code of a thread calls it: `&get::out` in place of `&left.get.1.out`."""
    function = next((t.function for t in threads.threads if t.name == thread), "")
    inner = re.sub(rf"&{re.escape(thread)}\.(\w+)\.\d+\.", r"&\1::", text)
    return inner.replace(f"&{thread}.", f"&{function}::") if function else text


def condition_texts(texts: Sequence[tuple[str, str]], threads: Threads) -> tuple[tuple[str, str], ...]:
    """Places and conditions, with variables called as users call them in predicates: `left.serve::count`.

    What was read last from a shared variable goes by the step that read it: `load(left.turn)`.
    """
    functions = {thread.name: thread.function for thread in threads.threads}

    def named(found: re.Match[str]) -> str:
        thread, function, variable, read = found.groups()
        if read:
            return f"{LOAD}({thread}.{read})"
        return f"{thread}.{function or functions.get(thread, thread)}::{variable}"

    # What is too long ends within a name, which is then left out.
    whole = ((place, re.sub(r"\S+…$", "…", condition)) for place, condition in texts)
    return tuple((place, _OF_THREAD.sub(named, condition).replace(f"{WOVEN}::", "")) for place, condition in whole)
