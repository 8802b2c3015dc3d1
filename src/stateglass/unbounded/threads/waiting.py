"""What each thread waits for where nothing can happen."""

from __future__ import annotations

from stateglass.model import TAU
from stateglass.unbounded.threads.composing import Composition


def waits(composition: Composition, state: int) -> str:
    """A sentence for each thread that has not ended: what it waits for, and for whom."""
    team = composition.team
    offered = [_offered(composition, state, part) for part in range(len(team.parts))]
    sentences = []
    for number, thread in enumerate(team.threads.threads):
        if thread.held:
            continue
        own = [part for part, p in enumerate(team.parts) if p.thread == number]
        ended = all(
            team.parts[p].model.is_terminal(int(composition.found.states[state, p]))
            for p in own
            if team.parts[p].is_code
        )
        if thread.process is None and ended:
            sentences.append(f"`{thread.name}` has ended")
            continue
        labels = dict.fromkeys(label for part in own for label in offered[part])
        if labels:
            wanted = " or ".join(_with(composition, number, label, offered) for label in labels)
            sentences.append(f"`{thread.name}` waits for {wanted}")
        elif thread.process is None:
            sentences.append(f"`{thread.name}` waits for an answer that does not come")
        else:
            sentences.append(f"`{thread.name}` does nothing more")
    return "; ".join(sentences) + "."


def _offered(composition: Composition, state: int, part: int) -> list[str]:
    """The events that a part could do if everybody else could."""
    team, model = composition.team, composition.team.parts[part].model
    at = int(composition.found.states[state, part])
    labels = dict.fromkeys(
        model.labels[model.actions[t]] for t in range(int(model.first[at]), int(model.first[at + 1]))
    )
    return [label for label in labels if label != TAU and any(alphabet.has(label) for alphabet in team.alphabets)]


def _with(composition: Composition, thread: int, label: str, offered: list[list[str]]) -> str:
    """An event, and the threads that do not do it now."""
    team = composition.team
    missing = [
        f"`{other.name}`"
        for number, other in enumerate(team.threads.threads)
        if number != thread
        and team.alphabets[number].has(label)
        and not any(label in offered[p] for p, part in enumerate(team.parts) if part.thread == number)
    ]
    return f"`{label}`" + (f" with {' and '.join(missing)}" if missing else "")
